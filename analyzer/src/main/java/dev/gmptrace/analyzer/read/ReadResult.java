package dev.gmptrace.analyzer.read;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How the reading of a trace went.
 *
 * @param events how many events were delivered
 * @param generations how many generations they came from
 * @param startTime the time of the first event, 0 if there is none
 * @param endTime the time of the last event, 0 if there is none
 * @param clock a clock snapshot of the trace, or null when it has none (Go before 1.25)
 * @param damage why the reading ended before the file did, or null when all of it was read
 * @param warnings everything worth knowing, the damage included
 */
public record ReadResult(
    long events,
    int generations,
    long startTime,
    long endTime,
    @Nullable ClockSnapshot clock,
    @Nullable TraceWarning damage,
    List<TraceWarning> warnings) {

  public ReadResult {
    warnings = List.copyOf(warnings);
  }

  /** Nanoseconds from the first event to the last. */
  public long duration() {
    return endTime - startTime;
  }

  /** Whether the trace was read to its end. */
  public boolean complete() {
    return damage == null;
  }

  /**
   * Refuses a trace of which nothing could be read: only then is damage an error rather than a
   * warning.
   *
   * @throws TraceFormatException if no generation was read and there is damage
   */
  public ReadResult orRefuse(TraceInfo info) {
    if (damage != null && generations == 0) {
      throw new TraceFormatException(info.path() + ": no usable part in this trace: " + damage);
    }
    return this;
  }
}
