package dev.gmptrace.runtime;

import dev.gmptrace.runtime.sched.FatalError;
import dev.gmptrace.runtime.sched.Foreign;
import dev.gmptrace.runtime.sched.G;
import dev.gmptrace.runtime.sched.Proc;
import dev.gmptrace.runtime.sched.Sched;
import dev.gmptrace.runtime.sched.Sema;
import dev.gmptrace.runtime.sched.WaitReason;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Go's {@code sync.Mutex}. It belongs to nobody: one goroutine may lock it and another unlock it.
 * Not reentrant.
 *
 * <pre>{@code
 * mu.lock();
 * try { … } finally { mu.unlock(); }      // or: mu.with(() -> …)
 * }</pre>
 *
 * <h2>Fairness</h2>
 *
 * In <b>normal mode</b> waiters queue up in order, but one that is woken does not own the mutex: it
 * competes with those that just arrive, which have the advantage of being on a CPU already. That
 * keeps throughput high. A waiter that loses for more than a millisecond switches the mutex to
 * <b>starvation mode</b>: now unlock hands the mutex to the first in the queue, and newcomers do
 * not try but queue up at the end. The mode ends with a waiter that is the last, or that waited
 * less than a millisecond.
 *
 * <pre>
 *   state:  | waiters (29 bits) | starving | woken | locked |
 *   locked    somebody holds it
 *   woken     a waiter is awake and competes, so unlock need not wake another
 *   starving  starvation mode
 * </pre>
 */
public final class Mutex implements Locker {
  private static final int LOCKED = 1;
  private static final int WOKEN = 2;
  private static final int STARVING = 4;
  private static final int WAITER = 8;
  private static final int WAITER_SHIFT = 3;
  private static final long STARVATION_NANOS = 1_000_000;

  private static final VarHandle STATE;

  static {
    try {
      STATE = MethodHandles.lookup().findVarHandle(Mutex.class, "state", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  @SuppressWarnings("UnusedVariable") // through STATE
  private volatile int state;

  private final Sema sema = new Sema();

  /** An unlocked mutex. */
  public Mutex() {}

  /** Locks it, waiting until it is free. */
  @Override
  public void lock() {
    lock(WaitReason.SYNC_MUTEX_LOCK);
  }

  void lock(WaitReason reason) {
    if (!STATE.compareAndSet(this, 0, LOCKED)) {
      lockContended(reason);
    }
  }

  /** Locks it if it is free and nobody has a better right to it. */
  public boolean tryLock() {
    int old = state;
    return (old & (LOCKED | STARVING)) == 0 && STATE.compareAndSet(this, old, old | LOCKED);
  }

  /**
   * Frees it; any goroutine may.
   *
   * @throws FatalError "sync: unlock of unlocked mutex"
   */
  @Override
  public void unlock() {
    int now = (int) STATE.getAndAdd(this, -LOCKED) - LOCKED;
    if (now != 0) {
      unlockSlow(now);
    }
  }

  /** Runs {@code body} with the mutex locked. */
  public void with(Runnable body) {
    lock();
    try {
      body.run();
    } finally {
      unlock();
    }
  }

  private void lockContended(WaitReason reason) {
    G gp = Proc.enter();
    if (gp == null) {
      if (!tryLock()) {
        Foreign.call(Go.sched(), () -> lock(reason));
      }
      return;
    }
    lockSlow(gp, reason);
  }

  private void lockSlow(G gp, WaitReason reason) {
    long waitStart = 0;
    boolean starving = false;
    boolean awoke = false;
    int spins = 0;
    int old = state;
    for (; ; ) {
      // No spinning in starvation mode: the mutex would not be ours anyway.
      if ((old & (LOCKED | STARVING)) == LOCKED && Sema.canSpin(gp, spins)) {
        // Tell unlock not to wake others.
        if (!awoke
            && (old & WOKEN) == 0
            && old >>> WAITER_SHIFT != 0
            && STATE.compareAndSet(this, old, old | WOKEN)) {
          awoke = true;
        }
        Sema.doSpin();
        spins++;
        old = state;
        continue;
      }
      int wish = old;
      if ((old & STARVING) == 0) {
        wish |= LOCKED;
      }
      if ((old & (LOCKED | STARVING)) != 0) {
        wish += WAITER;
      }
      // Starvation mode only while somebody holds it: unlock expects waiters then.
      if (starving && (old & LOCKED) != 0) {
        wish |= STARVING;
      }
      if (awoke) {
        if ((wish & WOKEN) == 0) {
          throw new FatalError("sync: inconsistent mutex state");
        }
        wish &= ~WOKEN;
      }
      if (!STATE.compareAndSet(this, old, wish)) {
        old = state;
        continue;
      }
      if ((old & (LOCKED | STARVING)) == 0) {
        return;
      }
      boolean queuedBefore = waitStart != 0;
      if (!queuedBefore) {
        waitStart = Sched.nanotime();
      }
      sema.acquire(gp, queuedBefore, reason);
      starving = starving || Sched.nanotime() - waitStart > STARVATION_NANOS;
      old = state;
      if ((old & STARVING) != 0) {
        // It was handed to us, though LOCKED is not set and we still count as a waiter.
        if ((old & (LOCKED | WOKEN)) != 0 || old >>> WAITER_SHIFT == 0) {
          throw new FatalError("sync: inconsistent mutex state");
        }
        int delta = LOCKED - WAITER;
        if (!starving || old >>> WAITER_SHIFT == 1) {
          delta -= STARVING;
        }
        int _ = (int) STATE.getAndAdd(this, delta);
        return;
      }
      awoke = true;
      spins = 0;
    }
  }

  private void unlockSlow(int now) {
    if (((now + LOCKED) & LOCKED) == 0) {
      int _ = (int) STATE.getAndAdd(this, LOCKED);
      throw new FatalError("sync: unlock of unlocked mutex");
    }
    if ((now & STARVING) != 0) {
      // Straight to the first waiter, who runs at once. LOCKED is not set, but newcomers see
      // STARVING and leave it alone.
      sema.release(true);
      return;
    }
    int old = now;
    for (; ; ) {
      // Nobody waits, or somebody else is awake or has it already: nothing to do.
      if (old >>> WAITER_SHIFT == 0 || (old & (LOCKED | WOKEN | STARVING)) != 0) {
        return;
      }
      if (STATE.compareAndSet(this, old, (old - WAITER) | WOKEN)) {
        sema.release(false);
        return;
      }
      old = state;
    }
  }

  /** Whether it is in starvation mode right now; to be looked at, not to be relied on. */
  public boolean isStarving() {
    return (state & STARVING) != 0;
  }

  @Override
  public String toString() {
    int s = state;
    return "Mutex("
        + ((s & LOCKED) != 0 ? "locked" : "unlocked")
        + ((s & STARVING) != 0 ? ", starving" : "")
        + (s >>> WAITER_SHIFT > 0 ? ", " + (s >>> WAITER_SHIFT) + " waiting)" : ")");
  }
}
