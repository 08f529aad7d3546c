package dev.gmptrace.bench.section;

import dev.gmptrace.bench.report.Results;
import dev.gmptrace.bench.report.Rounds;
import dev.gmptrace.bench.report.Spread;
import dev.gmptrace.bench.report.Table;
import dev.gmptrace.bench.run.Distribution;
import dev.gmptrace.bench.run.Effort;
import dev.gmptrace.bench.run.Peers;
import dev.gmptrace.bench.run.Server;
import dev.gmptrace.bench.workload.PeerId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Opening traces of several sizes, ours and Go's, with {@code gmptrace view}: from the start of the
 * process until the server says that the timeline can be used, the most memory held until then, and
 * how long random screens take, of Ps and of goroutines. Beside it {@code go tool trace} on the
 * same file until it listens, and the first range that it shows.
 *
 * <p>The traces are recorded for the purpose into a temporary directory; a size is in events as the
 * reader counts them.
 */
public final class AnalyzerSection {
  private static final Path HERE = Path.of("").toAbsolutePath();
  private static final int SCREENS = 300;
  private static final int SECONDS = 900;
  private static final int ROUNDS = 3;

  /**
   * Above this go tool trace needs more memory than a usual machine has, and one trace is enough to
   * see that ours grows as before.
   */
  private static final long LARGE = 20_000_000;

  private final Peers peers;
  private final Distribution distribution;
  private final Effort effort;
  private final Results results;
  private final Map<TraceMaker.Kind, List<Growth.Point>> points =
      new EnumMap<>(TraceMaker.Kind.class);
  private final Table table =
      new Table(
          List.of(
              "trace",
              "events",
              "file MB",
              "ready s",
              "peak MB",
              "÷ file",
              "Ps: screen p50 / p99 ms",
              "goroutines: p50 / p99 ms",
              "whole trace ms",
              "go tool trace s",
              "its peak MB",
              "its time ÷ ours",
              "its first range ms"));

  /** With that distribution. */
  public AnalyzerSection(Peers peers, Distribution distribution, Effort effort, Results results) {
    this.peers = peers;
    this.distribution = distribution;
    this.effort = effort;
    this.results = results;
  }

  /** Figures of one file. */
  private static final class Opened {
    final Rounds ready = new Rounds();
    final Rounds peak = new Rounds();
    final Rounds procs50 = new Rounds();
    final Rounds procs99 = new Rounds();
    final Rounds goroutines50 = new Rounds();
    final Rounds goroutines99 = new Rounds();
    final Rounds whole = new Rounds();
    final Rounds goReady = new Rounds();
    final Rounds goPeak = new Rounds();
    GoViewer.@Nullable Range goRange;
    long events;
  }

  /** The keys of what it measures, when Go is there. */
  public static List<String> keys(Effort effort) {
    List<String> keys = new ArrayList<>();
    for (TraceMaker.Kind kind : TraceMaker.Kind.values()) {
      if (!effort.peers().contains(kind.peer())) {
        continue;
      }
      List<Long> sizes = effort.traceEvents().stream().filter(n -> opens(kind, n)).toList();
      for (long events : sizes) {
        List<String> figures =
            new ArrayList<>(
                List.of(
                    "events",
                    "file",
                    "ready",
                    "peak",
                    "memory-per-file",
                    "screens/procs/p50",
                    "screens/procs/p99",
                    "screens/goroutines/p50",
                    "screens/goroutines/p99",
                    "screens/whole"));
        if (kind == TraceMaker.Kind.GO && events <= LARGE) {
          figures.addAll(
              List.of(
                  "go-tool-trace/ready",
                  "go-tool-trace/peak",
                  "go-tool-trace/range",
                  "go-tool-trace/range-bytes",
                  "go-tool-trace:gmptrace"));
        }
        figures.forEach(f -> keys.add(prefix(kind, events) + f));
      }
      for (int i = 1; i < sizes.size(); i++) {
        keys.add(growth(kind, sizes.get(i - 1), sizes.get(i)) + "ns-per-event");
        keys.add(growth(kind, sizes.get(i - 1), sizes.get(i)) + "bytes-per-event");
      }
    }
    return keys;
  }

  private static String prefix(TraceMaker.Kind kind, long events) {
    return "analyzer/%s/%dM/".formatted(kind.id(), events / 1_000_000);
  }

  private static String growth(TraceMaker.Kind kind, long from, long to) {
    return "analyzer/%s/%s/".formatted(kind.id(), Growth.span(from, to));
  }

  private static boolean opens(TraceMaker.Kind kind, long events) {
    return kind != TraceMaker.Kind.GMP_MANY || events <= LARGE;
  }

  /** Measures, prints and adds to the results. */
  public void run() throws IOException, InterruptedException {
    distribution.awaitStartupCaches(results);
    Path directory = Files.createTempDirectory("gmptrace-bench");
    TraceMaker maker = new TraceMaker(peers, directory, results);
    try {
      for (long events : effort.traceEvents().stream().sorted().toList()) {
        for (TraceMaker.Kind kind : TraceMaker.Kind.values()) {
          Path file = opens(kind, events) ? maker.make(kind, events) : null;
          if (file != null) {
            try {
              measure(kind, events, file);
            } finally {
              Files.delete(file);
            }
            results.save();
          }
        }
      }
    } finally {
      Files.delete(directory);
    }
    if (!points.isEmpty()) {
      System.out.println("\nOpening a trace, median of the rounds\n");
      System.out.println(table);
      growth();
    }
  }

  private void measure(TraceMaker.Kind kind, long events, Path file)
      throws IOException, InterruptedException {
    boolean beside =
        kind == TraceMaker.Kind.GO && peers.present().contains(PeerId.GO) && events <= LARGE;
    int rounds = events > LARGE ? 1 : Math.min(effort.rounds(), ROUNDS);
    Opened opened = new Opened();
    for (int round = 0; round < rounds; round++) {
      if (beside && round % 2 == 1) {
        goToolTrace(file, round, opened);
      }
      view(file, round, opened);
      if (beside && round % 2 == 0) {
        goToolTrace(file, round, opened);
      }
    }
    if (!opened.ready.isEmpty()) {
      report(kind, events, (double) Files.size(file), opened);
    }
  }

  private void report(TraceMaker.Kind kind, long wished, double bytes, Opened opened) {
    String prefix = prefix(kind, wished);
    Spread ready = opened.ready.spread();
    Spread peak = opened.peak.spread();
    Spread perFile =
        new Spread(
            peak.median() * 1e6 / bytes,
            peak.min() * 1e6 / bytes,
            peak.max() * 1e6 / bytes,
            peak.count());
    results.add(prefix + "events", "", Spread.of((double) opened.events));
    results.add(prefix + "file", "MB", Spread.of(bytes / 1e6));
    results.add(prefix + "ready", "ms", ready);
    results.add(prefix + "peak", "MB", peak);
    results.add(prefix + "memory-per-file", "x", perFile);
    results.add(prefix + "screens/procs/p50", "ms", opened.procs50.spread());
    results.add(prefix + "screens/procs/p99", "ms", opened.procs99.spread());
    results.add(prefix + "screens/goroutines/p50", "ms", opened.goroutines50.spread());
    results.add(prefix + "screens/goroutines/p99", "ms", opened.goroutines99.spread());
    results.add(prefix + "screens/whole", "ms", opened.whole.spread());
    List<String> cells =
        new ArrayList<>(
            List.of(
                kind.id(),
                "%.1f M".formatted(opened.events / 1e6),
                "%.0f".formatted(bytes / 1e6),
                "%.2f".formatted(ready.median() / 1e3),
                "%.0f".formatted(peak.median()),
                "%.1fx".formatted(perFile.median()),
                both(opened.procs50, opened.procs99),
                both(opened.goroutines50, opened.goroutines99),
                "%.1f".formatted(opened.whole.spread().median())));
    cells.addAll(besides(prefix, opened));
    table.row(cells);
    points
        .computeIfAbsent(kind, _ -> new ArrayList<>())
        .add(new Growth.Point(wished, opened.events, ready.median(), peak.median() * 1e6));
  }

  private static String both(Rounds p50, Rounds p99) {
    return "%.1f / %.1f".formatted(p50.spread().median(), p99.spread().median());
  }

  /** The cells of go tool trace. */
  private List<String> besides(String prefix, Opened opened) {
    Spread ratio = opened.goReady.over(opened.ready);
    if (ratio == null) {
      return List.of("", "", "", "");
    }
    results.add(prefix + "go-tool-trace/ready", "ms", opened.goReady.spread());
    results.add(prefix + "go-tool-trace/peak", "MB", opened.goPeak.spread());
    results.add(prefix + "go-tool-trace:gmptrace", "x", ratio);
    GoViewer.Range range = opened.goRange;
    if (range != null) {
      results.add(prefix + "go-tool-trace/range", "ms", Spread.of(range.millis()));
      results.add(prefix + "go-tool-trace/range-bytes", "B", Spread.of((double) range.bytes()));
    }
    return List.of(
        "%.2f".formatted(opened.goReady.spread().median() / 1e3),
        "%.0f".formatted(opened.goPeak.spread().median()),
        ratio.asRatio(),
        range == null ? "" : "%.0f".formatted(range.millis()));
  }

  private void growth() throws IOException {
    Table grown = new Table(List.of("a further event, from … to", "ns", "bytes of memory"));
    boolean any = false;
    for (var entry : points.entrySet()) {
      for (Growth g : Growth.between(entry.getValue())) {
        String key = growth(entry.getKey(), g.from(), g.to());
        results.add(key + "ns-per-event", "ns", Spread.of(g.nanosPerEvent()));
        results.add(key + "bytes-per-event", "B", Spread.of(g.bytesPerEvent()));
        grown.row(
            List.of(
                entry.getKey().id() + " " + Growth.span(g.from(), g.to()),
                "%.0f".formatted(g.nanosPerEvent()),
                "%.1f".formatted(g.bytesPerEvent())));
        any = true;
      }
    }
    if (any) {
      System.out.println(grown);
      results.save();
    }
  }

  private void view(Path file, int round, Opened opened) throws InterruptedException {
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
      List<String> procs = viewports.procLanes();
      List<String> goroutines = viewports.goroutineLanes();
      double whole = viewports.whole(procs);
      // A user's first screens compile the code; that is not the 99th percentile.
      viewports.ask(SCREENS / 4, procs);
      double[] ofProcs = viewports.ask(SCREENS, procs);
      viewports.ask(SCREENS / 4, goroutines);
      double[] ofGoroutines = viewports.ask(SCREENS, goroutines);
      opened.ready.put(round, millis);
      opened.peak.put(round, peak);
      opened.whole.put(round, whole);
      opened.procs50.put(round, ofProcs[SCREENS / 2]);
      opened.procs99.put(round, ofProcs[SCREENS * 99 / 100]);
      opened.goroutines50.put(round, ofGoroutines[SCREENS / 2]);
      opened.goroutines99.put(round, ofGoroutines[SCREENS * 99 / 100]);
    } catch (IOException e) {
      results.note("gmptrace view of " + file.getFileName() + ": " + e.getMessage());
    }
  }

  private void goToolTrace(Path file, int round, Opened opened) throws InterruptedException {
    List<String> command =
        List.of(
            String.valueOf(peers.goTool()), "tool", "trace", "-http=localhost:0", file.toString());
    Map<String, String> environment = Map.of("GOTOOLCHAIN", "local", "BROWSER", "true");
    try (Server server = Server.start(command, HERE, environment)) {
      String url = server.awaitUrl(SECONDS);
      if (url == null) {
        results.note("go tool trace did not come up for " + file.getFileName());
        return;
      }
      opened.goReady.put(round, server.millis());
      opened.goPeak.put(round, server.peakBytes() / 1e6);
      if (opened.goRange == null) { // once: it takes as long as the rest
        opened.goRange = new GoViewer(url).firstRange();
      }
    } catch (IOException e) {
      results.note("go tool trace of " + file.getFileName() + ": " + e.getMessage());
    }
  }
}
