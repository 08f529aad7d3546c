package dev.gmptrace.analyzer.stats;

import dev.gmptrace.analyzer.index.Durations;
import dev.gmptrace.analyzer.index.LaneId;
import dev.gmptrace.analyzer.index.Trace;
import dev.gmptrace.analyzer.model.GoroutineLog;
import dev.gmptrace.analyzer.model.Goroutines;
import dev.gmptrace.analyzer.model.SpanState;
import dev.gmptrace.analyzer.model.TraceModel;
import dev.gmptrace.analyzer.stats.Findings.Finding;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Rules about who waits. */
final class WaitRules {
  /** sysmon looks at least every ten milliseconds; half of that with work waiting is too long. */
  static final long SYSCALL_NS = 5_000_000;

  static final int CONVOY_WAITS = 50;
  static final double CONVOY_WAITERS = 2;
  static final int LEAK_COUNT = 10;
  static final double LEAK_ALIVE = 0.9;
  static final long LEAK_WAIT_PART = 10;

  private WaitRules() {}

  static @Nullable Finding longSyscalls(Trace trace) {
    TraceModel model = trace.model();
    GoroutineLog log = model.goroutineLog();
    int worst = -1;
    long longest = 0;
    long total = 0;
    int count = 0;
    for (int i = 0; i < log.size(); i++) {
      if (log.newState(i) != SpanState.SYSCALL.code()) {
        continue;
      }
      long end = model.spanEnd(i);
      long d = end - log.time(i);
      if (d >= SYSCALL_NS
          && trace.index().counter("g.runnable", log.time(i), end, 1).min()[0] > 0) {
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
    long id = model.goroutines().id(log.g(worst));
    Map<String, String> evidence = new LinkedHashMap<>();
    evidence.put("longest", Durations.text(longest));
    evidence.put("calls over " + Durations.text(SYSCALL_NS), Integer.toString(count));
    evidence.put("processor time lost", Durations.text(total));
    int score = Findings.score((double) total / Math.max(1, model.duration()));
    return new Finding(
        "long-syscall",
        Findings.severity(score),
        score,
        "System calls hold processors",
        String.format(
            Locale.ROOT,
            "G%d %s kept its processor through a system call of %s while other goroutines were"
                + " runnable; %s did so.",
            id,
            model.goroutineName(log.g(worst)),
            Durations.text(longest),
            count == 1 ? "one call" : count + " calls"),
        "The monitor should take such a processor away. It did not come in time: the machine is"
            + " overloaded, or the call is not known to the scheduler as one.",
        evidence,
        LaneId.g(id),
        log.time(worst),
        log.time(worst) + longest);
  }

  private static boolean isLock(String reason) {
    return reason.equals("sync")
        || reason.contains("Mutex")
        || reason.equals("semacquire")
        || reason.equals("java monitor enter");
  }

  static @Nullable Finding convoy(Trace trace) {
    TraceModel model = trace.model();
    GoroutineLog log = model.goroutineLog();
    boolean[] lock = new boolean[model.reasons()];
    boolean any = false;
    for (int r = 0; r < lock.length; r++) {
      lock[r] = isLock(model.reason(r));
      any |= lock[r];
    }
    if (!any || model.duration() == 0) {
      return null;
    }
    Map<Integer, long[]> byStack = new HashMap<>();
    for (int i = 0; i < log.size(); i++) {
      if (lock[log.reason(i)] && SpanState.of(log.newState(i)).waiting()) {
        long[] w = byStack.computeIfAbsent(log.stack(i), s -> new long[] {0, 0, -1, 0});
        long d = model.spanEnd(i) - log.time(i);
        w[0]++;
        w[1] += d;
        if (d > w[3]) {
          w[2] = i;
          w[3] = d;
        }
      }
    }
    long[] worst = null;
    for (long[] w : byStack.values()) {
      if (w[0] >= CONVOY_WAITS
          && (double) w[1] / model.duration() >= CONVOY_WAITERS
          && (worst == null || w[1] > worst[1])) {
        worst = w;
      }
    }
    if (worst == null) {
      return null;
    }
    int i = (int) worst[2];
    double waiters = (double) worst[1] / model.duration();
    long id = model.goroutines().id(log.g(i));
    String where =
        model.stack(log.stack(i)).stream()
            .map(f -> f.function())
            .filter(f -> !f.startsWith("sync.") && !f.startsWith("runtime."))
            .findFirst()
            .orElse("an unknown place");
    Map<String, String> evidence = new LinkedHashMap<>();
    evidence.put("waits", Long.toString(worst[0]));
    evidence.put("waiting in all", Durations.text(worst[1]));
    evidence.put("waiting at any time", String.format(Locale.ROOT, "%.1f goroutines", waiters));
    evidence.put("longest wait", Durations.text(worst[3]));
    int score = Findings.score(Math.min(1, waiters / 20));
    return new Finding(
        "lock-convoy",
        Findings.severity(score),
        score,
        "Goroutines queue for a lock",
        String.format(
            Locale.ROOT,
            "On average %.1f goroutines stood waiting for a lock in %s, %d times in all.",
            waiters,
            where,
            worst[0]),
        "Hold the lock for less, split it, or hand the data over a channel. The sync profile shows"
            + " the whole stack.",
        evidence,
        LaneId.g(id),
        log.time(i),
        model.spanEnd(i));
  }

  static @Nullable Finding leak(Trace trace) {
    TraceModel model = trace.model();
    Goroutines gs = model.goroutines();
    GoroutineLog log = model.goroutineLog();
    Map<Integer, long[]> groups = new HashMap<>();
    for (int g = 0; g < gs.size(); g++) {
      if (gs.created(g) < 0) {
        continue;
      }
      long[] n = groups.computeIfAbsent(gs.name(g), k -> new long[] {0, 0, -1});
      n[0]++;
      int last = gs.changeAt(g, gs.changes(g) - 1);
      SpanState s = SpanState.of(log.newState(last));
      boolean stuck =
          s.waiting()
              && s != SpanState.WAIT_SLEEP
              && (model.duration() - log.time(last)) * LEAK_WAIT_PART >= model.duration();
      if (gs.ended(g) < 0 && stuck) {
        n[1]++;
        n[2] = n[2] < 0 ? g : n[2];
      }
    }
    int name = -1;
    long[] worst = null;
    for (Map.Entry<Integer, long[]> e : groups.entrySet()) {
      long[] n = e.getValue();
      if (n[1] >= LEAK_COUNT
          && (double) n[1] >= LEAK_ALIVE * n[0]
          && (worst == null || n[1] > worst[1])) {
        worst = n;
        name = e.getKey();
      }
    }
    if (worst == null) {
      return null;
    }
    int g = (int) worst[2];
    int last = gs.changeAt(g, gs.changes(g) - 1);
    String reason = model.reason(log.reason(last));
    String function = name == 0 ? model.goroutineName(g) : model.string(name);
    Map<String, String> evidence = new LinkedHashMap<>();
    evidence.put("created in the trace", Long.toString(worst[0]));
    evidence.put("waiting at its end", Long.toString(worst[1]));
    evidence.put("reason of the first", reason);
    int score = Findings.score(Math.min(1, Math.log10((double) worst[1]) / 5));
    return new Finding(
        "goroutine-leak",
        Findings.severity(score),
        score,
        "Goroutines are created and never end",
        String.format(
            Locale.ROOT,
            "%d of the %d goroutines that %s was started for were still waiting (%s) at the end,"
                + " and for long.",
            worst[1],
            worst[0],
            function,
            reason.isEmpty() ? "no reason given" : reason),
        "If nobody will ever wake them they are lost memory: look at the stack where they wait, and"
            + " at who should have sent, closed or cancelled.",
        evidence,
        LaneId.g(gs.id(g)),
        gs.created(g),
        model.duration());
  }
}
