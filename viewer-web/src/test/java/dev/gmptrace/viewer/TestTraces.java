package dev.gmptrace.viewer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** The traces the tests look at: the analyzer's golden ones, cut ones, made-up ones. */
final class TestTraces {
  private TestTraces() {}

  static Path golden(String name) {
    Path path = Path.of("..", "analyzer", "src", "test", "resources", "go-traces", name);
    if (!Files.isReadable(path)) {
      path = Path.of("analyzer", "src", "test", "resources", "go-traces", name);
    }
    return path;
  }

  /** A golden trace without its last bytes, as a program that was killed leaves it. */
  static Path cut(String name, double keep, Path directory) throws IOException {
    byte[] bytes = Files.readAllBytes(golden(name));
    Path path = directory.resolve("cut-" + name);
    return Files.write(path, Arrays.copyOf(bytes, (int) (bytes.length * keep)));
  }
}
