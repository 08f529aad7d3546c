package dev.gmptrace.cli;

import dev.gmptrace.analyzer.index.Trace;
import dev.gmptrace.analyzer.stats.Stats;
import java.nio.file.Path;

/** What follows a recording: the trace in numbers, and what to do with it. */
final class Summary {
  private static final int REASONS = 5;

  private Summary() {}

  static void print(Terminal terminal, Path file) {
    Trace trace;
    try (var line = new ProgressLine(terminal, "reading " + file.getFileName())) {
      trace = Trace.open(file, (_, done, total, events, _) -> line.update(done, total, events));
    }
    try (Output out = new Output(terminal)) {
      out.line("");
      out.line(
          "%s: %s"
              .formatted(out.style().bold(file.toString()), Units.bytes(trace.info().fileBytes())));
      StatsCommand.print(Stats.of(trace), out, REASONS);
      out.line("");
    }
    trace.info().warnings().forEach(w -> terminal.complain("gmptrace: warning", w));
  }
}
