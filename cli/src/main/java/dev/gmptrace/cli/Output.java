package dev.gmptrace.cli;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;

/** What a command prints: buffered, in UTF-8, with emphasis where the terminal can show it. */
final class Output implements Appendable, AutoCloseable {
  private final Writer writer;
  private final Style style;

  Output(Terminal terminal) {
    writer =
        new BufferedWriter(new OutputStreamWriter(terminal.out(), StandardCharsets.UTF_8), 1 << 16);
    style = terminal.colorsOut() ? Style.ANSI : Style.PLAIN;
  }

  /** How to emphasise on this output. */
  Style style() {
    return style;
  }

  @Override
  public Output append(CharSequence text) {
    return append(text, 0, text.length());
  }

  @Override
  public Output append(CharSequence text, int start, int end) {
    try {
      writer.append(text, start, end);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return this;
  }

  @Override
  public Output append(char c) {
    try {
      writer.append(c);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return this;
  }

  Output line(CharSequence text) {
    return append(text).append('\n');
  }

  void flush() {
    try {
      writer.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    flush();
  }
}
