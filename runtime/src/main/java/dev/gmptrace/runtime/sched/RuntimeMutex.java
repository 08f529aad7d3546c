package dev.gmptrace.runtime.sched;

import dev.gmptrace.runtime.jdk.Jdk;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Go's runtime {@code mutex}: a lock for short critical sections of the runtime itself.
 *
 * <p>It belongs to nobody: a goroutine may lock it, park with {@link Proc#gopark}, and have its M
 * unlock it on g0. That is why {@code synchronized} or a ReentrantLock cannot take its place; they
 * belong to the virtual thread, or to the carrier. It never unmounts a waiting virtual thread
 * either (invariant G5: nobody parks with a runtime lock held): it spins, then gives the CPU away
 * on the carrier, then sleeps there.
 *
 * <p>Not reentrant. Lock order: channel and other user-level locks, then that of a timer, then
 * {@code P.timers} (two of them only with the world stopped: the one that is moved to, then the one
 * that is moved from), then {@code Sched.lock}; nothing is taken under {@code Sched.lock} but
 * {@code Sched.gfreeLock}.
 */
public class RuntimeMutex {
  private static final VarHandle STATE;

  static {
    try {
      STATE = MethodHandles.lookup().findVarHandle(RuntimeMutex.class, "state", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private static final int ACTIVE_SPINS = 64;
  private static final int YIELDS = 200;

  @SuppressWarnings("UnusedVariable") // through STATE
  private int state;

  /** Takes the lock; the caller must not park, yield or block before it unlocks. */
  public final void lock() {
    if (!STATE.compareAndSet(this, 0, 1)) {
      lockSlow();
    }
    if (HeldLocks.ON) {
      HeldLocks.took(this);
    }
  }

  /** Takes the lock if it is free now. */
  public final boolean tryLock() {
    boolean free = STATE.compareAndSet(this, 0, 1);
    if (HeldLocks.ON && free) {
      HeldLocks.took(this);
    }
    return free;
  }

  /** Frees the lock; any thread may. */
  public final void unlock() {
    if (HeldLocks.ON) {
      HeldLocks.letGo();
    }
    STATE.setRelease(this, 0);
  }

  /** Whether somebody holds it; for checks only. */
  public final boolean isLocked() {
    return (int) STATE.getAcquire(this) != 0;
  }

  private void lockSlow() {
    for (int i = 0; ; i++) {
      if ((int) STATE.getOpaque(this) == 0 && STATE.compareAndSet(this, 0, 1)) {
        return;
      }
      if (i < ACTIVE_SPINS) {
        Thread.onSpinWait();
      } else if (i < ACTIVE_SPINS + YIELDS) {
        Jdk.yieldCarrier();
      } else {
        // The holder lost its CPU, or a safepoint is on.
        Jdk.sleepCarrier(50_000);
      }
    }
  }
}
