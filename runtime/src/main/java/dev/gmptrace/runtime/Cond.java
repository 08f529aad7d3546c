package dev.gmptrace.runtime;

import dev.gmptrace.runtime.sched.Foreign;
import dev.gmptrace.runtime.sched.G;
import dev.gmptrace.runtime.sched.Proc;
import dev.gmptrace.runtime.sched.Sudog;
import dev.gmptrace.runtime.sched.UnlockFunction;
import dev.gmptrace.runtime.sched.WaitQ;
import dev.gmptrace.runtime.sched.WaitReason;

/**
 * Go's {@code sync.Cond}: wait, with a lock released meanwhile, until somebody says that something
 * has changed. First come, first woken; nobody wakes without being woken.
 *
 * <pre>{@code
 * mu.lock();
 * while (!condition) cond.await();
 * …
 * mu.unlock();
 * }</pre>
 */
public final class Cond {
  private static final long COMING = 0;
  private static final long PARKED = 1;
  private static final long NOTIFIED = 2;

  private final Locker locker;
  private final WaitQ waiters = new WaitQ();
  private final WaitQ.Lock lock = new WaitQ.Lock(waiters);

  /** A condition of what {@code locker} guards. */
  public Cond(Locker locker) {
    this.locker = locker;
  }

  /**
   * Unlocks, waits to be woken, locks again. The caller holds the lock; else this throws what
   * unlocking it throws.
   */
  public void await() {
    G gp = Proc.enter();
    if (gp == null) {
      Foreign.call(Go.sched(), this::await);
      return;
    }
    // In line before the lock is released, so that who changes the condition after that will
    // find this waiter, parked or on its way.
    Sudog sg = Sudog.acquire(gp);
    sg.count = COMING;
    lock.lock();
    waiters.enqueue(sg);
    lock.unlock();
    try {
      locker.unlock();
    } catch (Throwable t) {
      leave(sg); // the caller did not hold the lock
      throw t;
    }
    lock.lock();
    if (sg.count == NOTIFIED) {
      lock.unlock();
    } else {
      sg.count = PARKED;
      Proc.gopark(gp, UnlockFunction.UNLOCK, lock, WaitReason.SYNC_COND_WAIT);
    }
    Sudog.release(sg);
    locker.lock();
  }

  /** Gives up its place in line; a signal that has come meanwhile is for the next. */
  private void leave(Sudog sg) {
    lock.lock();
    boolean signalled = sg.count == NOTIFIED;
    if (!signalled) {
      waiters.remove(sg);
    }
    lock.unlock();
    Sudog.release(sg);
    if (signalled) {
      signal();
    }
  }

  /** Wakes the one who has waited longest, if any. The caller may hold the lock or not. */
  public void signal() {
    lock.lock();
    Sudog sg = waiters.dequeue();
    boolean parked = sg != null && notified(sg);
    lock.unlock();
    if (sg != null && parked) {
      Proc.goready(sg.waitingG());
    }
  }

  /** Wakes all who wait. */
  public void broadcast() {
    Sudog woken = null;
    Sudog last = null;
    lock.lock();
    for (Sudog sg; (sg = waiters.dequeue()) != null; ) {
      if (notified(sg)) {
        if (last == null) {
          woken = sg;
        } else {
          Sudog _ = last.chain(sg);
        }
        last = sg;
      }
    }
    lock.unlock();
    while (woken != null) {
      Sudog rest = woken.unchain();
      Proc.goready(woken.waitingG());
      woken = rest;
    }
  }

  /** Whether it must be readied; one still on its way will see the note itself. */
  private static boolean notified(Sudog sg) {
    boolean parked = sg.count == PARKED;
    sg.count = NOTIFIED;
    return parked;
  }
}
