package dev.gmptrace.cli;

import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code gmptrace view}: the timeline in a browser. */
@Command(
    name = "view",
    description = "Open a trace in the browser.",
    footer = {
      "",
      "The address is printed on one line as soon as the page can be opened; a big trace",
      "shows its progress there. Ctrl-C ends the server.",
      "",
      "Examples:",
      "  gmptrace view trace.bin",
      "  gmptrace view --http :6060 go.trace         a port of your choice, this machine only",
      "  gmptrace view --http 0.0.0.0:6060 t.bin     for others too; there is no password",
      "  gmptrace view --no-open trace.bin           print the address, open nothing",
    })
final class ViewCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Parameters(paramLabel = "TRACE", description = "The trace of a gmp program or a Go program.")
  private Path trace = Path.of("");

  @Option(
      names = "--http",
      paramLabel = "HOST:PORT",
      description = "Where to listen. Default: localhost and a free port.")
  private String http = "";

  @Option(names = "--no-open", description = "Do not open a browser.")
  private boolean noOpen;

  ViewCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws InterruptedException {
    return Serving.serve(terminal, trace, http, !noOpen);
  }
}
