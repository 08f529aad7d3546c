package dev.gmptrace.cli;

import dev.gmptrace.analyzer.index.Trace;
import dev.gmptrace.analyzer.stats.Stats;
import java.nio.file.Path;

/** What follows a recording: the trace in numbers, and what to do with it. */
final class Summary {
  private static final int REASONS = 5;

  private Summary() {}

  /** Returns exit code 1 when the trace is cut off, which is then said. */
  static int print(Terminal terminal, Path file) {
    Trace trace;
    try (Output out = new Output(terminal)) {
      trace = TraceInput.open(terminal, file);
      out.line("");
      out.line(
          "%s: %s"
              .formatted(out.style().bold(file.toString()), Units.bytes(trace.info().fileBytes())));
      StatsCommand.print(Stats.of(trace), out, REASONS);
      out.line("");
    }
    terminal.endProgress();
    trace.info().warnings().forEach(w -> terminal.complain("gmptrace: warning", w));
    return trace.info().truncated() ? ExitCode.PROBLEM : ExitCode.OK;
  }
}
