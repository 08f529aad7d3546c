package dev.gmptrace.runtime.sched;

import dev.gmptrace.tracer.record.StackOn;
import org.jspecify.annotations.Nullable;

/**
 * The scheduler as a goroutine sees it: getg, gopark, goready, Gosched. Channels, mutexes, timers
 * and the network are written on these.
 */
@SuppressWarnings("ReferenceEquality") // constants and identities
public final class Proc {
  private Proc() {}

  /** The goroutine that calls; null on a thread that is none. Costs a few loads. */
  public static @Nullable G getg() {
    M m = M.current();
    return m == null ? null : m.curg;
  }

  /**
   * The goroutine that calls, null on a thread that is none, after it gave way if it had to. For
   * the entry of every operation of the runtime.
   */
  public static @Nullable G enter() {
    M m = M.current();
    if (m == null) {
      return null;
    }
    G gp = m.curg; // the same after it gave way, though on another M maybe
    if ((m.attention() & M.ATTENTION_PREEMPT) != 0) {
      checkPreempt(m);
    }
    return gp;
  }

  /** The scheduler of the calling goroutine; null outside. */
  public static @Nullable Sched currentSched() {
    M m = M.current();
    return m == null || m.curg == null ? null : m.sched;
  }

  /**
   * Parks the calling goroutine until {@link #goready}. The caller has put {@code gp} on a wait
   * queue under some lock and still holds it; {@code unlockf} releases it after {@code gp} is off
   * its M.
   *
   * @param gp the calling goroutine
   * @param unlockf run on g0 once {@code gp} is WAITING; null for nothing to do
   * @param lock given to {@code unlockf}
   */
  public static void gopark(
      G gp, @Nullable UnlockFunction unlockf, @Nullable Object lock, WaitReason reason) {
    if (gp.waitunlockf != unlockf) { // a store of a reference costs more than a look
      gp.waitunlockf = unlockf;
    }
    gp.waitlock = lock;
    if (gp.waitreason != reason) {
      gp.waitreason = reason;
    }
    Sched s = gp.sched;
    if (s.tracer.wantsStacks()) {
      gp.traceStack = s.tracer.stack(StackOn.BLOCK);
    }
    gp.leaving = G.PARKS;
    Thread.yield();
    if (gp.leaving != G.STAYS) {
      Pinned.park(gp);
    }
  }

  /** Parks and releases a {@link RuntimeMutex}. */
  public static void goparkunlock(G gp, RuntimeMutex lock, WaitReason reason) {
    gopark(gp, UnlockFunction.UNLOCK, lock, reason);
  }

  /**
   * Makes a parked goroutine runnable: next on the caller's P, or on the global queue when the
   * caller has none. Exactly once for each park; from any thread.
   */
  public static void goready(G gp) {
    gp.readied();
    readyExecuted(gp);
  }

  /** The G's status is already RUNNABLE; it is on no queue. */
  static void readyExecuted(G gp) {
    track(gp);
    Sched s = gp.sched;
    M m = M.current();
    if (m == null || m.sched != s) {
      Trace.goUnblockOutside(gp);
      s.globrunqputLocked(gp);
      Threads.wakep(s, null);
      return;
    }
    m.acquire();
    Trace.goUnblock(m, gp);
    P pp = m.p;
    if (pp == null) {
      s.globrunqputLocked(gp);
      Threads.wakep(s, m);
    } else {
      runqput(pp, gp, true);
      Threads.wakep(s, m, pp);
    }
    m.release();
  }

  /**
   * One transition to RUNNABLE in 32 is stamped, for the latency histogram. (Go takes one in eight;
   * the two clock reads are a larger part of a switch here.)
   */
  static void track(G gp) {
    if ((++gp.trackingSeq & 31) == 0) {
      gp.runnableSince = System.nanoTime();
    }
  }

  /** By the M that holds {@code pp}. */
  static void runqput(P pp, G gp, boolean next) {
    if (pp.sched.check) {
      Check.enqueue(pp, gp);
    }
    pp.runq.put(gp, next, pp.overflow);
  }

  /**
   * Queues many runnable Gs: as many to the global queue as there are idle Ps to run them, the rest
   * to the caller's P, all to the global queue when it has none.
   */
  static void injectglist(Sched s, @Nullable M m, GQueue list, int n) {
    P pp = m == null ? null : m.p;
    int idle = Math.min(s.npidle.get(), n);
    GQueue global = new GQueue();
    for (int i = 0; pp == null || i < idle; i++) {
      G gp = list.pop();
      if (gp == null) {
        break;
      }
      track(gp);
      global.pushBack(gp);
    }
    if (!global.isEmpty()) {
      if (m != null) {
        Trace.globalPut(m, global.size());
      }
      s.lock.lock();
      s.globrunqputbatch(global);
      s.lock.unlock();
    }
    if (pp != null) {
      for (G gp = list.pop(); gp != null; gp = list.pop()) {
        track(gp);
        runqput(pp, gp, false);
      }
    }
    for (int i = 0; i < idle; i++) {
      Threads.startIdle(s, m);
    }
    Threads.wakep(s, m);
  }

  /** Ties the calling goroutine to its thread until as many {@link #unlockOSThread}. */
  public static void lockOSThread() {
    M m = M.current();
    G gp = m == null ? null : m.curg;
    if (m == null || gp == null) {
      return;
    }
    gp.lockedExt++;
    gp.lockedm = m;
    m.lockedg = gp;
  }

  /** Takes back one {@link #lockOSThread}. */
  public static void unlockOSThread() {
    M m = M.current();
    G gp = m == null ? null : m.curg;
    if (m == null || gp == null || gp.lockedExt == 0) {
      return;
    }
    gp.lockedExt--;
    if (gp.lockedExt == 0 && gp.lockedInt == 0) {
      gp.lockedm = null;
      m.lockedg = null;
    }
  }

  /** Lets others run: all who are runnable on this P and on the global queue come first. */
  public static void gosched() {
    G gp = getg();
    if (gp == null) {
      Thread.yield();
      return;
    }
    leave(gp, G.YIELDS);
  }

  /**
   * Gives way if the time slice is over or the world is to be stopped. A load when not. It stands
   * for Go's signals, which stop a loop that calls nothing; so with asyncpreemptoff the end of a
   * slice is left to the next call of the runtime.
   */
  public static void checkPreempt() {
    M m = M.current();
    if (m != null && (m.attention() & M.ATTENTION_PREEMPT) != 0) {
      Sched s = m.sched;
      if (!s.config.asyncPreemptOff() || s.gcwaiting || m.p == null) {
        checkPreempt(m);
      }
    }
  }

  static void checkPreempt(M m) {
    if ((m.attention() & M.ATTENTION_PREEMPT) != 0 && m.locks() == 0) {
      G gp = m.curg;
      if (gp != null) {
        leave(gp, G.PREEMPTS);
      }
    }
  }

  /** Off the M, to be queued again by it. */
  static void leave(G gp, int how) {
    if (gp.sched.tracer.wantsStacks()) {
      gp.traceStack = gp.sched.tracer.stack(StackOn.STOP);
    }
    gp.leaving = how;
    Thread.yield();
    if (gp.leaving != G.STAYS) {
      Pinned.yieldInPlace(gp);
    }
  }
}
