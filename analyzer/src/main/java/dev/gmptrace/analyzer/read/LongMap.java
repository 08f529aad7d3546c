package dev.gmptrace.analyzer.read;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A map from longs to objects without boxing: open addressing, linear probing, and deletion by
 * moving later entries of the probe chain back, so that no tombstones pile up while millions of
 * goroutines come and go.
 */
final class LongMap<V> {
  private long[] keys;
  private @Nullable Object[] values;
  private int mask;
  private int size;

  LongMap() {
    keys = new long[16];
    values = new Object[16];
    mask = 15;
  }

  private int slot(long key) {
    return IdHash.slot(key, mask);
  }

  @SuppressWarnings("unchecked")
  @Nullable V get(long key) {
    int i = slot(key);
    Object v;
    while ((v = values[i]) != null) {
      if (keys[i] == key) {
        return (V) v;
      }
      i = (i + 1) & mask;
    }
    return null;
  }

  void put(long key, V value) {
    int i = slot(key);
    while (values[i] != null) {
      if (keys[i] == key) {
        values[i] = value;
        return;
      }
      i = (i + 1) & mask;
    }
    keys[i] = key;
    values[i] = value;
    if (++size * 2 > mask) {
      grow();
    }
  }

  void remove(long key) {
    int hole = slot(key);
    while (true) {
      if (values[hole] == null) {
        return;
      }
      if (keys[hole] == key) {
        break;
      }
      hole = (hole + 1) & mask;
    }
    size--;
    int i = hole;
    while (true) {
      i = (i + 1) & mask;
      if (values[i] == null) {
        break;
      }
      // An entry may fill the hole unless its home lies cyclically in (hole, i].
      int home = slot(keys[i]);
      boolean stays = hole <= i ? hole < home && home <= i : hole < home || home <= i;
      if (!stays) {
        keys[hole] = keys[i];
        values[hole] = values[i];
        hole = i;
      }
    }
    values[hole] = null;
  }

  int size() {
    return size;
  }

  /** The values, in no particular order. */
  @SuppressWarnings("unchecked")
  java.util.List<V> values() {
    return (java.util.List<V>) Arrays.stream(values).filter(v -> v != null).toList();
  }

  private void grow() {
    long[] oldKeys = keys;
    @Nullable Object[] oldValues = values;
    keys = new long[oldKeys.length * 2];
    values = new Object[oldKeys.length * 2];
    mask = keys.length - 1;
    for (int j = 0; j < oldKeys.length; j++) {
      Object v = oldValues[j];
      if (v != null) {
        int i = slot(oldKeys[j]);
        while (values[i] != null) {
          i = (i + 1) & mask;
        }
        keys[i] = oldKeys[j];
        values[i] = v;
      }
    }
  }
}
