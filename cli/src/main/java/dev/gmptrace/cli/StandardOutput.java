package dev.gmptrace.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;

/**
 * Standard output that knows that its reader may go. A closed pipe ({@code gmptrace events t |
 * head}) ends the command quietly, by {@link Closed}; any other failure, such as a full disk, is an
 * error.
 */
final class StandardOutput extends OutputStream {
  /** The reader of our output has gone; nobody wants the rest. */
  static final class Closed extends RuntimeException {
    Closed() {
      super("output closed", null, false, false);
    }
  }

  private final OutputStream out;
  private final Runnable before;
  private volatile boolean atLineStart = true;

  /** {@code before} is run before anything is written. */
  StandardOutput(OutputStream out, Runnable before) {
    this.out = out;
    this.before = before;
  }

  boolean atLineStart() {
    return atLineStart;
  }

  @Override
  public void write(int b) {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] b) {
    write(b, 0, b.length);
  }

  @Override
  public void write(byte[] b, int offset, int length) {
    if (length > 0) {
      before.run();
      atLineStart = b[offset + length - 1] == '\n';
    }
    try {
      out.write(b, offset, length);
    } catch (IOException e) {
      throw failed(e);
    }
  }

  @Override
  public void flush() {
    try {
      out.flush();
    } catch (IOException e) {
      throw failed(e);
    }
  }

  private static RuntimeException failed(IOException e) {
    String message = String.valueOf(e.getMessage());
    return message.contains("Broken pipe")
        ? new Closed()
        : new UncheckedIOException("cannot write the output: " + message, e);
  }
}
