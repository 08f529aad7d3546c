package dev.gmptrace.cli;

import dev.gmptrace.analyzer.read.ReadResult;
import dev.gmptrace.analyzer.read.TraceReader;
import java.nio.file.Path;

/** The few lines that follow a recording. */
final class Summary {
  private Summary() {}

  static void print(Terminal terminal, Path trace) {
    try (TraceReader reader = TraceReader.open(trace);
        Output out = new Output(terminal)) {
      ReadResult result = reader.read(_ -> {});
      out.line(
          "%s: %s, %s events in %s"
              .formatted(
                  trace,
                  Units.bytes(reader.info().size()),
                  Units.count(result.events()),
                  Units.duration(result.duration())));
    }
  }
}
