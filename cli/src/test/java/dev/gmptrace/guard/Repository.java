package dev.gmptrace.guard;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Where the checkout is that the tests run in. */
final class Repository {
  private Repository() {}

  static Path root() {
    for (Path dir = Path.of("").toAbsolutePath(); dir != null; dir = dir.getParent()) {
      if (Files.exists(dir.resolve("settings.gradle.kts"))) {
        return dir;
      }
    }
    throw new IllegalStateException(
        "no settings.gradle.kts above "
            + Path.of("").toAbsolutePath()
            + "; run tests in the checkout");
  }

  static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
