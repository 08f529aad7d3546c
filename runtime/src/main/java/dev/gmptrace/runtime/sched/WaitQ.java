package dev.gmptrace.runtime.sched;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A FIFO of waiting goroutines, under the lock of the primitive that it belongs to. Go's {@code
 * waitq}.
 */
@SuppressWarnings("ReferenceEquality") // nodes are identities
public final class WaitQ {
  private static final VarHandle FIRST;

  static {
    try {
      FIRST = MethodHandles.lookup().findVarHandle(WaitQ.class, "first", Sudog.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private @Nullable Sudog first;
  private @Nullable Sudog last;

  /** An empty queue. */
  public WaitQ() {}

  /** To the end. */
  public void enqueue(Sudog sg) {
    Sudog l = last;
    if (sg.prev != l) { // most often both are null
      sg.prev = l;
    }
    if (l == null) {
      first = sg;
    } else {
      l.next = sg;
    }
    last = sg;
  }

  /** To the front. */
  public void push(Sudog sg) {
    Sudog f = first;
    sg.prev = null;
    sg.next = f;
    if (f == null) {
      last = sg;
    } else {
      f.prev = sg;
    }
    first = sg;
  }

  /**
   * Takes off the first goroutine that still waits. One that waits for several things and was woken
   * by another of them is dropped on the way.
   */
  public @Nullable Sudog dequeue() {
    for (; ; ) {
      Sudog sg = first;
      if (sg == null) {
        return null;
      }
      Sudog n = sg.next;
      first = n;
      if (n == null) {
        last = null;
      } else {
        n.prev = null;
        sg.next = null;
      }
      Waiter w = sg.waiter;
      if (w == null || w.claim(sg.ticket)) {
        return sg;
      }
    }
  }

  /** The first; it stays in. */
  public @Nullable Sudog peek() {
    return first;
  }

  /** Takes {@code sg} off, wherever it is; nothing happens when it was taken off before. */
  public void remove(Sudog sg) {
    Sudog p = sg.prev;
    Sudog n = sg.next;
    if (p == null) {
      if (first != sg) {
        return;
      }
      first = n;
    } else {
      p.next = n;
    }
    if (n == null) {
      last = p;
    } else {
      n.prev = p;
    }
    sg.prev = null;
    sg.next = null;
  }

  /** Whether {@code gp} is in line and nobody has claimed its wait; for checks. */
  public boolean holds(G gp) {
    for (Sudog sg = last; sg != null; sg = sg.prev) {
      if (sg.g == gp && sg.isOpen()) {
        return true;
      }
    }
    return false;
  }

  /** The lock of a primitive that has one queue. */
  public static final class Lock extends RuntimeMutex implements WaitPlace {
    private final WaitQ queue;

    /** A lock to guard {@code queue}. */
    public Lock(WaitQ queue) {
      this.queue = queue;
    }

    @Override
    public boolean waits(G gp) {
      return queue.holds(gp);
    }
  }

  /** Whether nobody waits. */
  public boolean isEmpty() {
    return first == null;
  }

  /** The same without the lock: true of some moment during the call. */
  public boolean isEmptyOpaque() {
    return FIRST.getOpaque(this) == null;
  }
}
