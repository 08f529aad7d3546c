package dev.gmptrace.runtime.sched;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * Standard error for the runtime's own threads. {@code System.err} may have been set to anything by
 * the program: its code would run on sysmon, and its locks be waited for, by the one thread that
 * everybody else relies on.
 */
final class StandardError {
  static final PrintStream STREAM =
      new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8);

  private StandardError() {}

  /** All of it in one write, so that lines of others do not come in between. */
  static void print(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    STREAM.write(bytes, 0, bytes.length);
  }
}
