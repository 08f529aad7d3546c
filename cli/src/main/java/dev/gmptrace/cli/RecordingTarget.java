package dev.gmptrace.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import org.jspecify.annotations.Nullable;

/**
 * The file that a program is to record into. We leave it alone: the program's own recorder empties
 * it when it begins to write, so a command that does not get that far, mistyped for instance, costs
 * nobody the trace that was there. Whether there is a new one is told by comparing before and
 * after.
 */
final class RecordingTarget {
  private record Stamp(long size, FileTime modified, @Nullable Object key) {}

  private final Path file;
  private final @Nullable Stamp before;

  private RecordingTarget(Path file, @Nullable Stamp before) {
    this.file = file;
    this.before = before;
  }

  /** Before the program starts; refuses a file that cannot become a trace. */
  static RecordingTarget of(Path file) throws IOException {
    TraceFiles.checkWritable(file);
    if (Files.exists(file) && !Files.isRegularFile(file)) {
      throw CliException.usage(file + " is not a regular file; name a file to write");
    }
    return new RecordingTarget(file, stamp(file));
  }

  private static @Nullable Stamp stamp(Path file) throws IOException {
    if (!Files.exists(file)) {
      return null;
    }
    var a = Files.readAttributes(file, BasicFileAttributes.class);
    return new Stamp(a.size(), a.lastModifiedTime(), a.fileKey());
  }

  /** The name that the program is told, whatever its working directory. */
  Path absolute() {
    return file.toAbsolutePath();
  }

  /** After the program has ended: sums up what it recorded and returns the exit code for that. */
  int report(Terminal terminal, int code) throws IOException {
    Stamp after = stamp(file);
    if (after == null || after.size() == 0 || after.equals(before)) {
      throw CliException.problem(
          "the program left no trace"
              + (code == 0 ? "; does it use the runtime?" : "; it ended with exit code " + code)
              + (after != null && after.equals(before) ? "; " + file + " is as it was" : ""));
    }
    return Summary.print(terminal, file);
  }
}
