package dev.gmptrace.runtime.sched;

import org.jspecify.annotations.Nullable;

/**
 * The semaphore under the locks of {@code sync}: Go's semacquire and semrelease. Waiters are served
 * in their order, and a permit that is released while somebody waits goes straight to the first; it
 * cannot be snatched by one who comes along.
 */
public final class Sema extends RuntimeMutex implements WaitPlace {
  private static final int ACTIVE_SPIN = 4;
  private static final int SPIN_PAUSES = 30;
  private static final int CPUS = Runtime.getRuntime().availableProcessors();

  private int permits;
  private @Nullable Sudog first;
  private @Nullable Sudog last;

  /** Without permits. */
  public Sema() {}

  /**
   * Takes a permit, waiting for one if need be.
   *
   * @param gp the caller
   * @param lifo whether to wait in front of the others, for one who has waited before
   */
  public void acquire(G gp, boolean lifo, WaitReason reason) {
    lock();
    if (permits > 0) {
      permits--;
      unlock();
      return;
    }
    Sudog sg = Sudog.acquire(gp);
    Sudog f = first;
    if (f == null) {
      first = sg;
      last = sg;
    } else if (lifo) {
      sg.next = f;
      first = sg;
    } else {
      Sudog l = last;
      if (l != null) {
        l.next = sg;
      }
      last = sg;
    }
    Proc.gopark(gp, UnlockFunction.UNLOCK, this, reason);
    Sudog.release(sg);
  }

  /**
   * Gives a permit, to the first who waits or for later.
   *
   * @param handoff the caller stands back so that the one it wakes can run at once
   */
  public void release(boolean handoff) {
    lock();
    Sudog sg = first;
    if (sg == null) {
      permits++;
      unlock();
      return;
    }
    Sudog n = sg.next;
    first = n;
    if (n == null) {
      last = null;
    }
    sg.next = null;
    unlock();
    Proc.goready(sg.waitingG());
    if (handoff) {
      Proc.gosched();
    }
  }

  @Override
  public boolean waits(G gp) {
    for (Sudog sg = first; sg != null; sg = sg.next) {
      if (sg.g == gp) {
        return true;
      }
    }
    return false;
  }

  /** Whether it can pay to spin for a lock: others run, and nobody waits for this P. */
  public static boolean canSpin(G gp, int iteration) {
    if (iteration >= ACTIVE_SPIN || CPUS <= 1) {
      return false;
    }
    Sched s = gp.sched;
    if (s.gomaxprocs <= s.npidle.get() + s.nmspinning.get() + 1) {
      return false;
    }
    M m = gp.m;
    P pp = m == null ? null : m.p;
    return pp != null && pp.runq.isEmpty();
  }

  /** One round of spinning. */
  public static void doSpin() {
    for (int i = 0; i < SPIN_PAUSES; i++) {
      Thread.onSpinWait();
    }
  }
}
