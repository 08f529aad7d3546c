package dev.gmptrace.runtime.sched;

import org.jspecify.annotations.Nullable;

/**
 * A G that wants to leave its M but cannot, because a native frame on its stack pins it there.
 *
 * <p>It becomes a locked G for as long as that lasts: it gives the P away and sleeps on the M's
 * note, still mounted; who picks it from a run queue finds it locked and hands its P over, exactly
 * as for LockOSThread. So pinning costs a thread, never a P.
 */
final class Pinned {
  private Pinned() {}

  /** gopark for a pinned G, on its own stack. */
  static void park(G gp) {
    M m = mOf(gp);
    m.acquire();
    gp.leaving = G.STAYS;
    Syscalls.leftInSyscallIfAny(m, gp);
    UnlockFunction unlockf = gp.waitunlockf;
    Object lock = gp.waitlock;
    gp.waitunlockf = null;
    gp.waitlock = null;
    Trace.goBlock(m, gp);
    lockPair(m, gp);
    gp.setStatusRelease(G.RUNNING, G.WAITING);
    if (m.sched.check) {
      Check.parked(gp, lock);
    }
    if (unlockf != null && !unlockf.unlock(gp, lock)) {
      gp.setStatusRelease(G.WAITING, G.RUNNABLE);
      Trace.goUnblock(m, gp);
      if (m.p == null) {
        m.sched.globrunqputLocked(gp);
        Threads.wakep(m.sched, m);
        sleepForP(m, gp);
      }
    } else {
      sleepForP(m, gp);
    }
    resume(m, gp);
  }

  /** Gosched, preemption or the end of a syscall without a P for a pinned G. */
  static void yieldInPlace(G gp) {
    M m = mOf(gp);
    m.acquire();
    gp.leaving = G.STAYS;
    Syscalls.leftInSyscallIfAny(m, gp);
    if (m.p != null) {
      Trace.goStop(m, gp, false, false);
    }
    lockPair(m, gp);
    gp.setStatusRelease(G.RUNNING, G.RUNNABLE);
    m.sched.globrunqputLocked(gp);
    Threads.wakep(m.sched, m);
    sleepForP(m, gp);
    resume(m, gp);
  }

  private static void lockPair(M m, G gp) {
    gp.lockedInt++;
    gp.lockedm = m;
    m.lockedg = gp;
    m.curg = null;
    gp.m = null;
  }

  private static void sleepForP(M m, G gp) {
    if (m.sched.check) {
      Check.schedule(m);
    }
    if (!Threads.stoplockedm(m)) {
      // Its stack is still on the thread, which ends when that is unwound.
      m.curg = gp;
      gp.m = m;
      gp.setStatusRelease(gp.status(), G.RUNNING);
      m.release();
      throw new FatalError("the scheduler was shut down");
    }
  }

  private static void resume(M m, G gp) {
    m.curg = gp;
    gp.m = m;
    gp.setStatusRelease(G.RUNNABLE, G.RUNNING);
    Trace.goStart(m, gp);
    m.attended(M.ATTENTION_PREEMPT);
    m.p().schedtick++;
    gp.lockedInt--;
    if (gp.lockedExt == 0 && gp.lockedInt == 0) {
      gp.lockedm = null;
      m.lockedg = null;
    }
    m.release();
    if (m.takeInterrupt()) {
      Thread.currentThread().interrupt();
    }
  }

  private static M mOf(G gp) {
    @Nullable M m = gp.m;
    if (m == null) {
      throw new FatalError("goroutine " + gp.goid() + " is pinned but on no M");
    }
    return m;
  }
}
