package dev.gmptrace.analyzer.index;

/**
 * A stretch of time, {@code [from, to)}, that a report is restricted to.
 *
 * @param from nanoseconds since the start of the trace
 * @param to the first moment that is outside
 */
public record TimeWindow(long from, long to) {
  /** No restriction. */
  public static final TimeWindow ALL = new TimeWindow(0, Long.MAX_VALUE);

  /** Whether something from {@code start} to {@code end} happened in part inside. */
  public boolean touches(long start, long end) {
    // What takes no time at all still happened at a moment.
    return start < to && (end > from || start >= from);
  }

  /** How much of {@code [start, end)} is inside. */
  public long overlap(long start, long end) {
    return Math.max(0, Math.min(to, end) - Math.max(from, start));
  }
}
