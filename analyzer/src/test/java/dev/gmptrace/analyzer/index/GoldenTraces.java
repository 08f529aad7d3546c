package dev.gmptrace.analyzer.index;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** The committed traces, each opened once. */
public final class GoldenTraces {
  private static final Map<String, Trace> OPEN = new ConcurrentHashMap<>();

  private GoldenTraces() {}

  /** Go's traces that can be opened, by name. */
  public static List<String> go() {
    try (Stream<Path> files = Files.list(Path.of("src/test/resources/go-traces"))) {
      return files
          .map(f -> f.getFileName().toString())
          .filter(f -> f.endsWith(".trace"))
          .map(f -> f.substring(0, f.length() - ".trace".length()))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Those of Go, and of gmp with and without losses. */
  static List<String> all() {
    return Stream.concat(go().stream(), Stream.of("simulated.bin", "lossy.bin")).toList();
  }

  /** Where a trace is; those of gmp end in {@code .bin}. */
  public static Path path(String name) {
    if (name.endsWith(".bin")) {
      return Path.of("src/test/resources/gmp-traces", name);
    }
    return Path.of("src/test/resources/go-traces", name + ".trace");
  }

  /** An opened trace. */
  public static Trace open(String name) {
    return OPEN.computeIfAbsent(name, n -> Trace.open(path(n)));
  }
}
