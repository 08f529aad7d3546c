package dev.gmptrace.analyzer.model;

import java.util.Arrays;

/**
 * An append-only column of whole numbers, each block of {@value #BLOCK} only as wide as its values
 * need.
 *
 * <p>What a trace says about neighbouring events is alike: the times are close, the same few
 * goroutines and reasons take turns. So a full block keeps its least value and, for each value, the
 * distance from it in as many bits as the largest distance takes, none at all when all are equal.
 *
 * <pre>
 *   base    [ least value of the block, 64 bits ]            one a block
 *   place   [ first word, 57 bits | bits a value, 7 bits ]   one a block
 *   words   [ v0 | v1 | v2 | v3 | v4 ...                ]    a block of w bits takes 4 w words
 * </pre>
 *
 * A value that starts near the end of a word goes on in the next. Any value is found in constant
 * time, which is why neither deltas nor variable-length numbers are used. The block that is being
 * filled is kept plain.
 */
public final class PackedColumn {
  static final int BLOCK = 256;
  private static final int SHIFT = 8;
  private static final int MASK = BLOCK - 1;
  private static final int FIRST = 16;
  private static final int WIDTH_BITS = 7;
  private static final int WIDTH_MASK = (1 << WIDTH_BITS) - 1;
  private static final int CHUNK_SHIFT = 13;

  /** Words of a chunk. A block never spans two, so no more than a chunk is ever copied. */
  private static final int CHUNK = 1 << CHUNK_SHIFT;

  private long[] base = new long[0];
  private long[] place = new long[0];
  private long[][] words = new long[0][];
  private int chunks;

  /** Words used of the last chunk. */
  private int used;

  private int sealed;
  private long[] tail = new long[FIRST];
  private int size;

  /** Number of values. */
  public int size() {
    return size;
  }

  /** The value at {@code i}. */
  public long get(int i) {
    int b = i >>> SHIFT;
    int o = i & MASK;
    if (b >= sealed) {
      return tail[o];
    }
    long where = place[b];
    int width = (int) where & WIDTH_MASK;
    if (width == 0) {
      return base[b];
    }
    int bit = o * width;
    long word = (where >>> WIDTH_BITS) + (bit >>> 6);
    long[] chunk = words[(int) (word >>> CHUNK_SHIFT)];
    int k = (int) word & (CHUNK - 1);
    // Shift counts are taken modulo 64: what is left of the value stands low in the next word.
    long v = chunk[k] >>> bit | chunk[k + 1] << 1 << ~bit;
    return base[b] + (v & mask(width));
  }

  /**
   * Unpacks the values of a block: {@code b * BLOCK} and following. Several times cheaper than
   * getting each.
   *
   * @return how many there are, fewer than {@link #BLOCK} in the last one
   */
  int block(int b, long[] into) {
    if (b >= sealed) {
      int n = size & MASK;
      System.arraycopy(tail, 0, into, 0, n);
      return n;
    }
    int width = (int) place[b] & WIDTH_MASK;
    long least = base[b];
    if (width == 0) {
      Arrays.fill(into, 0, BLOCK, least);
      return BLOCK;
    }
    long word = place[b] >>> WIDTH_BITS;
    long[] chunk = words[(int) (word >>> CHUNK_SHIFT)];
    int first = (int) word & (CHUNK - 1);
    long mask = mask(width);
    for (int i = 0, bit = 0; i < BLOCK; i++, bit += width) {
      int k = first + (bit >>> 6);
      into[i] = least + ((chunk[k] >>> bit | chunk[k + 1] << 1 << ~bit) & mask);
    }
    return BLOCK;
  }

  /** The value at {@code i} of a column that was only given {@code int}s. */
  public int getInt(int i) {
    return (int) get(i);
  }

  private static long mask(int width) {
    return width == 64 ? -1 : (1L << width) - 1;
  }

  /** Appends a value. */
  public void add(long value) {
    int o = size++ & MASK;
    if (o == tail.length) {
      tail = Arrays.copyOf(tail, Math.min(BLOCK, o * 4));
    }
    tail[o] = value;
    if (o == MASK) {
      seal();
    }
  }

  private void seal() {
    long[] t = tail;
    long min = t[0];
    long max = t[0];
    for (int i = 1; i < BLOCK; i++) {
      min = Math.min(min, t[i]);
      max = Math.max(max, t[i]);
    }
    int width = 64 - Long.numberOfLeadingZeros(max - min);
    if (sealed == base.length) {
      int n = Math.max(4, sealed * 2);
      base = Arrays.copyOf(base, n);
      place = Arrays.copyOf(place, n);
    }
    base[sealed] = min;
    if (width > 0) {
      place[sealed] = room(width * (BLOCK / 64)) << WIDTH_BITS | width;
      pack(t, min, width, words[chunks - 1], used);
      used += width * (BLOCK / 64);
    }
    sealed++;
  }

  /** Makes room for that many words and returns where it is. */
  private long room(int n) {
    if (chunks == 0 || used + n > CHUNK) {
      if (chunks == words.length) {
        words = Arrays.copyOf(words, Math.max(1, chunks * 2));
      }
      // A word more than is used, because reading a value always looks at the next word too.
      words[chunks] = new long[(chunks == 0 ? n : CHUNK) + 1];
      chunks++;
      used = 0;
    } else if (used + n >= words[chunks - 1].length) {
      words[chunks - 1] = Arrays.copyOf(words[chunks - 1], Math.min(CHUNK, (used + n) * 2) + 1);
    }
    return (long) (chunks - 1) << CHUNK_SHIFT | used;
  }

  private static void pack(long[] values, long min, int width, long[] into, int at) {
    long word = 0;
    int filled = 0;
    for (int i = 0; i < BLOCK; i++) {
      long v = values[i] - min;
      word |= v << filled;
      filled += width;
      if (filled >= 64) {
        into[at++] = word;
        filled -= 64;
        // The bits that did not fit; none when the value ended with the word.
        word = filled == 0 ? 0 : v >>> (width - filled);
      }
    }
  }

  /**
   * Of a column that never falls: the first index whose value is at least {@code value}; {@link
   * #size()} when there is none.
   */
  public int lowerBound(long value) {
    int lo = 0;
    int hi = sealed;
    while (lo < hi) {
      int mid = (lo + hi) >>> 1;
      if (base[mid] < value) {
        lo = mid + 1;
      } else {
        hi = mid;
      }
    }
    // The last block that begins below it holds the border, or the border is where it ends.
    int i = Math.max(0, lo - 1) << SHIFT;
    int stop = lo == sealed ? size : lo << SHIFT;
    while (i < stop) {
      int mid = (i + stop) >>> 1;
      if (get(mid) < value) {
        i = mid + 1;
      } else {
        stop = mid;
      }
    }
    return i;
  }

  /** Bytes held, for the memory report. */
  public long bytes() {
    long n = 8L * (base.length + place.length + tail.length);
    for (int c = 0; c < chunks; c++) {
      n += 8L * words[c].length;
    }
    return n;
  }
}
