package dev.gmptrace.runtime.sched;

import org.jspecify.annotations.Nullable;

/**
 * Free {@link Sudog}s of a P, so that a park allocates nothing. Goroutines take a node on one P and
 * may give it back on another; a P that collects too many passes half of them to a central list,
 * and one that runs out takes a batch from there. Beyond its limit the central list lets go, so a
 * burst of a million waiters does not stay in memory.
 */
final class SudogCache {
  private static final int LOCAL_MAX = 128;
  private static final int CENTRAL_MAX = 8192;

  private static final RuntimeMutex CENTRAL_LOCK = new RuntimeMutex();
  private static @Nullable Sudog central;
  private static int centralCount;

  // Belongs to the M that holds the P.
  private @Nullable Sudog free;
  private int count;

  Sudog get() {
    Sudog sg = free;
    if (sg == null) {
      refill();
      sg = free;
      if (sg == null) {
        return new Sudog();
      }
    }
    free = sg.next;
    count--;
    sg.next = null;
    return sg;
  }

  void put(Sudog sg) {
    sg.next = free;
    free = sg;
    if (++count == LOCAL_MAX) {
      spill();
    }
  }

  private void refill() {
    CENTRAL_LOCK.lock();
    while (count < LOCAL_MAX / 2) {
      Sudog sg = central;
      if (sg == null) {
        break;
      }
      central = sg.next;
      centralCount--;
      sg.next = free;
      free = sg;
      count++;
    }
    CENTRAL_LOCK.unlock();
  }

  private void spill() {
    CENTRAL_LOCK.lock();
    while (count > LOCAL_MAX / 2) {
      Sudog sg = free;
      if (sg == null) {
        break;
      }
      free = sg.next;
      count--;
      if (centralCount < CENTRAL_MAX) {
        sg.next = central;
        central = sg;
        centralCount++;
      } else {
        sg.next = null;
      }
    }
    CENTRAL_LOCK.unlock();
  }
}
