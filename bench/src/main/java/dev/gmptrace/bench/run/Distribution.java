package dev.gmptrace.bench.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The {@code gmptrace} command as its users get it, from the build of the module cli. */
public final class Distribution {
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
   * The first start makes a cache in the background that later starts use; a user has it after
   * that, so it is waited for.
   */
  public void awaitStartupCache() throws IOException, InterruptedException {
    Child.run(List.of(command().toString(), "--version"), home, Map.of(), 60);
    for (int i = 0; i < 300 && !hasCache(); i++) {
      Thread.sleep(100);
    }
  }

  private boolean hasCache() throws IOException {
    try (Stream<Path> files = Files.list(home.resolve("lib"))) {
      return files.anyMatch(f -> f.toString().endsWith(".aot"));
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
