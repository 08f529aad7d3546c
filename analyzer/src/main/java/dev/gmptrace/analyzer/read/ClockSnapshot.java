package dev.gmptrace.analyzer.read;

import java.time.Instant;

/**
 * One moment as seen by several clocks, which ties the times of a trace to the calendar.
 *
 * @param traceTime the moment on the clock of {@link TraceEvent#time}, in nanoseconds
 * @param mono the moment on the system's monotonic clock
 * @param wall the moment on the wall
 */
public record ClockSnapshot(long traceTime, long mono, Instant wall) {
  /** The wall-clock time at which an event with that time happened. */
  public Instant wallTime(long time) {
    return wall.plusNanos(time - traceTime);
  }
}
