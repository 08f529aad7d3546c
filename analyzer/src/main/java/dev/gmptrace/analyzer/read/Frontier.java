package dev.gmptrace.analyzer.read;

import java.util.Arrays;
import java.util.Comparator;

/**
 * The streams of a generation that still have events, as a binary min-heap by the time of the event
 * they stand at.
 *
 * <p>When stamps are equal, the layout of the heap decides who goes first, and it must decide as
 * Go's does for our output to equal theirs: a child rises only past a strictly later parent, an
 * entry sinks towards the strictly earliest of itself and its children (the left one first), and a
 * removed entry leaves through the root.
 *
 * <p>Sorting is stable. Go's sort is so only up to twelve entries; with more threads than that, and
 * equal stamps among those which cannot go on, Go's order of the equal ones is an accident of its
 * quicksort, and ours may differ from it.
 */
final class Frontier {
  private static final int INSERTION_LIMIT = 32;
  private static final Comparator<EventStream> BY_TIME = (a, b) -> Long.compare(a.time, b.time);

  private EventStream[] heap = new EventStream[16];
  private int size;

  int size() {
    return size;
  }

  EventStream get(int i) {
    return heap[i];
  }

  void add(EventStream stream) {
    if (size == heap.length) {
      heap = Arrays.copyOf(heap, size * 2);
    }
    heap[size] = stream;
    rise(size++);
  }

  /** Puts entry i right after its time has changed. */
  void update(int i) {
    if (rise(i) == i) {
      sink(i);
    }
  }

  void remove(int i) {
    while (i > 0) {
      int parent = (i - 1) / 2;
      swap(parent, i);
      i = parent;
    }
    swap(0, --size);
    sink(0);
  }

  void clear() {
    Arrays.fill(heap, 0, size, null);
    size = 0;
  }

  /** Sorts all entries by time, which leaves a heap a heap. */
  void sort() {
    if (size > INSERTION_LIMIT) {
      Arrays.sort(heap, 0, size, BY_TIME);
      return;
    }
    EventStream[] h = heap;
    for (int i = 1; i < size; i++) {
      EventStream s = h[i];
      int j = i;
      while (j > 0 && h[j - 1].time > s.time) {
        h[j] = h[j - 1];
        j--;
      }
      h[j] = s;
    }
  }

  private int rise(int i) {
    EventStream[] h = heap;
    while (i > 0) {
      int parent = (i - 1) / 2;
      if (h[parent].time <= h[i].time) {
        break;
      }
      swap(parent, i);
      i = parent;
    }
    return i;
  }

  private void sink(int i) {
    EventStream[] h = heap;
    while (true) {
      int first = i;
      int left = 2 * i + 1;
      int right = left + 1;
      if (left < size && h[left].time < h[first].time) {
        first = left;
      }
      if (right < size && h[right].time < h[first].time) {
        first = right;
      }
      if (first == i) {
        return;
      }
      swap(i, first);
      i = first;
    }
  }

  private void swap(int i, int j) {
    EventStream s = heap[i];
    heap[i] = heap[j];
    heap[j] = s;
  }
}
