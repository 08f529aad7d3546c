package dev.gmptrace.analyzer.index;

import java.util.List;

/**
 * What a trace is, in a few numbers.
 *
 * @param file the file's name
 * @param format "go" or "gmp"
 * @param version of the format, as the header says
 * @param program what was traced, "" when the file does not say
 * @param startNs the trace clock at time 0
 * @param procs the greatest GOMAXPROCS seen
 * @param wallAtZeroNs Unix time in nanoseconds at time 0, or -1 when the trace does not say
 * @param eventsLost how many events the recorder says it lost
 * @param truncated whether the file ends before the trace does
 * @param warnings everything the reader wants its user to know
 */
public record TraceOverview(
    String file,
    long fileBytes,
    String format,
    String version,
    String program,
    long startNs,
    long durationNs,
    long events,
    int generations,
    long goroutines,
    int procs,
    int threads,
    long wallAtZeroNs,
    long eventsLost,
    boolean truncated,
    List<String> warnings) {

  /** Unix time in nanoseconds at a time of the trace, or -1 when the trace does not say. */
  public long wallNs(long t) {
    return wallAtZeroNs < 0 ? -1 : wallAtZeroNs + t;
  }
}
