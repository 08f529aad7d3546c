package dev.gmptrace.analyzer.stats;

import dev.gmptrace.analyzer.index.Durations;
import dev.gmptrace.analyzer.index.LaneId;
import dev.gmptrace.analyzer.index.Latency;
import dev.gmptrace.analyzer.index.Trace;
import dev.gmptrace.analyzer.model.GoroutineLog;
import dev.gmptrace.analyzer.model.PointKind;
import dev.gmptrace.analyzer.model.PointLog;
import dev.gmptrace.analyzer.model.SpanState;
import dev.gmptrace.analyzer.model.TraceModel;
import dev.gmptrace.analyzer.stats.Findings.Finding;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Rules about queues, steals and timers; only gmp traces hold these facts. */
final class QueueRules {
  static final long STARVED_NS = 50_000_000;
  static final long STORM_STEALS = 1_000;
  static final double STORM_SHARE = 0.5;
  static final long DRIFT_NS = 5_000_000;
  static final int DRIFT_COUNT = 10;

  private QueueRules() {}

  static @Nullable Finding starvedGlobalQueue(Trace trace) {
    TraceModel model = trace.model();
    PointLog points = model.points();
    long length = 0;
    long since = -1;
    long longest = 0;
    long at = 0;
    long waiting = 0;
    for (int i = 0; i <= points.size(); i++) {
      boolean end = i == points.size();
      PointKind kind = end ? PointKind.OTHER : points.kind(i);
      long t = end ? model.duration() : points.time(i);
      boolean get = kind == PointKind.GLOBAL_GET;
      // Behind a gap nobody knows what is in the queue, so its account starts anew.
      boolean gap = kind == PointKind.LOST;
      if ((get || gap || end) && since >= 0 && length > 0) {
        if (t - since > longest) {
          longest = t - since;
          at = since;
          waiting = length;
        }
      }
      if (kind == PointKind.GLOBAL_PUT || kind == PointKind.OVERFLOW) {
        since = length == 0 ? t : since;
        length += points.b(i);
      } else if (get) {
        length = Math.max(0, length - points.b(i));
        since = length > 0 ? t : -1;
      } else if (gap) {
        length = 0;
        since = -1;
      }
    }
    if (longest < STARVED_NS) {
      return null;
    }
    Map<String, String> evidence = new LinkedHashMap<>();
    evidence.put("longest wait", Durations.text(longest));
    evidence.put("goroutines in the queue", Long.toString(waiting));
    int score = Findings.score((double) longest / Math.max(1, model.duration()));
    return new Finding(
        "starved-global-queue",
        Findings.severity(score),
        score,
        "Nobody takes from the global queue",
        String.format(
            Locale.ROOT,
            "%d goroutines lay in the global queue for %s before a processor looked there.",
            waiting,
            Durations.text(longest)),
        "Processors look there every 61st turn, so their turns are very long: look for greedy"
            + " goroutines.",
        evidence,
        null,
        at,
        at + longest);
  }

  static @Nullable Finding stealStorm(Trace trace) {
    TraceModel model = trace.model();
    long steals = model.points().count(PointKind.STEAL);
    if (steals < STORM_STEALS) {
      return null;
    }
    GoroutineLog log = model.goroutineLog();
    long starts = 0;
    for (int i = 0; i < log.size(); i++) {
      if (log.newState(i) == SpanState.RUNNING.code() && SpanState.of(log.oldState(i)).runnable()) {
        starts++;
      }
    }
    double share = (double) steals / Math.max(1, starts);
    if (share < STORM_SHARE) {
      return null;
    }
    long stolen = model.points().sum(PointKind.STEAL);
    Map<String, String> evidence = new LinkedHashMap<>();
    evidence.put("steals", Long.toString(steals));
    evidence.put("goroutines stolen", Long.toString(stolen));
    evidence.put("starts", Long.toString(starts));
    int score = Findings.score(Math.min(1, share / 2));
    return new Finding(
        "steal-storm",
        Findings.severity(score),
        score,
        "Processors live on stealing",
        String.format(
            Locale.ROOT,
            "%d steals for %d starts: %.0f %% of the starts needed a steal, which took %.1f"
                + " goroutines each.",
            steals,
            starts,
            100 * Math.min(1, share),
            (double) stolen / steals),
        "Work comes in pieces too small to keep a processor busy, or one goroutine makes all of it:"
            + " make fewer and bigger pieces, or fewer processors.",
        evidence,
        null,
        0,
        model.duration());
  }

  static @Nullable Finding timerDrift(Trace trace) {
    TraceModel model = trace.model();
    PointLog points = model.points();
    if (points.count(PointKind.TIMER) < DRIFT_COUNT) {
      return null;
    }
    Latency.Recorder late = new Latency.Recorder();
    int worst = -1;
    for (int i = 0; i < points.size(); i++) {
      if (points.kind(i) == PointKind.TIMER) {
        late.add(points.a(i));
        if (worst < 0 || points.a(i) > points.a(worst)) {
          worst = i;
        }
      }
    }
    Latency l = late.get();
    if (l.p99() < DRIFT_NS || worst < 0) {
      return null;
    }
    Map<String, String> evidence = new LinkedHashMap<>();
    evidence.put("timers", Long.toString(l.count()));
    evidence.put("late at p50", Durations.text(l.p50()));
    evidence.put("late at p99", Durations.text(l.p99()));
    evidence.put("latest", Durations.text(l.max()));
    int score = Findings.score(Math.min(1, l.p99() / 1e8));
    long g = model.goroutines().id(points.g(worst));
    return new Finding(
        "timer-drift",
        Findings.severity(score),
        score,
        "Timers fire late",
        String.format(
            Locale.ROOT,
            "One timer in a hundred fired %s or more after its time, the latest %s.",
            Durations.text(l.p99()),
            Durations.text(l.max())),
        "A timer waits for a processor like everybody: look for greedy goroutines and stopped"
            + " worlds at that time.",
        evidence,
        g < 0 ? null : LaneId.g(g),
        Math.max(0, points.time(worst) - l.max()),
        points.time(worst));
  }
}
