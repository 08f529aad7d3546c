package dev.gmptrace.analyzer.read;

import java.util.Arrays;

/**
 * From the ids of one generation to the ids of the trace. Recorders hand out ids from 1 up, so a
 * plain array serves; ids that lie far apart go to a hash table instead, so that one big number in
 * a damaged file costs nothing.
 */
final class LocalIds {
  static final int UNKNOWN = -1;

  private static final int[] ONLY_ZERO = {0};
  private static final long[] NO_KEYS = {};
  private static final int[] NO_VALUES = {};
  private static final int FIRST = 64;

  // A damaged file may name any number of generations: one without tables costs nothing.
  private int[] dense = ONLY_ZERO;
  private long[] sparseKeys = NO_KEYS;
  private int[] sparseValues = NO_VALUES;
  private int sparseSize;
  private int count;
  private int otherwise = UNKNOWN;

  /** The id in the trace, or {@link #UNKNOWN}; 0 is 0. */
  int get(long local) {
    int id = local >= 0 && local < dense.length ? dense[(int) local] : sparse(local);
    return id == UNKNOWN ? otherwise : id;
  }

  /** Makes that the meaning of every id that is not there: parts of the tables were lost. */
  void orElse(int global) {
    otherwise = global;
  }

  /** Adds an id; false if it was there before. */
  boolean put(long local, int global) {
    if (get(local) != UNKNOWN) {
      return false;
    }
    count++;
    if (local >= 0 && local < dense.length) {
      dense[(int) local] = global;
    } else if (local >= 0 && local < 4L * count + 1024) {
      int old = dense.length;
      dense = Arrays.copyOf(dense, (int) Math.max(local + 1, Math.max(FIRST, old * 2L)));
      Arrays.fill(dense, old, dense.length, UNKNOWN);
      dense[(int) local] = global;
      adoptSparse();
    } else {
      putSparse(local, global);
    }
    return true;
  }

  /** Gives an id that is there another meaning. */
  void replace(long local, int global) {
    if (local >= 0 && local < dense.length) {
      dense[(int) local] = global;
      return;
    }
    int mask = sparseKeys.length - 1;
    int i = IdHash.slot(local, mask);
    while (sparseKeys[i] != local || sparseValues[i] == UNKNOWN) {
      i = (i + 1) & mask;
    }
    sparseValues[i] = global;
  }

  /** Entries that the grown array now covers must be found there. */
  private void adoptSparse() {
    for (int i = 0; i < sparseKeys.length; i++) {
      long key = sparseKeys[i];
      if (sparseValues[i] != UNKNOWN && key >= 0 && key < dense.length) {
        dense[(int) key] = sparseValues[i];
      }
    }
  }

  private int sparse(long key) {
    if (sparseSize == 0) {
      return UNKNOWN;
    }
    int mask = sparseKeys.length - 1;
    for (int i = IdHash.slot(key, mask); sparseValues[i] != UNKNOWN; i = (i + 1) & mask) {
      if (sparseKeys[i] == key) {
        return sparseValues[i];
      }
    }
    return UNKNOWN;
  }

  private void putSparse(long key, int value) {
    if ((sparseSize + 1) * 2 > sparseKeys.length) {
      long[] oldKeys = sparseKeys;
      int[] oldValues = sparseValues;
      sparseKeys = new long[Math.max(16, oldKeys.length * 2)];
      sparseValues = new int[sparseKeys.length];
      Arrays.fill(sparseValues, UNKNOWN);
      for (int i = 0; i < oldKeys.length; i++) {
        if (oldValues[i] != UNKNOWN) {
          insert(oldKeys[i], oldValues[i]);
        }
      }
    }
    insert(key, value);
    sparseSize++;
  }

  private void insert(long key, int value) {
    int mask = sparseKeys.length - 1;
    int i = IdHash.slot(key, mask);
    while (sparseValues[i] != UNKNOWN) {
      i = (i + 1) & mask;
    }
    sparseKeys[i] = key;
    sparseValues[i] = value;
  }
}
