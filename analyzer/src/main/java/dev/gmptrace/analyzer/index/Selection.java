package dev.gmptrace.analyzer.index;

import java.util.List;

/**
 * What happened in a stretch of time.
 *
 * @param gTimeByState goroutine time by {@link dev.gmptrace.analyzer.model.SpanState#code}
 * @param groups by start function, most running time first
 * @param schedLatency from runnable to running, for every start in the window
 * @param reasons waiting time by reason, most first
 * @param utilisation share of processor time in which a goroutine ran
 */
@SuppressWarnings("ArrayRecordComponent") // An answer, read once; never compared.
public record Selection(
    long from,
    long to,
    int goroutines,
    long[] gTimeByState,
    List<GroupSlice> groups,
    List<ProcSlice> procs,
    Latency schedLatency,
    List<ReasonSlice> reasons,
    long steals,
    long stolen,
    long handoffs,
    long wakes,
    long created,
    long ended,
    long preemptions,
    long syscalls,
    double utilisation) {

  /** The goroutines of one start function. */
  public record GroupSlice(String name, int goroutines, long[] timeByState) {}

  /** One processor. */
  public record ProcSlice(long p, long[] timeByState, double utilisation, long starts) {}

  /** Waiting time for one reason, and how many waits began in the window. */
  public record ReasonSlice(String reason, long total, long count, long max) {}
}
