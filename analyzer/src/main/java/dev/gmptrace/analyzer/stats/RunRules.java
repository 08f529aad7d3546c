package dev.gmptrace.analyzer.stats;

import dev.gmptrace.analyzer.index.Durations;
import dev.gmptrace.analyzer.index.GoroutineFilter;
import dev.gmptrace.analyzer.index.LaneId;
import dev.gmptrace.analyzer.index.Latency;
import dev.gmptrace.analyzer.index.Trace;
import dev.gmptrace.analyzer.model.GoroutineLog;
import dev.gmptrace.analyzer.model.Series;
import dev.gmptrace.analyzer.model.SpanState;
import dev.gmptrace.analyzer.model.TraceModel;
import dev.gmptrace.analyzer.stats.Findings.Finding;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Rules about who runs and who could. */
final class RunRules {
  /** Twice the time slice: preemption should have come by then. */
  static final long GREEDY_NS = 20_000_000;

  static final long SLICE_NS = 10_000_000;

  /** Waking a thread takes tens of microseconds; a longer coincidence is no wake-up. */
  static final long IDLE_STRETCH_NS = 100_000;

  static final double IDLE_SHARE = 0.01;
  static final long IDLE_MIN_NS = 1_000_000;
  static final long LATENCY_P99_NS = 10_000_000;
  private static final int LATENCY_MIN_COUNT = 20;

  private RunRules() {}

  static String percent(double share) {
    return String.format(Locale.ROOT, "%.1f %%", 100 * share);
  }

  static @Nullable Finding greedy(Trace trace) {
    TraceModel model = trace.model();
    GoroutineLog log = model.goroutineLog();
    int worst = -1;
    long longest = 0;
    long total = 0;
    int count = 0;
    for (int i = 0; i < log.size(); i++) {
      if (log.newState(i) != SpanState.RUNNING.code()) {
        continue;
      }
      long end = model.spanEnd(i);
      long d = end - log.time(i);
      if (d >= GREEDY_NS && othersWait(trace, log.time(i) + SLICE_NS, end)) {
        count++;
        total += d;
        if (d > longest) {
          longest = d;
          worst = i;
        }
      }
    }
    if (worst < 0) {
      return null;
    }
    int g = log.g(worst);
    long id = model.goroutines().id(g);
    String name = model.goroutineName(g);
    Map<String, String> evidence = new LinkedHashMap<>();
    evidence.put("longest run", Durations.text(longest));
    evidence.put("runs over " + Durations.text(GREEDY_NS), Integer.toString(count));
    evidence.put("in all", Durations.text(total));
    int procs = Math.max(1, trace.info().procs());
    int score = Findings.score((double) total / Math.max(1, model.duration()) / procs);
    return new Finding(
        "greedy-goroutine",
        Findings.severity(score),
        score,
        "Goroutines run for long while others wait",
        String.format(
            Locale.ROOT,
            "G%d %s ran for %s without a break while other goroutines were runnable; that happened"
                + " %s.",
            id,
            name,
            Durations.text(longest),
            count == 1 ? "once" : count + " times"),
        "Split the work or yield in the loop; a goroutine that is never preempted may be pinned, in"
            + " native code, or asynchronous preemption is off.",
        evidence,
        LaneId.g(id),
        log.time(worst),
        log.time(worst) + longest);
  }

  private static boolean othersWait(Trace trace, long from, long to) {
    return to > from && trace.index().counter("g.runnable", from, to, 1).min()[0] > 0;
  }

  static @Nullable Finding idleProcs(Trace trace) {
    TraceModel model = trace.model();
    Series idle = model.series("p.idle");
    if (idle == null || model.duration() == 0) {
      return null;
    }
    GoroutineLog log = model.goroutineLog();
    int runnable = 0;
    int s = 0;
    long idleNow = 0;
    long since = -1;
    long total = 0;
    long longest = 0;
    long at = 0;
    int count = 0;
    for (int i = 0; i <= log.size(); i++) {
      long t = i < log.size() ? log.time(i) : model.duration();
      for (; s < idle.size() && idle.time(s) <= t; s++) {
        idleNow = idle.value(s);
        if (idleNow == 0 && since >= 0) {
          long d = idle.time(s) - since;
          if (d >= IDLE_STRETCH_NS) {
            total += d;
            count++;
            at = d > longest ? since : at;
            longest = Math.max(longest, d);
          }
          since = -1;
        } else if (idleNow > 0 && runnable > 0 && since < 0) {
          since = idle.time(s);
        }
      }
      if (i < log.size()) {
        runnable += step(log, i);
      }
      boolean both = runnable > 0 && idleNow > 0 && i < log.size();
      if (both && since < 0) {
        since = t;
      } else if (!both && since >= 0) {
        long d = t - since;
        if (d >= IDLE_STRETCH_NS) {
          total += d;
          count++;
          at = d > longest ? since : at;
          longest = Math.max(longest, d);
        }
        since = -1;
      }
    }
    double share = (double) total / model.duration();
    if (share < IDLE_SHARE || total < IDLE_MIN_NS) {
      return null;
    }
    Map<String, String> evidence = new LinkedHashMap<>();
    evidence.put("share of the trace", percent(share));
    evidence.put("stretches over " + Durations.text(IDLE_STRETCH_NS), Integer.toString(count));
    evidence.put("longest", Durations.text(longest));
    int score = Findings.score(share);
    return new Finding(
        "idle-processors",
        Findings.severity(score),
        score,
        "Processors idle while goroutines are runnable",
        String.format(
            Locale.ROOT,
            "For %s of the trace at least one processor was idle although a goroutine was runnable;"
                + " the longest stretch was %s.",
            percent(share),
            Durations.text(longest)),
        "Threads are woken too late: look for a stopped world, an overloaded machine, or goroutines"
            + " locked to their threads.",
        evidence,
        null,
        at,
        at + longest);
  }

  private static int step(GoroutineLog log, int i) {
    boolean was = log.rank(i) > 0 && SpanState.of(log.oldState(i)).runnable();
    boolean is = SpanState.of(log.newState(i)).runnable();
    return (is ? 1 : 0) - (was ? 1 : 0);
  }

  static @Nullable Finding latency(Trace trace) {
    Latency l = trace.index().select(0, Long.MAX_VALUE, GoroutineFilter.all()).schedLatency();
    if (l.count() < LATENCY_MIN_COUNT || l.p99() < LATENCY_P99_NS) {
      return null;
    }
    Map<String, String> evidence = new LinkedHashMap<>();
    evidence.put("p50", Durations.text(l.p50()));
    evidence.put("p99", Durations.text(l.p99()));
    evidence.put("max", Durations.text(l.max()));
    evidence.put("starts", Long.toString(l.count()));
    int score = Findings.score(l.p99() / 1e9);
    return new Finding(
        "sched-latency",
        Findings.severity(score),
        Math.max(score, 5),
        "Goroutines wait long for a processor",
        String.format(
            Locale.ROOT,
            "One start in a hundred came %s or more after the goroutine was runnable (median %s).",
            Durations.text(l.p99()),
            Durations.text(l.p50())),
        "There is more work than processors, or something holds them: see the other findings and"
            + " the sched profile.",
        evidence,
        null,
        0,
        trace.info().durationNs());
  }
}
