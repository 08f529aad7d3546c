package dev.gmptrace.cli;

import java.nio.file.Files;
import java.nio.file.Path;

/** Checks of files that are to be written, made before the work rather than after it. */
final class TraceFiles {
  private TraceFiles() {}

  static void checkWritable(Path file) {
    Path dir = file.toAbsolutePath().getParent();
    if (Files.isDirectory(file)) {
      throw CliException.usage(file + " is a directory; name a file to write");
    }
    if (dir != null && !Files.isDirectory(dir)) {
      throw CliException.usage(dir + ": no such directory");
    }
    if (dir != null && !Files.isWritable(Files.exists(file) ? file : dir)) {
      throw CliException.usage(file + " cannot be written: permission denied");
    }
  }
}
