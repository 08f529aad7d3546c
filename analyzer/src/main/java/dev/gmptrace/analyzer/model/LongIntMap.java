package dev.gmptrace.analyzer.model;

import dev.gmptrace.analyzer.read.IdHash;
import java.util.Arrays;

/** From a {@code long} id to a dense index: open addressing, linear probing, no boxing. */
final class LongIntMap {
  static final int ABSENT = -1;

  private long[] keys = new long[16];
  private int[] values = new int[16];
  private int size;

  LongIntMap() {
    Arrays.fill(values, ABSENT);
  }

  int size() {
    return size;
  }

  int get(long key) {
    int mask = values.length - 1;
    for (int i = IdHash.slot(key, mask); ; i = (i + 1) & mask) {
      int v = values[i];
      if (v == ABSENT || keys[i] == key) {
        return v;
      }
    }
  }

  /** Maps {@code key}, which must be absent, to {@code value}, which must not be negative. */
  void put(long key, int value) {
    if (size * 2 >= values.length) {
      grow();
    }
    insert(key, value);
    size++;
  }

  private void insert(long key, int value) {
    int mask = values.length - 1;
    int i = IdHash.slot(key, mask);
    while (values[i] != ABSENT) {
      i = (i + 1) & mask;
    }
    keys[i] = key;
    values[i] = value;
  }

  private void grow() {
    long[] oldKeys = keys;
    int[] oldValues = values;
    keys = new long[oldKeys.length * 2];
    values = new int[oldValues.length * 2];
    Arrays.fill(values, ABSENT);
    for (int i = 0; i < oldKeys.length; i++) {
      if (oldValues[i] != ABSENT) {
        insert(oldKeys[i], oldValues[i]);
      }
    }
  }
}
