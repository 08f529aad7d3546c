package dev.gmptrace.analyzer.stats;

import dev.gmptrace.analyzer.index.TimeWindow;
import dev.gmptrace.analyzer.index.Trace;
import dev.gmptrace.analyzer.model.GoroutineLog;
import dev.gmptrace.analyzer.model.PointKind;
import dev.gmptrace.analyzer.model.PointLog;
import dev.gmptrace.analyzer.model.Ranges;
import dev.gmptrace.analyzer.model.Series;
import dev.gmptrace.analyzer.model.SpanState;
import dev.gmptrace.analyzer.model.TraceModel;
import dev.gmptrace.analyzer.read.ResourceKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The share of the processors left to the program, as a step function of time.
 *
 * <p>The mean over a window is the difference of the integral at its ends. As the window slides,
 * the mean changes its slope only where an end meets a step, so the minimum has an end on a step:
 * trying those windows finds it exactly.
 */
final class MutatorUtilisation {
  private static final int ALL_PROCS = -1;

  private record Edge(long time, int p, int by) {}

  private final long[] time;
  private final double[] share;
  private final double[] integral;

  private MutatorUtilisation(long[] time, double[] share) {
    this.time = time;
    this.share = share;
    this.integral = new double[time.length];
    for (int i = 1; i < time.length; i++) {
      integral[i] = integral[i - 1] + share[i - 1] * (time[i] - time[i - 1]);
    }
  }

  /** One function for all processors, or one for each. */
  static List<MutatorUtilisation> of(Trace trace, Mmu.Options options, TimeWindow part) {
    TraceModel model = trace.model();
    List<Edge> edges = new ArrayList<>();
    ranges(model, options, edges);
    if (options.background()) {
      workers(model, options.perProc(), edges);
    }
    edges.sort(Comparator.comparingLong(Edge::time));
    List<MutatorUtilisation> list = new ArrayList<>();
    if (options.perProc()) {
      for (int p = 0; p < model.procs().size(); p++) {
        for (TimeWindow there : existence(model, p, part)) {
          list.add(function(model, edges, p, there));
        }
      }
    } else {
      list.add(function(model, edges, ALL_PROCS, part));
    }
    return list;
  }

  /** When in {@code part} a processor was one of the GOMAXPROCS; each time counts for itself. */
  private static List<TimeWindow> existence(TraceModel model, int p, TimeWindow part) {
    Series n = model.series("gomaxprocs");
    if (n == null || n.size() == 0) {
      return List.of(part);
    }
    List<TimeWindow> list = new ArrayList<>();
    long since = -1;
    for (int i = 0; i <= n.size(); i++) {
      boolean there = i < n.size() && n.value(i) > model.procs().id(p);
      long at = i < n.size() ? n.time(i) : model.duration();
      if (there && since < 0) {
        since = at;
      } else if (!there && since >= 0) {
        long from = Math.max(since, part.from());
        long to = Math.min(at, part.to());
        if (to > from) {
          list.add(new TimeWindow(from, to));
        }
        since = -1;
      }
    }
    return list;
  }

  private static void ranges(TraceModel model, Mmu.Options options, List<Edge> edges) {
    Ranges r = model.ranges();
    for (int i = 0; i < r.size(); i++) {
      String name = model.string(r.name(i));
      if (GcNames.isStop(name)) {
        // The JVM's own pauses name their cause, not the collector; they belong to nobody.
        boolean gc = GcNames.isGcStop(name) || r.scope(i) == ResourceKind.NONE;
        if (options.stw() && gc) {
          interval(edges, ALL_PROCS, r.start(i), r.end(i));
        }
      } else if (GcNames.isSweep(name) && r.scope(i) == ResourceKind.PROC) {
        int p = model.procs().find(r.scopeId(i));
        if (options.sweep() && p >= 0) {
          interval(edges, p, r.start(i), r.end(i));
        }
      } else if (GcNames.isAssist(name) && options.assist()) {
        int g = model.goroutines().find(r.scopeId(i));
        if (g >= 0) {
          executing(model, g, r.start(i), r.end(i), edges);
        }
      }
    }
  }

  /**
   * Goroutines that mark for the collector say by a label, each time they start, how they do it;
   * what they run until their next label counts or does not.
   *
   * <p>Go's page shows less than this and cannot be matched: it counts the start of a worker it
   * knows and then its label too, but its stop only once. So from a worker's second start on, its
   * processor is taken for good, and once all are, Go's curve ends there.
   */
  private static void workers(TraceModel model, boolean perProc, List<Edge> edges) {
    PointLog points = model.points();
    Map<Integer, Long> since = new HashMap<>();
    for (int i = 0; i < points.size(); i++) {
      int g = points.g(i);
      if (points.kind(i) != PointKind.LABEL || g < 0) {
        continue;
      }
      String label = model.string(points.text(i));
      if (!label.startsWith("GC ")) {
        continue;
      }
      Long before = since.remove(g);
      if (before != null) {
        executing(model, g, before, points.time(i), edges);
      }
      // A dedicated worker empties its processor first, so it delays no goroutine there.
      if (!label.equals("GC (idle)") && !(perProc && label.equals("GC (dedicated)"))) {
        since.put(g, points.time(i));
      }
    }
    since.forEach((g, from) -> executing(model, g, from, model.duration(), edges));
  }

  /** Adds the time in {@code [from, to)} that a goroutine was on a processor. */
  private static void executing(TraceModel model, int g, long from, long to, List<Edge> edges) {
    GoroutineLog log = model.goroutineLog();
    for (int k = changeBefore(model, g, from); k < model.goroutines().changes(g); k++) {
      int i = model.goroutines().changeAt(g, k);
      if (log.time(i) >= to) {
        return;
      }
      SpanState s = SpanState.of(log.newState(i));
      if ((s == SpanState.RUNNING || s == SpanState.SYSCALL) && log.p(i) >= 0) {
        interval(edges, log.p(i), Math.max(from, log.time(i)), Math.min(to, model.spanEnd(i)));
      }
    }
  }

  /** The goroutine's last change at or before a time, or its first. */
  private static int changeBefore(TraceModel model, int g, long time) {
    int lo = 0;
    int hi = model.goroutines().changes(g);
    while (lo < hi) {
      int mid = (lo + hi) >>> 1;
      if (model.goroutineLog().time(model.goroutines().changeAt(g, mid)) <= time) {
        lo = mid + 1;
      } else {
        hi = mid;
      }
    }
    return Math.max(0, lo - 1);
  }

  private static void interval(List<Edge> edges, int p, long from, long to) {
    if (to > from) {
      edges.add(new Edge(from, p, 1));
      edges.add(new Edge(to, p, -1));
    }
  }

  private static MutatorUtilisation function(
      TraceModel model, List<Edge> edges, int wanted, TimeWindow part) {
    Series procs = model.series("gomaxprocs");
    long first = procs == null || procs.size() == 0 ? 0 : procs.time(0);
    long start = Math.max(first, part.from());
    long end = Math.max(start + 1, Math.min(model.duration(), part.to()));
    long[] time = new long[edges.size() + (procs == null ? 0 : procs.size()) + 2];
    double[] share = new double[time.length];
    int[] busy = new int[model.procs().size()];
    int stopped = 0;
    int n = 0;
    time[0] = start;
    share[n++] = 1;
    int change = 1;
    for (int e = 0; e < edges.size(); ) {
      long now = edges.get(e).time();
      long next = procs != null && change < procs.size() ? procs.time(change) : Long.MAX_VALUE;
      if (next < now) {
        now = next;
        change++;
      }
      for (; e < edges.size() && edges.get(e).time() == now; e++) {
        Edge edge = edges.get(e);
        if (edge.p() == ALL_PROCS) {
          stopped += edge.by();
        } else {
          busy[edge.p()] += edge.by();
        }
      }
      long at = Math.max(start, now);
      double value = share(busy, stopped, wanted, procs == null ? 0 : procs.at(now));
      if (at == time[n - 1]) {
        share[n - 1] = value;
      } else if (value != share[n - 1] && at < end) {
        time[n] = at;
        share[n++] = value;
      }
    }
    time[n] = end;
    share[n++] = 0;
    return new MutatorUtilisation(Arrays.copyOf(time, n), Arrays.copyOf(share, n));
  }

  private static double share(int[] busy, int stopped, int wanted, long gomaxprocs) {
    if (stopped > 0) {
      return 0;
    }
    if (wanted != ALL_PROCS) {
      return busy[wanted] > 0 ? 0 : 1;
    }
    int taken = 0;
    for (int b : busy) {
      taken += b > 0 ? 1 : 0;
    }
    long all = gomaxprocs > 0 ? gomaxprocs : Math.max(1, busy.length);
    return Math.max(0, 1 - (double) taken / all);
  }

  long duration() {
    return time[time.length - 1] - time[0];
  }

  private double integralAt(long t) {
    int i = Arrays.binarySearch(time, t);
    if (i < 0) {
      i = -i - 2;
    }
    if (i < 0) {
      return 0;
    }
    if (i >= time.length - 1) {
      return integral[time.length - 1];
    }
    return integral[i] + share[i] * (t - time[i]);
  }

  private double mean(long from, long window) {
    return (integralAt(from + window) - integralAt(from)) / window;
  }

  /** The least mean over all windows of this length. */
  double minimum(long window) {
    long w = Math.max(1, Math.min(window, duration()));
    double least = 1;
    for (long from : candidates(w)) {
      least = Math.min(least, mean(from, w));
    }
    return Math.max(0, least);
  }

  /** Where a window of this length can have its minimum: one end on a step. */
  private long[] candidates(long w) {
    long first = time[0];
    long last = time[time.length - 1] - w;
    long[] all = new long[time.length * 2];
    for (int i = 0; i < time.length; i++) {
      all[2 * i] = Math.clamp(time[i], first, last);
      all[2 * i + 1] = Math.clamp(time[i] - w, first, last);
    }
    return all;
  }

  /** The worst windows that do not overlap, worst first. */
  List<Mmu.Window> worst(long window, int limit) {
    long w = Math.max(1, Math.min(window, duration()));
    List<Mmu.Window> all = new ArrayList<>();
    for (long from : candidates(w)) {
      all.add(new Mmu.Window(from, from + w, Math.max(0, mean(from, w))));
    }
    all.sort(
        Comparator.comparingDouble(Mmu.Window::utilisation).thenComparingLong(Mmu.Window::from));
    List<Mmu.Window> chosen = new ArrayList<>();
    for (Mmu.Window c : all) {
      if (c.utilisation() >= 1 || chosen.size() == limit) {
        break;
      }
      if (chosen.stream().noneMatch(x -> x.from() < c.to() && c.from() < x.to())) {
        chosen.add(c);
      }
    }
    return chosen;
  }
}
