package dev.gmptrace.runtime.sched;

import java.util.Arrays;

/**
 * The timers of a P: a 4-ary heap by time, then by order of starting, so timers of one instant fire
 * in the order they were set. The M that holds the P runs them; an M that looks for work runs those
 * of others on its last round, and the last idle M sleeps only until the earliest.
 *
 * <p>A timer is popped under the lock and its function runs outside it. So a {@code stop} either
 * finds it in the heap, and then it never fires, or does not, and then it has fired or is firing.
 *
 * <p>{@link Timer#ts} is read without the lock, to find the lock. So it is null only while the
 * timer is not pending: one that ticks on stays in its place in the heap, and one that moves to
 * another heap goes there without a moment in none. (A null in between would let a stop say "was
 * not pending" and have the timer come back after it, and a reset put it into two heaps.)
 */
final class Timers {
  final RuntimeMutex lock = new RuntimeMutex();
  private final Sched sched;
  private Timer[] heap = new Timer[16];
  private int size;
  private long orders;

  /** When the first is due; 0 when there is none. Written under the lock. */
  private volatile long minWhen;

  Timers(Sched sched) {
    this.sched = sched;
  }

  boolean hasAny() {
    return minWhen != 0;
  }

  int size() {
    return size;
  }

  /** When the first timer is due, 0 for none. */
  long wakeTime() {
    return minWhen;
  }

  void add(Timer t) {
    lock.lock();
    insert(t);
    boolean first = heap[0] == t;
    long when = t.when;
    lock.unlock();
    if (first) {
      sched.netpoll.wakeFor(when);
    }
  }

  private void insert(Timer t) {
    if (size == heap.length) {
      heap = Arrays.copyOf(heap, size * 2);
    }
    t.order = orders++;
    t.ts = this;
    t.index = size;
    heap[size++] = t;
    siftUp(t.index);
    minWhen = heap[0].when;
  }

  /** Under lock. */
  void remove(Timer t) {
    int i = t.index;
    t.index = -1;
    Timer last = heap[--size];
    heap[size] = null;
    if (last != t) {
      heap[i] = last;
      last.index = i;
      siftDown(i);
      siftUp(last.index);
    }
    minWhen = size == 0 ? 0 : heap[0].when;
    t.ts = null; // last: from here on a reset may put it elsewhere
  }

  /**
   * Runs what is due, on the calling M.
   *
   * @return when the next is due, 0 for none
   */
  long check(M m) {
    long min = minWhen;
    if (min == 0) {
      return 0;
    }
    long now = Sched.nanotime();
    if (now < min) {
      return min;
    }
    lock.lock();
    for (; ; ) {
      Timer t = size == 0 ? null : heap[0];
      if (t == null || t.when > now) {
        break;
      }
      long seq = t.seq;
      long due = t.when;
      if (t.period > 0) {
        // The next tick on the grid; ticks that nobody had time for are dropped, as in Go.
        long next = due + t.period * (1 + (now - due) / t.period);
        t.when = next < 0 ? Long.MAX_VALUE : next;
        t.order = orders++;
        siftDown(0);
        minWhen = heap[0].when;
      } else {
        remove(t);
      }
      lock.unlock();
      m.ranTimers++;
      Trace.timerFired(m, now - due);
      t.fire.fire(t.arg, seq, now);
      lock.lock();
    }
    min = minWhen;
    lock.unlock();
    return min;
  }

  /**
   * Moves all timers to {@code to}. The world is stopped, so nobody else holds the locks of two
   * heaps; but threads that are no Ms go on, and may stop and reset timers of either.
   */
  void moveTo(Timers to) {
    to.lock.lock();
    lock.lock();
    Timer[] all = Arrays.copyOf(heap, size);
    Arrays.sort(
        all,
        (a, b) -> a.when != b.when ? Long.compare(a.when, b.when) : Long.compare(a.order, b.order));
    Arrays.fill(heap, 0, size, null);
    size = 0;
    minWhen = 0;
    for (Timer t : all) {
      to.insert(t); // takes ts from here to there in one step
    }
    lock.unlock();
    to.lock.unlock();
  }

  private static boolean before(Timer a, Timer b) {
    return a.when != b.when ? a.when < b.when : a.order < b.order;
  }

  private void siftUp(int start) {
    int i = start;
    Timer t = heap[i];
    while (i > 0) {
      int up = (i - 1) / 4;
      if (!before(t, heap[up])) {
        break;
      }
      heap[i] = heap[up];
      heap[i].index = i;
      i = up;
    }
    heap[i] = t;
    t.index = i;
  }

  private void siftDown(int start) {
    int i = start;
    Timer t = heap[i];
    for (; ; ) {
      int first = i * 4 + 1;
      if (first >= size) {
        break;
      }
      int best = first;
      for (int k = first + 1; k < Math.min(first + 4, size); k++) {
        if (before(heap[k], heap[best])) {
          best = k;
        }
      }
      if (!before(heap[best], t)) {
        break;
      }
      heap[i] = heap[best];
      heap[i].index = i;
      i = best;
    }
    heap[i] = t;
    t.index = i;
  }
}
