package dev.gmptrace.cli;

import dev.gmptrace.analyzer.read.Footprint;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code gmptrace footprint}: where the bytes went. */
@Command(
    name = "footprint",
    description = "Show bytes and counts per kind of event.",
    footer = {
      "",
      "Names in parentheses are no events; all rows together are the size of the file.",
      "",
      "Examples:",
      "  gmptrace footprint trace.bin",
      "  gmptrace footprint --json trace.bin | jq '.rows[0]'",
    })
final class FootprintCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Parameters(paramLabel = "TRACE", description = "The trace of a gmp program or a Go program.")
  private Path trace = Path.of("");

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  FootprintCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException {
    try (var progress = new ProgressLine(terminal, "reading", trace.getFileName());
        Output out = new Output(terminal)) {
      long size = trace.toFile().length();
      Footprint f = Footprint.of(trace, done -> progress.update(done, size, 0));
      progress.clear();
      if (f.events() == 0 && f.unreadable() > 0) {
        throw CliException.usage(trace + ": nothing behind its header can be read");
      }
      int code = ExitCode.OK;
      if (f.unreadable() > 0) {
        terminal.complain(
            "gmptrace footprint",
            "%s of %s cannot be read: the trace is cut off or damaged"
                .formatted(Units.bytes(f.unreadable()), trace));
        code = ExitCode.PROBLEM;
      }
      if (json) {
        Json.print(out, f);
        return code;
      }
      var table = new Table("<event", "bytes", "%", "count", "%", "bytes each");
      for (Footprint.Row row : f.rows()) {
        table.row(
            row.name(),
            Units.count(row.bytes()),
            Units.percent((double) row.bytes() / f.bytes()),
            Units.count(row.count()),
            row.event() ? Units.percent((double) row.count() / f.events()) : "",
            "%.1f".formatted((double) row.bytes() / row.count()));
      }
      table.print(out, "");
      out.line("");
      out.line(
          "%s, %s events, %.2f bytes an event all in all"
              .formatted(
                  Units.bytes(f.bytes()),
                  Units.count(f.events()),
                  f.events() == 0 ? 0 : (double) f.bytes() / f.events()));
      return code;
    }
  }
}
