package dev.gmptrace.analyzer.print;

import dev.gmptrace.analyzer.read.TraceTables;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/**
 * UTF-8 text on its way out, without an object per number or per piece of text. Printing twelve
 * million events is mostly this.
 */
public final class TextOut implements AutoCloseable {
  private static final int BUFFER = 64 << 10;
  private static final int LONGEST_NUMBER = 20;

  private final OutputStream out;
  private final byte[] buffer = new byte[BUFFER];
  private int length;

  /** Writes to a stream; it is flushed and left open by {@link #close}. */
  public TextOut(OutputStream out) {
    this.out = out;
  }

  /** Appends text. */
  public TextOut text(String s) {
    int n = s.length();
    if (n > BUFFER / 4) {
      bytes(s.getBytes(StandardCharsets.UTF_8));
      return this;
    }
    room(n);
    int start = length;
    for (int i = 0; i < n; i++) {
      char c = s.charAt(i);
      if (c >= 0x80) {
        length = start;
        bytes(s.getBytes(StandardCharsets.UTF_8));
        return this;
      }
      buffer[length++] = (byte) c;
    }
    return this;
  }

  /** Appends a string of a trace, byte for byte. */
  public TextOut text(TraceTables tables, int string) {
    byte[] raw = tables.raw(string);
    if (raw == null) {
      return text(tables.string(string));
    }
    bytes(raw);
    return this;
  }

  /** Appends a string of a trace as {@link #quoted(String)} does; bytes that are no text as \\x. */
  public TextOut quoted(TraceTables tables, int string) {
    byte[] raw = tables.raw(string);
    if (raw == null) {
      return quoted(tables.string(string));
    }
    put('"');
    for (int at = 0; at < raw.length; ) {
      int length = Utf8.length(raw, at);
      if (length == 0) {
        text(String.format("\\x%02x", raw[at++]));
      } else {
        escaped(new String(raw, at, length, StandardCharsets.UTF_8).codePointAt(0));
        at += length;
      }
    }
    return put('"');
  }

  /** Appends one ASCII character. */
  public TextOut put(char c) {
    room(1);
    buffer[length++] = (byte) c;
    return this;
  }

  /** Appends a signed number. */
  public TextOut number(long v) {
    if (v < 0) {
      if (v == Long.MIN_VALUE) {
        return text("-9223372036854775808");
      }
      put('-');
      v = -v;
    }
    room(LONGEST_NUMBER);
    int digits = 1;
    for (long x = v; x >= 10; x /= 10) {
      digits++;
    }
    for (int i = length + digits - 1; i >= length; i--) {
      buffer[i] = (byte) ('0' + v % 10);
      v /= 10;
    }
    length += digits;
    return this;
  }

  /** Appends an unsigned number. */
  public TextOut unsigned(long v) {
    return v >= 0 ? number(v) : text(Long.toUnsignedString(v));
  }

  /** Appends an unsigned number in hexadecimal. */
  public TextOut hex(long v) {
    room(16);
    int shift = Math.max(0, (63 - Long.numberOfLeadingZeros(v)) / 4 * 4);
    for (; shift >= 0; shift -= 4) {
      buffer[length++] = (byte) Character.forDigit((int) (v >>> shift) & 15, 16);
    }
    return this;
  }

  /** Appends text in double quotes, with what cannot be printed escaped as Go's %q does. */
  public TextOut quoted(String s) {
    put('"');
    boolean plain = true;
    for (int i = 0; i < s.length() && plain; i++) {
      char c = s.charAt(i);
      plain = c >= ' ' && c < 0x7f && c != '"' && c != '\\';
    }
    if (plain) {
      text(s);
    } else {
      s.codePoints().forEach(this::escaped);
    }
    return put('"');
  }

  private void escaped(int c) {
    switch (c) {
      case '"' -> text("\\\"");
      case '\\' -> text("\\\\");
      case 0x07 -> text("\\a");
      case '\b' -> text("\\b");
      case '\f' -> text("\\f");
      case '\n' -> text("\\n");
      case '\r' -> text("\\r");
      case '\t' -> text("\\t");
      case 0x0b -> text("\\v");
      default -> {
        if (printable(c)) {
          text(Character.toString(c));
        } else if (c < ' ' || c == 0x7f) {
          text(String.format("\\x%02x", c));
        } else if (c < 0x10000) {
          text(String.format("\\u%04x", c));
        } else {
          text(String.format("\\U%08x", c));
        }
      }
    }
  }

  /** As Go sees it: letters, marks, numbers, punctuation, symbols, and of the spaces only one. */
  private static boolean printable(int c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.PRIVATE_USE,
          Character.UNASSIGNED,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          false;
      case Character.SPACE_SEPARATOR -> c == ' ';
      default -> true;
    };
  }

  /** Appends a line's end. */
  public TextOut line() {
    return put('\n');
  }

  private void bytes(byte[] b) {
    int at = 0;
    while (at < b.length) {
      room(1);
      int n = Math.min(b.length - at, BUFFER - length);
      System.arraycopy(b, at, buffer, length, n);
      at += n;
      length += n;
    }
  }

  private void room(int n) {
    if (BUFFER - length < n) {
      write();
    }
  }

  private void write() {
    try {
      out.write(buffer, 0, length);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    length = 0;
  }

  /** Hands everything to the stream. */
  public void flush() {
    write();
    try {
      out.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    flush();
  }
}
