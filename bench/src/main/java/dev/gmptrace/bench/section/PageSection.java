package dev.gmptrace.bench.section;

import dev.gmptrace.bench.report.Results;
import dev.gmptrace.bench.report.Spread;
import dev.gmptrace.bench.report.Table;
import dev.gmptrace.bench.run.Child;
import dev.gmptrace.bench.run.Distribution;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The viewer's page in a browser: runs {@code viewer-web/bench} and takes over its figures. */
public final class PageSection {
  private static final JsonMapper JSON = new JsonMapper();
  private static final int SECONDS = 900;

  /** A figure: its key, its unit, and where it stands in what the script prints. */
  private record Figure(String key, String what, String unit, String pointer) {}

  private static final List<Figure> FIGURES =
      List.of(
          new Figure("page/events", "events of the trace", "", "/events"),
          new Figure("page/goroutines", "goroutines", "", "/goroutines"),
          new Figure("page/first-paint", "first paint", "ms", "/firstPaintMs"),
          new Figure("page/usable", "usable, the trace is open", "ms", "/usableMs"),
          new Figure("page/tiles/p50", "tile request, p50", "ms", "/tilesMs/wall/p50"),
          new Figure("page/tiles/p99", "tile request, p99", "ms", "/tilesMs/wall/p99"),
          new Figure("page/tiles-best/p99", "best of three, p99", "ms", "/tilesMs/best/p99"),
          new Figure(
              "page/frame-procs/p95",
              "work of a frame while panning Ps, p95",
              "ms",
              "/processorView/work/p95"),
          new Figure(
              "page/frame-goroutines/p95",
              "the same with goroutines, p95",
              "ms",
              "/goroutineView/work/p95"),
          new Figure(
              "page/frame-procs/cpu",
              "CPU time of a frame, Ps",
              "ms",
              "/processorView/cpuPerFrame"),
          new Figure(
              "page/frame-goroutines/cpu",
              "CPU time of a frame, goroutines",
              "ms",
              "/goroutineView/cpuPerFrame"),
          new Figure("page/heap", "JavaScript heap after that", "MiB", "/heapMiB"));

  private final Path home;
  private final Distribution distribution;
  private final Results results;

  /** Of the page in the checkout around {@code home}, the directory {@code bench}. */
  public PageSection(Path home, Distribution distribution, Results results) {
    this.home = home;
    this.distribution = distribution;
    this.results = results;
  }

  /** The keys of what it measures. */
  public static List<String> keys() {
    return FIGURES.stream().map(Figure::key).toList();
  }

  /** Measures, prints and adds to the results; only notes it when there is no browser. */
  public void run() throws IOException, InterruptedException {
    String browser = browser(System.getenv());
    if (browser == null) {
      results.note("the page is left out: no Chromium found; GMPTRACE_BROWSER can name one");
      return;
    }
    distribution.awaitStartupCaches(results);
    Map<String, String> environment = new HashMap<>(Distribution.NO_TRAINING);
    environment.put("GMPTRACE_BROWSER", browser);
    Path root = home.toAbsolutePath().resolveSibling("viewer-web");
    Child.Outcome outcome =
        Child.run(List.of(root.resolve("bench").toString(), "--json"), root, environment, SECONDS);
    String json = outcome.output().stream().filter(l -> l.startsWith("{")).findFirst().orElse(null);
    if (outcome.exitCode() != 0 || json == null) {
      results.note("the page could not be measured: " + outcome.reason());
      return;
    }
    Table table = new Table(List.of("the page", "measured", "unit"));
    JsonNode figures = JSON.readTree(json);
    for (Figure f : FIGURES) {
      JsonNode value = figures.at(f.pointer);
      if (value.isNumber()) {
        results.add(f.key, f.unit, Spread.of(value.asDouble()));
        table.row(List.of(f.what, "%.1f".formatted(value.asDouble()), f.unit));
      } else {
        results.note("no figure for " + f.key);
      }
    }
    System.out.println("\n" + table);
    results.save();
  }

  private static @Nullable String browser(Map<String, String> environment) {
    String named = environment.get("GMPTRACE_BROWSER");
    if (named != null) {
      return named;
    }
    return Stream.of("chromium", "chromium-browser", "google-chrome")
        .flatMap(name ->
            Stream.of(environment.getOrDefault("PATH", "").split(File.pathSeparator))
                .map(dir -> Path.of(dir, name)))
        .filter(Files::isExecutable)
        .map(Path::toString)
        .findFirst()
        .orElse(null);
  }
}
