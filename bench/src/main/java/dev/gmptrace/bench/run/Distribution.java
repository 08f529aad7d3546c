package dev.gmptrace.bench.run;

import dev.gmptrace.bench.report.Results;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The {@code gmptrace} command as its users get it, from the build of the module cli. */
public final class Distribution {
  /** For commands that are measured: they use a start-up cache, and do not train one meanwhile. */
  public static final Map<String, String> NO_TRAINING = Map.of("GMPTRACE_AOT", "off");

  private static final int CACHE_SECONDS = 180;

  private final Path home;
  private final Path archive;

  private Distribution(Path home, Path archive) {
    this.home = home;
    this.archive = archive;
  }

  /**
   * What the last build made.
   *
   * @param bench the directory {@code bench}
   */
  public static Distribution find(Path bench) throws IOException {
    Path target = bench.toAbsolutePath().resolveSibling("cli").resolve("target");
    try (Stream<Path> files = Files.list(target)) {
      Path archive =
          files
              .filter(f -> f.toString().endsWith(".tar.gz"))
              .findFirst()
              .orElseThrow(() -> new IOException("no distribution in " + target));
      String name = String.valueOf(archive.getFileName()).replace(".tar.gz", "");
      return new Distribution(target.resolve(name).resolve(name), archive);
    }
  }

  /** The command. */
  public Path command() {
    return home.resolve("bin/gmptrace");
  }

  /**
   * A start makes its kind's cache in the background, and a user has it after that. So one command
   * of each kind is started, and waited for what it makes; nothing is measured meanwhile.
   */
  public void awaitStartupCaches(Results results) throws IOException, InterruptedException {
    Map<String, List<String>> starts =
        Map.of(
            "quick",
            List.of(command().toString(), "--version"),
            "full",
            List.of(command().toString(), "stats", home.resolve("lib/training.trace").toString()));
    for (var start : starts.entrySet()) {
      Child.run(start.getValue(), home, Map.of("GMPTRACE_AOT", "on"), 60);
      long begin = System.nanoTime();
      while (!hasCache(start.getKey())) {
        if (System.nanoTime() - begin > CACHE_SECONDS * 1_000_000_000L) {
          results.note(
              "no start-up cache for %s commands after %d s: they are measured without"
                  .formatted(start.getKey(), CACHE_SECONDS));
          break;
        }
        Thread.sleep(100);
      }
    }
  }

  /** Whether this build's cache of that kind is there and none is being made. */
  private boolean hasCache(String kind) throws IOException {
    String prefix =
        "gmptrace-" + Files.readString(home.resolve("lib/build-id")).strip() + "-" + kind + "-";
    try (Stream<Path> files = Files.list(home.resolve("lib"))) {
      List<String> names = files.map(f -> String.valueOf(f.getFileName())).toList();
      return names.stream().anyMatch(n -> n.startsWith(prefix) && n.endsWith(".aot"))
          && names.stream().noneMatch(n -> n.endsWith(".making"));
    }
  }

  /** What is downloaded. */
  public long archiveBytes() throws IOException {
    return Files.size(archive);
  }

  /** What is on the disk then, without the start-up cache. */
  public long unpackedBytes() throws IOException {
    return bytes(f -> !f.endsWith(".aot"));
  }

  /** The part of it that ends up in a program that is traced. */
  public long linkedBytes() throws IOException {
    return bytes(f ->
        Stream.of("gmptrace-tracer", "gmptrace-runtime", "jctools", "protobuf", "jspecify")
            .anyMatch(f::startsWith));
  }

  private long bytes(Predicate<String> name) throws IOException {
    try (Stream<Path> files = Files.walk(home)) {
      return files
          .filter(Files::isRegularFile)
          .filter(f -> name.test(String.valueOf(f.getFileName())))
          .mapToLong(f -> f.toFile().length())
          .sum();
    }
  }
}
