package dev.gmptrace.bench.section;

import dev.gmptrace.bench.report.Results;
import dev.gmptrace.bench.report.Spread;
import dev.gmptrace.bench.report.Table;
import dev.gmptrace.bench.run.Child;
import dev.gmptrace.bench.run.Distribution;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** How long the command takes to say anything, and how much has to be downloaded for it. */
public final class StartupSection {
  private static final int RUNS = 10;

  private final Distribution distribution;
  private final Results results;

  /** Of that distribution. */
  public StartupSection(Distribution distribution, Results results) {
    this.distribution = distribution;
    this.results = results;
  }

  /** The keys of what it measures. */
  public static List<String> keys() {
    return List.of(
        "startup/java-version",
        "startup/version",
        "startup/help",
        "distribution/archive",
        "distribution/unpacked",
        "distribution/traced-program");
  }

  /** Measures, prints and adds to the results. */
  public void run() throws IOException, InterruptedException {
    Path here = Path.of("").toAbsolutePath();
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    String gmptrace = distribution.command().toString();
    Map<String, List<String>> commands = new LinkedHashMap<>();
    commands.put("java-version", List.of(java, "-version"));
    commands.put("version", List.of(gmptrace, "--version"));
    commands.put("help", List.of(gmptrace, "--help"));

    distribution.awaitStartupCaches(results);
    Map<String, List<Double>> millis = new LinkedHashMap<>();
    for (int run = 0; run < RUNS; run++) {
      for (var command : commands.entrySet()) {
        Child.Outcome outcome = Child.run(command.getValue(), here, Distribution.NO_TRAINING, 60);
        if (outcome.exitCode() != 0) {
          results.note(command.getKey() + " failed: " + outcome.reason());
          return;
        }
        millis.computeIfAbsent(command.getKey(), _ -> new ArrayList<>()).add(outcome.millis());
      }
    }
    Table table = new Table(List.of("start-up", "ms, median", "least–most"));
    millis.forEach((name, values) -> {
      Spread s = Spread.of(values);
      results.add("startup/" + name, "ms", s);
      table.row(
          List.of(
              String.join(" ", shown(commands.getOrDefault(name, List.of()))),
              "%.0f".formatted(s.median()),
              "%.0f–%.0f".formatted(s.min(), s.max())));
    });
    System.out.println("\n" + table);

    Table sizes = new Table(List.of("size", "MB"));
    size(sizes, "distribution/archive", "archive", distribution.archiveBytes());
    size(sizes, "distribution/unpacked", "unpacked", distribution.unpackedBytes());
    size(
        sizes,
        "distribution/traced-program",
        "what a traced program links: tracer, runtime and their libraries",
        distribution.linkedBytes());
    System.out.println(sizes);
    results.save();
  }

  private static List<String> shown(List<String> command) {
    List<String> words = new ArrayList<>(command);
    words.set(0, String.valueOf(Path.of(command.getFirst()).getFileName()));
    return words;
  }

  private void size(Table table, String key, String what, long bytes) {
    results.add(key, "MB", Spread.of(bytes / 1e6));
    table.row(List.of(what, "%.1f".formatted(bytes / 1e6)));
  }
}
