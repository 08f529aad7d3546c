package dev.gmptrace.cli;

import dev.gmptrace.analyzer.read.TraceReader;
import dev.gmptrace.viewer.ListenAddress;
import dev.gmptrace.viewer.TraceSession;
import dev.gmptrace.viewer.Viewer;
import java.nio.file.Path;

/** Serves one trace until Ctrl-C; what {@code view} and {@code demo} end with. */
final class Serving {
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
        Output out = new Output(terminal)) {
      Thread stop = new Thread(() -> stop(viewer), "stop-viewer");
      Runtime.getRuntime().addShutdownHook(stop);
      String url = viewer.url().toString();
      out.line(out.style().link(url)).flush();
      if (open) {
        Browser.open(terminal, url);
      }
      if (viewer.session().awaitReady() instanceof TraceSession.Failed failed) {
        Runtime.getRuntime().removeShutdownHook(stop);
        throw CliException.usage(failed.message());
      }
      viewer.join();
      return ExitCode.OK;
    }
  }

  /** Ctrl-C: a server that was asked to stop has done its work, so not the 130 of a killed one. */
  private static void stop(Viewer viewer) {
    viewer.close();
    Runtime.getRuntime().halt(ExitCode.OK);
  }

  private static ListenAddress address(String http) {
    try {
      return http.isEmpty() ? ListenAddress.loopback() : ListenAddress.parse(http);
    } catch (IllegalArgumentException e) {
      throw CliException.usage("--http: " + e.getMessage());
    }
  }

  private static Viewer start(ListenAddress address, Path trace) {
    try {
      return Viewer.start(address, trace);
    } catch (IllegalStateException e) {
      throw CliException.usage(String.valueOf(e.getMessage()));
    }
  }
}
