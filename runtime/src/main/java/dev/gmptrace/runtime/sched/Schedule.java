package dev.gmptrace.runtime.sched;

import dev.gmptrace.runtime.jdk.Jdk;
import dev.gmptrace.tracer.record.TraceStack;
import org.jspecify.annotations.Nullable;

/**
 * The loop on an M's own stack (g0): pick a G, run it until it leaves, deal with why it left.
 *
 * <pre>
 *   mstart -&gt; loop: schedule -&gt; execute -&gt; (the G runs, mounted) -&gt; back:
 *                ^                                                  |  parks    park_m
 *                |                                                  |  yields   goschedImpl
 *                +--------------------------------------------------+  ends     goexit0
 *                                                                      JDK took it off: jdkParked
 * </pre>
 *
 * In Go these functions never return; here each returns to the loop, which keeps the stack flat.
 */
final class Schedule {
  private static final System.Logger LOG = System.getLogger("dev.gmptrace.runtime");

  private Schedule() {}

  static void mstart(M m) {
    m.tid = Kernel.currentTid();
    Trace.mStart(m);
    P pp = m.nextp;
    m.nextp = null;
    if (pp != null) {
      Threads.acquirep(m, pp);
      if (m.spinning) {
        Trace.spinStart(m);
      }
    }
    try {
      loop(m);
    } catch (Throwable t) {
      // A timer may be about to start a goroutine as the scheduler ends; there is no harm in that.
      if (!m.sched.shutdown || !(t instanceof IllegalStateException)) {
        m.sched.ending.fatal(t);
      }
    } finally {
      Threads.mexit(m);
    }
  }

  /** Runs Gs until the scheduler is shut down or the M must end with its locked G. */
  static void loop(M m) {
    for (; ; ) {
      G gp = schedule(m);
      if (gp == null) {
        return;
      }
      do {
        execute(m, gp);
        gp = left(m, gp);
      } while (gp != null);
      if (m.ending) {
        return;
      }
    }
  }

  /**
   * The next G for this M, in Go's order: its locked G; the global queue on every 61st tick;
   * runnext; the ring; findRunnable.
   *
   * @return null when the M must end
   */
  private static @Nullable G schedule(M m) {
    if (m.sched.check) {
      Check.schedule(m);
    }
    for (; ; ) {
      G locked = m.lockedg;
      if (locked != null) {
        if (!Threads.stoplockedm(m)) {
          return null;
        }
        m.inheritTime = false;
        return locked;
      }
      if (m.p == null && !Threads.stopm(m)) {
        return null;
      }
      G gp = FindRunnable.findRunnable(m);
      if (gp == null) {
        return null;
      }
      if (m.spinning) {
        Threads.resetspinning(m);
      }
      if (gp.lockedm != null) {
        Threads.startlockedm(m, gp);
        continue;
      }
      return gp;
    }
  }

  /** Mounts and runs {@code gp} until it leaves. */
  private static void execute(M m, G gp) {
    P pp = m.p();
    m.curg = gp;
    gp.m = m;
    if (m.sched.check) {
      Check.execute(m, gp);
    }
    if (gp.runnableSince != 0) {
      m.sched.latency.record(System.nanoTime() - gp.runnableSince);
      gp.runnableSince = 0;
    }
    gp.setStatusRelease(G.RUNNABLE, G.RUNNING);
    Trace.goStart(m, gp);
    if (!m.inheritTime) {
      m.attended(M.ATTENTION_PREEMPT); // it was meant for the slice before
      pp.schedtick++;
    }
    try {
      Runnable cont = gp.cont;
      if (cont == null) {
        gp.startThread();
        cont = gp.cont;
        if (cont == null) {
          throw new FatalError("virtual thread did not start");
        }
      }
      gp.leaving = G.STAYS;
      m.release();
      try {
        cont.run();
      } finally {
        m.acquire();
      }
    } catch (Throwable t) {
      // The JDK could not run or unmount the thread; most likely it is out of memory.
      LOG.log(System.Logger.Level.ERROR, "cannot run goroutine " + gp.goid(), t);
    }
  }

  /**
   * The G is off this M.
   *
   * @return a G to run at once, or null to schedule
   */
  private static @Nullable G left(M m, G gp) {
    if (gp.status() == G.SYSCALL) {
      if (gp.leaving == G.STAYS && ended(gp)) {
        Syscalls.diedInSyscall(m, gp);
      } else {
        Syscalls.leftInSyscall(m, gp);
      }
    }
    return switch (gp.leaving) {
      case G.PARKS -> parkM(m, gp);
      case G.YIELDS -> goschedImpl(m, gp, G.RUNNABLE);
      case G.PREEMPTS -> goschedImpl(m, gp, G.PREEMPTED);
      default -> leftByJdk(m, gp);
    };
  }

  private static @Nullable G parkM(M m, G gp) {
    UnlockFunction unlockf = gp.waitunlockf;
    Object lock = gp.waitlock;
    gp.waitlock = null;
    Trace.goBlock(m, gp);
    dropg(m, gp);
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
        return null;
      }
      m.inheritTime = true;
      return gp;
    }
    // From here on gp may already run elsewhere.
    return null;
  }

  private static @Nullable G goschedImpl(M m, G gp, int via) {
    P pp = m.p;
    // The ring's tail is as far back as the global queue's when that is empty, and nobody else's
    // memory. A preempted G always goes to the global queue, where the next P to run dry finds it.
    boolean local = via == G.RUNNABLE && pp != null && m.sched.runqsize == 0;
    if (pp != null) { // else it was traced as blocked at the end of a syscall
      Trace.goStop(m, gp, via == G.PREEMPTED, false);
      if (!local) {
        Trace.globalPut(m, 1);
      }
    }
    dropg(m, gp);
    if (via == G.PREEMPTED) {
      m.attended(M.ATTENTION_PREEMPT); // done; or the global queue, where gp is, would come first
      gp.waitreason = WaitReason.PREEMPTED;
      gp.setStatusRelease(G.RUNNING, G.PREEMPTED);
      gp.setStatusRelease(G.PREEMPTED, G.RUNNABLE);
    } else {
      gp.setStatusRelease(G.RUNNING, G.RUNNABLE);
    }
    Proc.track(gp);
    if (local && pp != null) {
      Proc.runqput(pp, gp, false);
      Threads.wakep(m.sched, m, pp);
    } else {
      m.sched.globrunqputLocked(gp);
      Threads.wakep(m.sched, m);
    }
    return null;
  }

  /** Parked, blocked or yielded by the JDK, ended, or could not be mounted at all. */
  private static @Nullable G leftByJdk(M m, G gp) {
    Thread t = gp.thread;
    int vt = t == null ? Jdk.VT_TERMINATED : Jdk.virtualThreadState(t) & ~Jdk.VT_SUSPENDED;
    if (vt == Jdk.VT_TERMINATED) {
      goexit0(m, gp);
      return null;
    }
    boolean parked =
        switch (vt) {
          case Jdk.VT_YIELDED, Jdk.VT_UNPARKED, Jdk.VT_UNBLOCKED, Jdk.VT_STARTED -> false;
          default -> true;
        };
    gp.waitreason =
        switch (vt) {
          case Jdk.VT_TIMED_PARKED -> WaitReason.JAVA_TIMED_PARK;
          case Jdk.VT_BLOCKED -> WaitReason.JAVA_MONITOR_ENTER;
          case Jdk.VT_WAIT -> WaitReason.JAVA_OBJECT_WAIT;
          case Jdk.VT_TIMED_WAIT -> WaitReason.JAVA_TIMED_OBJECT_WAIT;
          default -> WaitReason.JAVA_PARK;
        };
    if (m.p == null) {
      // Robbed of its P. It is queued to be looked at again by an M that has one; if the thread is
      // still parked then, that M sees it park.
      dropg(m, gp);
      gp.setStatusRelease(G.RUNNING, G.RUNNABLE);
      m.sched.globrunqputLocked(gp);
      Threads.wakep(m.sched, m);
      return null;
    }
    if (gp.traceStack != TraceStack.NONE) { // of a call that no event followed
      gp.traceStack = TraceStack.NONE;
    }
    if (parked) {
      Trace.goBlock(m, gp);
    } else {
      Trace.goStop(m, gp, false, true);
    }
    dropg(m, gp);
    if (parked && gp.casStatus(G.RUNNING, G.WAITING | G.JDK)) {
      return null;
    }
    if (parked) {
      Trace.goUnblock(m, gp);
    }
    // Thread.yield; or unparked before we came here (READY); or the thread was suspended by a stack
    // walk and has not run. In each case it can run again, and a submission that is still under way
    // will find it RUNNABLE and do nothing.
    gp.setStatusRelease(G.RUNNING, G.RUNNABLE);
    Proc.track(gp);
    if (parked) {
      Proc.runqput(m.p(), gp, false);
    } else {
      m.sched.globrunqputLocked(gp);
      if (vt != Jdk.VT_YIELDED) {
        Thread.yield();
      }
    }
    Threads.wakep(m.sched, m);
    return null;
  }

  private static boolean ended(G gp) {
    Thread t = gp.thread;
    return t != null && Jdk.virtualThreadState(t) == Jdk.VT_TERMINATED;
  }

  private static void goexit0(M m, G gp) {
    if (m.p != null) {
      Trace.goDestroy(m, gp);
    }
    dropg(m, gp);
    Thread t = gp.thread;
    if (gp.adopted && t != null) {
      m.sched.adopted.remove(t);
    }
    gp.setStatusRelease(G.RUNNING, G.DEAD);
    gp.thread = null;
    gp.cont = null;
    gp.fn = null;
    gp.name = null;
    gp.param = null;
    gp.waiting = null;
    gp.adopted = false;
    gp.syscallDepth = 0;
    boolean ends = gp.lockedExt > 0 || m.extra;
    if (gp.lockedm != null) {
      gp.lockedm = null;
      m.lockedg = null;
      gp.lockedExt = 0;
      gp.lockedInt = 0;
    }
    NewProc.gfput(m.sched, m.p, gp);
    if (ends) {
      // The G never unlocked its thread, so the thread may be in a state nobody else should see; or
      // the thread is not ours, and has done what it came for.
      m.ending = true;
    }
  }

  private static void dropg(M m, G gp) {
    m.curg = null;
    gp.m = null;
  }
}
