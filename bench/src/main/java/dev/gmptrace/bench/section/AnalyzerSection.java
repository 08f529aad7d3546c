package dev.gmptrace.bench.section;

import dev.gmptrace.bench.report.Results;
import dev.gmptrace.bench.report.Spread;
import dev.gmptrace.bench.report.Table;
import dev.gmptrace.bench.run.Distribution;
import dev.gmptrace.bench.run.Effort;
import dev.gmptrace.bench.run.Peers;
import dev.gmptrace.bench.run.Server;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Opening traces of several sizes, ours and Go's, with {@code gmptrace view}: from the start of the
 * process until the server says that the timeline can be used, the most memory held until then, and
 * how long random screens take. Beside it {@code go tool trace} on the same file until it listens.
 *
 * <p>The traces are ping-pong programs recorded for the purpose into a temporary directory; a size
 * is in events as the reader counts them.
 */
public final class AnalyzerSection {
  private static final Path HERE = Path.of("").toAbsolutePath();
  private static final int SCREENS = 400;
  private static final int SECONDS = 900;

  /** Above this go tool trace needs more memory than a usual machine has. */
  private static final long GO_TOOL_LIMIT = 20_000_000;

  private final Peers peers;
  private final Distribution distribution;
  private final Effort effort;
  private final Results results;
  private int opened;
  private final Table table =
      new Table(
          List.of(
              "trace",
              "events",
              "file MB",
              "ready s",
              "peak MB",
              "÷ file",
              "screen p50 ms",
              "p99 ms",
              "go tool trace s",
              "its peak MB",
              "its time ÷ ours"));

  /** With that distribution. */
  public AnalyzerSection(Peers peers, Distribution distribution, Effort effort, Results results) {
    this.peers = peers;
    this.distribution = distribution;
    this.effort = effort;
    this.results = results;
  }

  /** Figures of one file, one value per round. */
  private static final class Opened {
    final List<Double> ready = new ArrayList<>();
    final List<Double> peak = new ArrayList<>();
    final List<Double> p50 = new ArrayList<>();
    final List<Double> p99 = new ArrayList<>();
    final List<Double> goReady = new ArrayList<>();
    final List<Double> goPeak = new ArrayList<>();
    long events;
  }

  /** Measures, prints and adds to the results. */
  public void run() throws IOException, InterruptedException {
    distribution.awaitStartupCaches(results);
    Path directory = Files.createTempDirectory("gmptrace-bench");
    TraceMaker maker = new TraceMaker(peers, directory, results);
    try {
      for (long events : effort.traceEvents()) {
        for (TraceMaker.Kind kind : TraceMaker.Kind.values()) {
          Path file = maker.make(kind, events);
          if (file != null) {
            try {
              measure(kind, events, file);
            } finally {
              Files.delete(file);
            }
          }
        }
      }
    } finally {
      Files.delete(directory);
    }
    if (opened > 0) {
      System.out.println("\nOpening a trace, median of the rounds\n");
      System.out.println(table);
    }
  }

  private void measure(TraceMaker.Kind kind, long events, Path file)
      throws IOException, InterruptedException {
    boolean beside =
        kind == TraceMaker.Kind.GO && peers.goTool() != null && events <= GO_TOOL_LIMIT;
    int rounds = events > GO_TOOL_LIMIT ? 1 : Math.min(effort.rounds(), 3);
    Opened opened = new Opened();
    for (int round = 0; round < rounds; round++) {
      view(file, opened);
      if (beside) {
        goToolTrace(file, opened);
      }
    }
    if (opened.ready.isEmpty()) {
      return;
    }
    String prefix = "analyzer/%s/%dM/".formatted(kind.id(), events / 1_000_000);
    double bytes = Files.size(file);
    Spread ready = Spread.of(opened.ready);
    Spread peak = Spread.of(opened.peak);
    results.add(prefix + "events", "", Spread.of((double) opened.events));
    results.add(prefix + "file", "MB", Spread.of(bytes / 1e6));
    results.add(prefix + "ready", "ms", ready);
    results.add(prefix + "peak", "MB", peak);
    results.add(
        prefix + "memory-per-file",
        "x",
        new Spread(
            peak.median() * 1e6 / bytes,
            peak.min() * 1e6 / bytes,
            peak.max() * 1e6 / bytes,
            peak.count()));
    results.add(prefix + "viewport-p50", "ms", Spread.of(opened.p50));
    results.add(prefix + "viewport-p99", "ms", Spread.of(opened.p99));
    List<String> cells =
        new ArrayList<>(
            List.of(
                kind.id(),
                "%.1f M".formatted(opened.events / 1e6),
                "%.0f".formatted(bytes / 1e6),
                "%.2f".formatted(ready.median() / 1e3),
                "%.0f".formatted(peak.median()),
                "%.1fx".formatted(peak.median() * 1e6 / bytes),
                "%.1f".formatted(Spread.of(opened.p50).median()),
                "%.1f".formatted(Spread.of(opened.p99).median())));
    if (opened.goReady.isEmpty()) {
      cells.addAll(List.of("", "", ""));
    } else {
      Spread ratio = Spread.ofRatios(opened.goReady, opened.ready);
      results.add(prefix + "go-tool-trace/ready", "ms", Spread.of(opened.goReady));
      results.add(prefix + "go-tool-trace/peak", "MB", Spread.of(opened.goPeak));
      results.add(prefix + "go-tool-trace:gmptrace", "x", ratio);
      cells.add("%.2f".formatted(Spread.of(opened.goReady).median() / 1e3));
      cells.add("%.0f".formatted(Spread.of(opened.goPeak).median()));
      cells.add(ratio.asRatio());
    }
    table.row(cells);
    this.opened++;
  }

  private void view(Path file, Opened opened) throws IOException, InterruptedException {
    List<String> command =
        List.of(distribution.command().toString(), "view", "--no-open", file.toString());
    try (Server server = Server.start(command, HERE, Distribution.NO_TRAINING)) {
      String url = server.awaitUrl(SECONDS);
      if (url == null) {
        results.note("gmptrace view did not come up for " + file.getFileName());
        return;
      }
      Viewports viewports = new Viewports(url);
      while (!viewports.ready()) {
        if (!server.isAlive()) {
          results.note("gmptrace view ended early for " + file.getFileName());
          return;
        }
        Thread.sleep(5);
      }
      double millis = server.millis();
      double peak = server.peakBytes() / 1e6;
      opened.events = viewports.events();
      viewports.ask(
          SCREENS / 4); // A user's first screens compile the code; that is not the 99th percentile.
      double[] screens = viewports.ask(SCREENS);
      opened.ready.add(millis);
      opened.peak.add(peak);
      opened.p50.add(screens[screens.length / 2]);
      opened.p99.add(screens[screens.length * 99 / 100]);
    } catch (IOException e) {
      results.note("gmptrace view of " + file.getFileName() + ": " + e.getMessage());
    }
  }

  private void goToolTrace(Path file, Opened opened) throws IOException {
    List<String> command =
        List.of(
            String.valueOf(peers.goTool()), "tool", "trace", "-http=localhost:0", file.toString());
    Map<String, String> environment = Map.of("GOTOOLCHAIN", "local", "BROWSER", "true");
    try (Server server = Server.start(command, HERE, environment)) {
      if (server.awaitUrl(SECONDS) == null) {
        results.note("go tool trace did not come up for " + file.getFileName());
        return;
      }
      opened.goReady.add(server.millis());
      opened.goPeak.add(server.peakBytes() / 1e6);
    }
  }
}
