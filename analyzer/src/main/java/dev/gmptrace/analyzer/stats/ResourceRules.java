package dev.gmptrace.analyzer.stats;

import dev.gmptrace.analyzer.index.Durations;
import dev.gmptrace.analyzer.index.Trace;
import dev.gmptrace.analyzer.model.PointKind;
import dev.gmptrace.analyzer.model.PointLog;
import dev.gmptrace.analyzer.model.Ranges;
import dev.gmptrace.analyzer.model.Series;
import dev.gmptrace.analyzer.read.ResourceKind;
import dev.gmptrace.analyzer.stats.Findings.Finding;
import dev.gmptrace.analyzer.stats.Findings.Severity;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Rules about memory, threads and the trace itself. */
final class ResourceRules {
  static final double GC_SHARE = 0.25;
  static final long GC_MIN_NS = 5_000_000;
  static final double STOP_SHARE = 0.02;
  static final long STOP_MIN_NS = 1_000_000;
  static final int THREADS_PER_PROC = 8;
  static final int THREADS_FLOOR = 32;

  private ResourceRules() {}

  static @Nullable Finding gcPressure(Trace trace) {
    long duration = Math.max(1, trace.info().durationNs());
    long cycles = GcNames.collecting(trace.model(), 0, Long.MAX_VALUE);
    long stops = 0;
    Ranges ranges = trace.model().ranges();
    for (int i = 0; i < ranges.size(); i++) {
      String name = trace.model().string(ranges.name(i));
      if (GcNames.isGcStop(name)
          || (GcNames.isStop(name) && ranges.scope(i) == ResourceKind.NONE)) {
        stops += ranges.end(i) - ranges.start(i);
      }
    }
    double share = (double) cycles / duration;
    double stopped = (double) stops / duration;
    boolean collects = share >= GC_SHARE && cycles >= GC_MIN_NS;
    boolean stopsMuch = stopped >= STOP_SHARE && stops >= STOP_MIN_NS;
    if (!collects && !stopsMuch) {
      return null;
    }
    double mmu = Mmu.at(trace, Mmu.Options.ALL, 10_000_000);
    Map<String, String> evidence = new LinkedHashMap<>();
    evidence.put("collecting", RunRules.percent(share));
    evidence.put("world stopped", RunRules.percent(stopped));
    evidence.put("left to the program in the worst 10 ms", RunRules.percent(mmu));
    int score = Findings.score(Math.max(share / 2, Math.min(1, stopped * 5)));
    return new Finding(
        "gc-pressure",
        Findings.severity(score),
        score,
        "Garbage collection takes much of the time",
        String.format(
            Locale.ROOT,
            "A collection was going on for %s of the trace and the world was stopped for %s (%s);"
                + " in the worst ten milliseconds %s was left to the program.",
            RunRules.percent(share),
            RunRules.percent(stopped),
            Durations.text(stops),
            RunRules.percent(mmu)),
        "Allocate less, reuse buffers, or give the heap more room.",
        evidence,
        null,
        0,
        duration);
  }

  static @Nullable Finding threads(Trace trace) {
    Series total = trace.model().series("m.total");
    long most = total == null ? 0 : total.max();
    int procs = Math.max(1, trace.info().procs());
    long allowed = Math.max(THREADS_FLOOR, (long) THREADS_PER_PROC * procs);
    if (total == null || most < allowed) {
      return null;
    }
    long at = 0;
    for (int i = 0; i < total.size(); i++) {
      if (total.value(i) == most) {
        at = total.time(i);
        break;
      }
    }
    Map<String, String> evidence = new LinkedHashMap<>();
    evidence.put("threads", Long.toString(most));
    evidence.put("GOMAXPROCS", Integer.toString(procs));
    int score = Findings.score(Math.min(1, (double) most / 10_000 + 0.05));
    return new Finding(
        "too-many-threads",
        Findings.severity(score),
        score,
        "Many threads are needed",
        String.format(
            Locale.ROOT,
            "There were up to %d threads for %d processors: every blocking system call or locked"
                + " goroutine costs one.",
            most,
            procs),
        "Bound the number of blocking calls at a time, with a semaphore or a pool of goroutines.",
        evidence,
        null,
        at,
        trace.info().durationNs());
  }

  static @Nullable Finding lost(Trace trace) {
    long lost = trace.info().eventsLost();
    if (lost == 0) {
      return null;
    }
    PointLog points = trace.model().points();
    long first = 0;
    int gaps = 0;
    for (int i = points.size() - 1; i >= 0; i--) {
      // What is told of a thread is told of a buffer, too.
      if (points.kind(i) == PointKind.LOST && points.b(i) > 0) {
        first = points.time(i);
        gaps++;
      }
    }
    double share = (double) lost / (lost + trace.info().events());
    Map<String, String> evidence = new LinkedHashMap<>();
    evidence.put("events lost", Long.toString(lost));
    evidence.put("share", RunRules.percent(share));
    evidence.put("gaps", Integer.toString(gaps));
    int score = Math.max(30, Findings.score(share));
    return new Finding(
        "events-lost",
        share > 0.1 ? Severity.CRITICAL : Severity.WARNING,
        score,
        "The recorder lost events",
        String.format(
            Locale.ROOT,
            "%d events (%s) were lost because the recorder ran out of buffers; times around the"
                + " gaps are unknown.",
            lost,
            RunRules.percent(share)),
        "Give the recorder more buffers (GMPDEBUG tracepool), record fewer stacks, or write to a"
            + " faster disk.",
        evidence,
        null,
        first,
        trace.info().durationNs());
  }
}
