package dev.gmptrace.analyzer.read;

/**
 * Some ordered events on their way from the ordering to the sink: rows as in {@link TraceEvent}.
 */
final class EventBlock {
  /** Small enough that a block written by one core is still in a cache when another reads it. */
  static final int EVENTS = 2048;

  final long[] rows = new long[EVENTS * TraceEvent.ROW];
  int count;
}
