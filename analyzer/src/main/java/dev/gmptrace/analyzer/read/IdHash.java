package dev.gmptrace.analyzer.read;

import java.util.SplittableRandom;

/**
 * Where an id goes in a table of open addressing. The factor is drawn anew by every process: with a
 * known one, a file could be made whose ids all fall into one place, and reading it would take
 * quadratic time.
 */
public final class IdHash {
  private static final long FACTOR = new SplittableRandom().nextLong() | 1;
  private static final long GOLDEN = 0x9E3779B97F4A7C15L;

  private IdHash() {}

  /** The first slot to look into, of a table of {@code mask + 1} slots, a power of two. */
  public static int slot(long key, int mask) {
    long h = key * FACTOR;
    // The high half first, or ids that differ only there would still meet.
    h = (h ^ h >>> 32) * GOLDEN;
    return (int) (h >>> 32) & mask;
  }
}
