package dev.gmptrace.cli;

import dev.gmptrace.analyzer.index.TimeWindow;
import picocli.CommandLine.Option;

/** {@code --from} and {@code --to}, shared by all commands that look at a part of a trace. */
final class WindowOptions {
  @Option(
      names = "--from",
      paramLabel = "T",
      description = "Begin here: time since the first event, such as 1.5s or 200ms.")
  private String from = "";

  @Option(names = "--to", paramLabel = "T", description = "End here, not included.")
  private String to = "";

  long from() {
    return from.isEmpty() ? 0 : Units.parseDuration("--from", from);
  }

  /** The end, or {@code otherwise} when none was asked for. */
  long to(long otherwise) {
    if (to.isEmpty()) {
      return otherwise;
    }
    long end = Units.parseDuration("--to", to);
    if (end <= from()) {
      throw CliException.usage("--to: '" + to + "' is not after --from");
    }
    return end;
  }

  /** Both, as reports want them. */
  TimeWindow window() {
    return new TimeWindow(from(), to(Long.MAX_VALUE));
  }

  /** As {@link #to}, for what is asked of moments: the end may be the beginning. */
  long toIncluded(long otherwise) {
    return !to.isEmpty() && Units.parseDuration("--to", to) == from() ? from() : to(otherwise);
  }

  /** A window that begins where the trace has ended is a mistake, not an empty answer. */
  void requireWithin(long duration) {
    if (from() > duration) {
      throw CliException.usage(
          "--from: '" + from + "' is after the end of the trace, " + Units.duration(duration));
    }
  }

  boolean isSet() {
    return !from.isEmpty() || !to.isEmpty();
  }
}
