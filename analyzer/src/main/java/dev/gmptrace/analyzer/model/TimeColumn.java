package dev.gmptrace.analyzer.model;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * An append-only column of rising times. A chunk keeps its first time and, for each value, the
 * unsigned 32-bit distance from it: four bytes instead of eight. A chunk that spans more than 4.29
 * seconds (a quiet trace) is kept as plain longs instead.
 */
public final class TimeColumn {
  private static final int SHIFT = 14;
  private static final int CHUNK = 1 << SHIFT;
  private static final int MASK = CHUNK - 1;
  private static final int FIRST = 64;
  private static final long MAX_DISTANCE = 0xffff_ffffL;

  private int[] @Nullable [] near = new int[4][];
  private long[] @Nullable [] far = new long[4][];
  private long[] base = new long[4];
  private int size;

  /** Number of values. */
  public int size() {
    return size;
  }

  /** The time at {@code i}. */
  public long get(int i) {
    int c = i >>> SHIFT;
    int[] chunk = near[c];
    return chunk != null ? base[c] + (chunk[i & MASK] & MAX_DISTANCE) : farAt(c, i & MASK);
  }

  private long farAt(int c, int o) {
    long[] chunk = far[c];
    if (chunk == null) {
      throw new IndexOutOfBoundsException("no time at " + ((c << SHIFT) + o) + " of " + size);
    }
    return chunk[o];
  }

  /** Appends a time that is not before the last one. */
  public void add(long time) {
    int i = size;
    int c = i >>> SHIFT;
    int o = i & MASK;
    if (o == 0) {
      startChunk(c, time);
    }
    int[] chunk = near[c];
    if (chunk != null) {
      long distance = time - base[c];
      if (distance <= MAX_DISTANCE) {
        if (o == chunk.length) {
          chunk = near[c] = Arrays.copyOf(chunk, Math.min(CHUNK, o * 4));
        }
        chunk[o] = (int) distance;
        size = i + 1;
        return;
      }
      widen(c, o, chunk);
    }
    long[] wide = far[c];
    if (wide == null) {
      throw new IllegalStateException("chunk " + c + " has neither form");
    }
    if (o == wide.length) {
      wide = far[c] = Arrays.copyOf(wide, Math.min(CHUNK, o * 4));
    }
    wide[o] = time;
    size = i + 1;
  }

  private void startChunk(int c, long time) {
    if (c == base.length) {
      near = Arrays.copyOf(near, c * 2);
      far = Arrays.copyOf(far, c * 2);
      base = Arrays.copyOf(base, c * 2);
    }
    base[c] = time;
    near[c] = new int[c == 0 ? FIRST : CHUNK];
  }

  private void widen(int c, int used, int[] chunk) {
    long[] wide = new long[Math.max(FIRST, chunk.length)];
    for (int k = 0; k < used; k++) {
      wide[k] = base[c] + (chunk[k] & MAX_DISTANCE);
    }
    far[c] = wide;
    near[c] = null;
  }

  /** The first index whose time is not before {@code time}; {@link #size()} when there is none. */
  public int lowerBound(long time) {
    return lowerBound(time, 0, size);
  }

  /** As {@link #lowerBound(long)} within {@code [lo, hi)}. */
  public int lowerBound(long time, int lo, int hi) {
    while (lo < hi) {
      int mid = (lo + hi) >>> 1;
      if (get(mid) < time) {
        lo = mid + 1;
      } else {
        hi = mid;
      }
    }
    return lo;
  }

  /** Bytes held, for the memory report. */
  public long bytes() {
    long n = base.length * 8L;
    for (int c = 0; c < base.length; c++) {
      int[] a = near[c];
      long[] b = far[c];
      n += (a == null ? 0 : a.length * 4L) + (b == null ? 0 : b.length * 8L);
    }
    return n;
  }
}
