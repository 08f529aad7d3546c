package dev.gmptrace.cli;

import dev.gmptrace.analyzer.read.TraceReader;
import dev.gmptrace.viewer.ListenAddress;
import dev.gmptrace.viewer.TraceSession;
import dev.gmptrace.viewer.Viewer;
import io.javalin.util.JavalinLogger;
import java.nio.file.Path;
import java.time.Duration;

/** Serves one trace until Ctrl-C; what {@code view} and {@code demo} end with. */
final class Serving {
  private static final Duration BROWSER_START = Duration.ofSeconds(10);

  private Serving() {}

  /** Returns only when the trace cannot be shown; otherwise the process ends with Ctrl-C. */
  static int serve(Terminal terminal, Path trace, String http, boolean open)
      throws InterruptedException {
    ListenAddress address = address(http);
    // What is no trace at all is refused here, with exit code 2, rather than on a page.
    TraceReader.open(trace).close();
    if (!address.isLoopback()) {
      terminal.complain(
          "gmptrace view: warning",
          "listening on " + address.host() + ": everyone who reaches it can read the trace");
    }
    try (Viewer viewer = start(address, trace);
        var _ = new CtrlC(() -> close(viewer));
        Output out = new Output(terminal)) {
      String url = viewer.url().toString();
      out.line(out.style().link(url)).flush();
      boolean opened = open && Browser.open(terminal, url);
      if (viewer.session().awaitReady() instanceof TraceSession.Failed failed) {
        // Whoever looks at the page reads there why, instead of that nobody answers.
        viewer.session().awaitTold(opened, BROWSER_START);
        throw CliException.usage(failed.message());
      }
      viewer.join();
      return ExitCode.OK;
    }
  }

  private static int close(Viewer viewer) {
    viewer.close();
    return ExitCode.OK;
  }

  private static ListenAddress address(String http) {
    try {
      return http.isEmpty() ? ListenAddress.loopback() : ListenAddress.parse(http);
    } catch (IllegalArgumentException e) {
      throw CliException.usage("--http: " + e.getMessage());
    }
  }

  private static Viewer start(ListenAddress address, Path trace) {
    // Javalin would log a failed start too, and say less about it.
    JavalinLogger.enabled = false;
    try {
      return Viewer.start(address, trace);
    } catch (IllegalStateException e) {
      throw CliException.usage(e.getMessage() + "; without --http a free port is taken");
    } finally {
      JavalinLogger.enabled = true;
    }
  }
}
