package dev.gmptrace.analyzer.index;

import dev.gmptrace.analyzer.index.Selection.GroupSlice;
import dev.gmptrace.analyzer.index.Selection.ProcSlice;
import dev.gmptrace.analyzer.index.Selection.ReasonSlice;
import dev.gmptrace.analyzer.model.GoroutineLog;
import dev.gmptrace.analyzer.model.PointKind;
import dev.gmptrace.analyzer.model.PointLog;
import dev.gmptrace.analyzer.model.SpanState;
import dev.gmptrace.analyzer.model.TraceModel;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Adds up a stretch of time, for all goroutines or some. */
final class SelectionQuery {
  private static final int RUNNING = SpanState.RUNNING.code();

  private final TraceIndex index;
  private final TraceModel model;
  private final GoroutineTimeline gs;
  private final GoroutineLog log;
  private final long from;
  private final long to;

  /** As {@link #to}, but the trace's very last event belongs to a window that goes beyond it. */
  private final long stop;

  private final BitSet chosen = new BitSet();
  private final boolean all;

  private final long[] byState = new long[SpanState.COUNT];
  private final Latency.Recorder latency = new Latency.Recorder();
  private final long[] reasonTotal;
  private final long[] reasonCount;
  private final long[] reasonMax;
  private long created;
  private long ended;
  private long preemptions;
  private long syscalls;
  private long wakes;
  private final long[] startsOnProc;

  SelectionQuery(TraceIndex index, TraceModel model, GoroutineTimeline gs, GoroutineFilter f) {
    this.index = index;
    this.model = model;
    this.gs = gs;
    this.log = model.goroutineLog();
    this.from = Math.max(0, f.from());
    this.to = Math.min(model.duration(), f.to());
    this.stop = f.to() > model.duration() ? Long.MAX_VALUE : f.to();
    this.reasonTotal = new long[model.reasons()];
    this.reasonCount = new long[model.reasons()];
    this.reasonMax = new long[model.reasons()];
    this.startsOnProc = new long[model.procs().size()];
    GoroutineMatcher matcher = new GoroutineMatcher(model, gs, f);
    for (int g = 0; g < gs.lanes(); g++) {
      if (matcher.matches(g)) {
        chosen.set(g);
      }
    }
    this.all = f.withWindow(0, Long.MAX_VALUE).isAll();
  }

  Selection run() {
    List<GroupSlice> groups = groups();
    changes();
    carriedIn();
    List<ProcSlice> procs = procs();
    long busy = 0;
    for (ProcSlice p : procs) {
      busy += p.timeByState()[RUNNING];
    }
    long[] points = points();
    double room = index.room(from, to);
    return new Selection(
        from,
        to,
        chosen.cardinality(),
        byState,
        groups,
        procs,
        latency.get(),
        reasons(),
        points[0],
        points[1],
        points[2],
        wakes,
        created,
        ended,
        preemptions,
        syscalls,
        room <= 0 ? 0 : Math.min(1, busy / room));
  }

  private List<GroupSlice> groups() {
    Map<String, long[]> times = new LinkedHashMap<>();
    Map<String, int[]> counts = new LinkedHashMap<>();
    for (int g = chosen.nextSetBit(0); g >= 0; g = chosen.nextSetBit(g + 1)) {
      String name = model.goroutineName(g);
      long[] sums = times.computeIfAbsent(name, n -> new long[SpanState.COUNT]);
      long[] own = new long[SpanState.COUNT];
      gs.durations(g, from, to, own);
      for (int s = 1; s < own.length; s++) {
        sums[s] += own[s];
        byState[s] += own[s];
      }
      counts.computeIfAbsent(name, n -> new int[1])[0]++;
    }
    List<GroupSlice> list = new ArrayList<>();
    times.forEach((name, sums) ->
        list.add(new GroupSlice(name, counts.getOrDefault(name, new int[1])[0], sums)));
    list.sort(
        Comparator.<GroupSlice>comparingLong(s -> -s.timeByState()[RUNNING])
            .thenComparing(GroupSlice::name));
    return list;
  }

  private void changes() {
    int end = log.lowerBound(stop);
    for (int i = log.lowerBound(from); i < end; i++) {
      int g = log.g(i);
      if (!all && !chosen.get(g)) {
        continue;
      }
      SpanState old = SpanState.of(log.oldState(i));
      SpanState now = SpanState.of(log.newState(i));
      if (now == SpanState.RUNNING && old.runnable() && log.rank(i) > 0) {
        latency.add(log.time(i) - log.time(model.goroutines().changeAt(g, log.rank(i) - 1)));
      }
      if (now == SpanState.RUNNING && log.p(i) >= 0) {
        startsOnProc[log.p(i)]++;
      }
      if (now.waiting()) {
        wait(log.reason(i), log.time(i), model.spanEnd(i), 1);
      }
      created += old == SpanState.NONE ? 1 : 0;
      ended += now == SpanState.NONE ? 1 : 0;
      preemptions += now == SpanState.PREEMPTED ? 1 : 0;
      syscalls += now.syscall() && !old.syscall() ? 1 : 0;
      wakes += now == SpanState.RUNNABLE && old.waiting() ? 1 : 0;
    }
  }

  /** Waits that began before the window count with the part inside it. */
  private void carriedIn() {
    if (from == 0) {
      return;
    }
    for (int g = chosen.nextSetBit(0); g >= 0; g = chosen.nextSetBit(g + 1)) {
      int k = gs.before(g, from, 0);
      if (k >= 0 && SpanState.of(gs.state(g, k)).waiting() && gs.end(g, k) > from) {
        wait(gs.reason(g, k), from, gs.end(g, k), 0);
      }
    }
  }

  private void wait(int reason, long start, long end, int count) {
    long d = Math.min(to, end) - start;
    reasonTotal[reason] += d;
    reasonCount[reason] += count;
    reasonMax[reason] = Math.max(reasonMax[reason], d);
  }

  private List<ReasonSlice> reasons() {
    List<ReasonSlice> list = new ArrayList<>();
    for (int r = 0; r < reasonTotal.length; r++) {
      if (reasonTotal[r] > 0 || reasonCount[r] > 0) {
        list.add(new ReasonSlice(model.reason(r), reasonTotal[r], reasonCount[r], reasonMax[r]));
      }
    }
    list.sort(Comparator.comparingLong(s -> -s.total()));
    return list;
  }

  private List<ProcSlice> procs() {
    Timeline timeline = index.timeline(LaneKind.PROC);
    List<ProcSlice> list = new ArrayList<>();
    for (int p = 0; p < timeline.lanes(); p++) {
      long[] sums = new long[SpanState.COUNT];
      timeline.durations(p, from, to, sums);
      double share = to <= from ? 0 : (double) sums[RUNNING] / (to - from);
      list.add(new ProcSlice(model.procs().id(p), sums, share, startsOnProc[p]));
    }
    list.sort(Comparator.comparingLong(ProcSlice::p));
    return list;
  }

  /** Steals, goroutines stolen, hand-offs. */
  private long[] points() {
    long[] n = new long[3];
    PointLog points = model.points();
    int end = points.lowerBound(stop);
    // A scheduler that says why it takes a processor says that it takes it, too.
    PointKind handoff =
        points.count(PointKind.HANDOFF) > 0 ? PointKind.HANDOFF : PointKind.PROC_STEAL;
    for (int i = points.lowerBound(from); i < end; i++) {
      PointKind kind = points.kind(i);
      if (kind == PointKind.STEAL) {
        n[0]++;
        n[1] += points.b(i);
      } else if (kind == handoff) {
        n[2]++;
      }
    }
    return n;
  }
}
