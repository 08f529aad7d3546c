package dev.gmptrace.analyzer.stats;

import dev.gmptrace.analyzer.index.GoroutineFilter;
import dev.gmptrace.analyzer.index.LaneInfo;
import dev.gmptrace.analyzer.index.LaneKind;
import dev.gmptrace.analyzer.index.Latency;
import dev.gmptrace.analyzer.index.Selection;
import dev.gmptrace.analyzer.index.Selection.ProcSlice;
import dev.gmptrace.analyzer.index.Selection.ReasonSlice;
import dev.gmptrace.analyzer.index.Trace;
import dev.gmptrace.analyzer.index.TraceOverview;
import dev.gmptrace.analyzer.model.PointKind;
import dev.gmptrace.analyzer.model.SpanState;
import java.util.List;
import java.util.Set;

/**
 * A trace in numbers.
 *
 * @param utilisation share of processor time in which a goroutine ran
 * @param goroutines how many there were, were created, ended, were alive at the end
 * @param schedLatency from runnable to running
 * @param syscallsLostP system calls whose processor was taken
 * @param gcShare share of the time in which a collection was going on
 * @param stwShare share of the time in which the world was stopped
 * @param spinShare share of thread time spent looking for work, where the trace says
 * @param reasons waiting time by reason, most first
 */
@SuppressWarnings("ArrayRecordComponent") // An answer, read once; never compared.
public record Stats(
    TraceOverview trace,
    long from,
    long to,
    List<ProcStat> procs,
    double utilisation,
    GoroutineCount goroutines,
    Latency schedLatency,
    long steals,
    long stolen,
    long handoffs,
    long wakes,
    long preemptions,
    long syscalls,
    long syscallsLostP,
    long gcs,
    double gcShare,
    long stops,
    double stwShare,
    long longestStopNs,
    double spinShare,
    long[] goroutineTimeByState,
    List<ReasonSlice> reasons) {

  /** One processor: how its time went, and how often it started a goroutine. */
  public record ProcStat(
      long p,
      long runningNs,
      long syscallNs,
      long schedulingNs,
      long idleNs,
      long unknownNs,
      double utilisation,
      long starts) {}

  /** How many goroutines. */
  public record GoroutineCount(
      long seen, long created, long ended, long alive, long mostRunnable) {}

  /** Of the whole trace. */
  public static Stats of(Trace trace) {
    return of(trace, 0, Long.MAX_VALUE);
  }

  /** Of a window. */
  public static Stats of(Trace trace, long from, long to) {
    Selection s = trace.index().select(from, to, GoroutineFilter.all());
    List<ProcStat> procs = s.procs().stream().map(Stats::proc).toList();
    double[] ranges = ranges(trace, s);
    long runnable = 0;
    if (s.to() > s.from()) {
      runnable = trace.index().counter("g.runnable", s.from(), s.to() + 1, 1).max()[0];
    }
    return new Stats(
        trace.info(),
        s.from(),
        s.to(),
        procs,
        s.utilisation(),
        new GoroutineCount(
            s.goroutines(), s.created(), s.ended(), s.goroutines() - s.ended(), runnable),
        s.schedLatency(),
        s.steals(),
        s.stolen(),
        s.handoffs(),
        s.wakes(),
        s.preemptions(),
        s.syscalls(),
        lostP(trace, s),
        (long) ranges[0],
        ranges[1],
        (long) ranges[2],
        ranges[3],
        (long) ranges[4],
        spinning(trace, s),
        s.gTimeByState(),
        s.reasons());
  }

  private static ProcStat proc(ProcSlice p) {
    long[] t = p.timeByState();
    return new ProcStat(
        p.p(),
        t[SpanState.RUNNING.code()],
        t[SpanState.SYSCALL.code()],
        t[SpanState.SCHEDULING.code()] + t[SpanState.SPINNING.code()],
        t[SpanState.IDLE.code()],
        t[SpanState.UNKNOWN.code()],
        p.utilisation(),
        p.starts());
  }

  private static long lostP(Trace trace, Selection s) {
    return trace.index().points(Set.of(PointKind.PROC_STEAL), s.from(), s.to() + 1, 1, 0).total();
  }

  /** Collections, their share, stops, their share, the longest stop. */
  private static double[] ranges(Trace trace, Selection s) {
    double[] r = new double[5];
    double length = Math.max(1, s.to() - s.from());
    for (LaneInfo lane : trace.index().lanes(LaneKind.RANGE)) {
      long active = trace.index().durations(lane.id(), s.from(), s.to())[SpanState.ACTIVE.code()];
      if (GcNames.isStop(lane.name())) {
        r[3] += active / length;
      }
    }
    r[1] = GcNames.collecting(trace.model(), s.from(), s.to()) / length;
    var ranges = trace.model().ranges();
    for (int i = 0; i < ranges.size(); i++) {
      String name = trace.model().string(ranges.name(i));
      if (ranges.start(i) < s.to() && ranges.end(i) > s.from()) {
        if (GcNames.isStop(name)) {
          r[2]++;
          r[4] = Math.max(r[4], (double) (ranges.end(i) - ranges.start(i)));
        } else if (GcNames.isCycle(name)) {
          r[0]++;
        }
      }
    }
    return r;
  }

  private static double spinning(Trace trace, Selection s) {
    long spin = 0;
    long all = 0;
    for (LaneInfo lane : trace.index().lanes(LaneKind.THREAD)) {
      long[] t = trace.index().durations(lane.id(), s.from(), s.to());
      spin += t[SpanState.SPINNING.code()];
      for (long d : t) {
        all += d;
      }
    }
    return all == 0 ? 0 : (double) spin / all;
  }
}
