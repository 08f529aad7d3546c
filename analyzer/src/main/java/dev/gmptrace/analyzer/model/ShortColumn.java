package dev.gmptrace.analyzer.model;

import java.util.Arrays;

/**
 * An append-only column of {@code short} in chunks. A column that doubled its array would hold
 * three times its size for a moment; this one never copies more than a chunk, and its first chunk
 * starts small because many traces are.
 */
public final class ShortColumn {
  private static final int SHIFT = 16;
  private static final int CHUNK = 1 << SHIFT;
  private static final int MASK = CHUNK - 1;
  private static final int FIRST = 64;

  private short[][] chunks = new short[4][];
  private int size;

  /** Number of values. */
  public int size() {
    return size;
  }

  /** The value at {@code i}. */
  public short get(int i) {
    return chunks[i >>> SHIFT][i & MASK];
  }

  /** Appends a value. */
  public void add(short value) {
    int i = size;
    int c = i >>> SHIFT;
    int o = i & MASK;
    short[] chunk = o == 0 ? fresh(c) : chunks[c];
    if (o == chunk.length) {
      chunk = chunks[c] = Arrays.copyOf(chunk, Math.min(CHUNK, o * 4));
    }
    chunk[o] = value;
    size = i + 1;
  }

  /** Overwrites the value at {@code i}. */
  public void set(int i, short value) {
    chunks[i >>> SHIFT][i & MASK] = value;
  }

  private short[] fresh(int c) {
    if (c == chunks.length) {
      chunks = Arrays.copyOf(chunks, c * 2);
    }
    short[] chunk = new short[c == 0 ? FIRST : CHUNK];
    chunks[c] = chunk;
    return chunk;
  }

  /** Bytes held, for the memory report. */
  public long bytes() {
    long n = 0;
    for (short[] c : chunks) {
      n += c == null ? 0 : (long) c.length * 2;
    }
    return n;
  }
}
