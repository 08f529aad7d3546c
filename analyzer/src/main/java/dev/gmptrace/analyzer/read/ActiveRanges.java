package dev.gmptrace.analyzer.read;

import java.util.Arrays;

/**
 * The named ranges under way on a goroutine or P: pairs of the range's begin event and what tells
 * ranges of one type apart (the kind of a stop-the-world). Nearly always empty.
 */
final class ActiveRanges {
  private static final long[] EMPTY = {};

  private long[] active = EMPTY;
  private int count;

  boolean contains(int beginType, int detail) {
    long key = key(beginType, detail);
    for (int i = 0; i < count; i++) {
      if (active[i] == key) {
        return true;
      }
    }
    return false;
  }

  void add(int beginType, int detail) {
    if (count == active.length) {
      active = Arrays.copyOf(active, Math.max(2, count * 2));
    }
    active[count++] = key(beginType, detail);
  }

  /** Ends a range of that type and returns its detail, or -1 if none is under way. */
  int end(int beginType) {
    for (int i = 0; i < count; i++) {
      if (active[i] >>> 32 == beginType) {
        int detail = (int) active[i];
        active[i] = active[--count];
        return detail;
      }
    }
    return -1;
  }

  private static long key(int beginType, int detail) {
    return (long) beginType << 32 | detail;
  }
}
