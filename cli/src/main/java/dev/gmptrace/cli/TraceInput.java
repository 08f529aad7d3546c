package dev.gmptrace.cli;

import dev.gmptrace.analyzer.index.Trace;
import java.nio.file.Path;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** What all commands that answer a question about a trace have in common. */
final class TraceInput {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec command = CommandSpec.create();

  @Parameters(paramLabel = "TRACE", description = "The trace of a gmp program or a Go program.")
  private Path file = Path.of("");

  @Option(names = "--json", description = "Print JSON; times in nanoseconds.")
  private boolean json;

  Path file() {
    return file;
  }

  boolean json() {
    return json;
  }

  /** Reads the trace, with progress; what is no trace ends the command with exit code 2. */
  Trace open(Terminal terminal) {
    return open(terminal, file);
  }

  /** The line stays until the command ends: what is asked of a big trace may take a while too. */
  static Trace open(Terminal terminal, Path file) {
    var line = new ProgressLine(terminal, "reading", file.getFileName());
    return Trace.open(
        file,
        (phase, done, total, events, _) -> {
          switch (phase) {
            case READING -> line.update(done, total, events);
            case INDEXING -> line.phase("indexing");
            case READY -> line.phase("reporting on");
          }
        });
  }

  /** Prints what the reader wants known; a trace that ends too early is a problem. */
  int report(Terminal terminal, Trace trace) {
    for (String warning : trace.info().warnings()) {
      terminal.complain(command.qualifiedName() + ": warning", warning);
    }
    return trace.info().truncated() ? ExitCode.PROBLEM : ExitCode.OK;
  }
}
