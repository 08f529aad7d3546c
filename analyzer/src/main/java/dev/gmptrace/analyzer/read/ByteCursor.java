package dev.gmptrace.analyzer.read;

import java.util.Arrays;

/** Reads the structural parts of a trace from a range of bytes, and never past its end. */
final class ByteCursor {
  private final byte[] bytes;
  private final int end;
  private final long base;
  private int pos;

  /** Bytes {@code from} to {@code to} of an array whose first byte has that offset in the file. */
  ByteCursor(byte[] bytes, int from, int to, long fileOffsetOfArray) {
    this.bytes = bytes;
    this.pos = from;
    this.end = to;
    this.base = fileOffsetOfArray;
  }

  boolean hasMore() {
    return pos < end;
  }

  int remaining() {
    return end - pos;
  }

  long offset() {
    return base + pos;
  }

  void skip(int n) {
    pos += n;
  }

  int u8() throws DamageException {
    if (pos >= end) {
      throw damage("cut off");
    }
    return bytes[pos++] & 0xff;
  }

  void expect(int type, String what) throws DamageException {
    int found = u8();
    if (found != type) {
      throw damage("expected a " + what + ", found event type " + found);
    }
  }

  long uvarint() throws DamageException {
    long v = 0;
    for (int shift = 0; shift <= 63; shift += 7) {
      if (pos >= end) {
        throw damage("a number is cut off");
      }
      int b = bytes[pos++];
      if (shift == 63 && (b & 0xfe) != 0) {
        break;
      }
      v |= (b & 0x7fL) << shift;
      if (b >= 0) {
        return v;
      }
    }
    throw damage("a number has more than 64 bits");
  }

  byte[] bytes(int length) {
    byte[] b = Arrays.copyOfRange(bytes, pos, pos + length);
    pos += length;
    return b;
  }

  DamageException damage(String message) {
    return new DamageException(offset(), message);
  }
}
