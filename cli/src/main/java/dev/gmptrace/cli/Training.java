package dev.gmptrace.cli;

import dev.gmptrace.analyzer.index.Trace;
import dev.gmptrace.runtime.Chan;
import dev.gmptrace.runtime.Go;
import dev.gmptrace.runtime.WaitGroup;
import dev.gmptrace.tracer.record.Recording;
import dev.gmptrace.viewer.ListenAddress;
import dev.gmptrace.viewer.Viewer;
import io.javalin.util.JavalinLogger;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * What the launcher runs once, in the background, to make the JVM's ahead-of-time cache: the
 * everyday uses, so that their classes are linked and their hot methods have profiles when they are
 * started for the first time. It prints nothing.
 *
 * <pre>
 *   Training GO_TRACE
 * </pre>
 */
public final class Training {
  /** Enough for the methods that read and draw a trace to be known as hot. */
  private static final int OPENINGS = 12;

  private static final List<String> QUESTIONS =
      List.of("stats", "findings", "goroutines", "validate", "schedtrace", "events");

  private static final List<String> ADDRESSES =
      List.of(
          "",
          "api/v1/status",
          "api/v1/info",
          "api/v1/lanes?kind=p",
          "api/v1/tiles?lanes=p:0&px=1400",
          "api/v1/counters?names=g.running&px=1400",
          "api/v1/heatmap?columns=700",
          "api/v1/stats",
          "api/v1/findings");

  private Training() {}

  /** Does it all, for the trace given and for one of our own. */
  public static void main(String[] args) throws IOException, InterruptedException {
    Path own = Files.createTempFile("gmptrace-training", ".bin");
    try {
      record(own);
      Terminal nowhere =
          new Terminal(
              OutputStream.nullOutputStream(),
              OutputStream.nullOutputStream(),
              false,
              false,
              Map.of());
      int _ = Main.run(nowhere, "--help");
      for (Path trace : List.of(own, Path.of(args[0]))) {
        for (String question : QUESTIONS) {
          int _ = Main.run(nowhere, question, trace.toString());
        }
        for (int i = 0; i < OPENINGS; i++) {
          Trace _ = Trace.open(trace);
        }
        view(trace);
      }
    } finally {
      Files.delete(own);
    }
    System.exit(0); // what the server has started must not keep us
  }

  private static void record(Path file) {
    Go.run(() -> {
      Recording recording = Go.sched().tracer().start(file);
      Chan<Integer> numbers = Chan.make();
      WaitGroup senders = new WaitGroup();
      for (int s = 0; s < 4; s++) {
        senders.go(() -> {
          for (int i = 0; i < 5_000; i++) {
            numbers.send(i);
          }
        });
      }
      Go.go(() -> {
        senders.await();
        numbers.close();
      });
      int sum = 0;
      for (int n : numbers) {
        sum += n;
      }
      if (sum == 0) {
        throw new AssertionError("nothing was sent");
      }
      recording.stop();
    });
  }

  private static void view(Path trace) throws IOException, InterruptedException {
    JavalinLogger.enabled = false;
    try (Viewer viewer = Viewer.start(ListenAddress.loopback(), trace)) {
      var _ = viewer.session().awaitReady();
      for (int i = 0; i < OPENINGS; i++) {
        for (String address : ADDRESSES) {
          try (InputStream in = viewer.url().resolve(address).toURL().openStream()) {
            long _ = in.transferTo(OutputStream.nullOutputStream());
          }
        }
      }
    }
  }
}
