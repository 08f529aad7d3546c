package dev.gmptrace.runtime.sched;

import dev.gmptrace.tracer.record.StackOn;
import org.jspecify.annotations.Nullable;

/**
 * Syscalls, as in Go 1.26: a G announces that it may block its thread; its P stays with the M, out
 * of {@code m.p} and in {@code m.syscallp}, until sysmon finds that it takes long and has a use for
 * it.
 *
 * <p>Who gets the P is settled on the G's status. Coming back is a CAS from SYSCALL to RUNNING;
 * taking the P is a CAS from SYSCALL to SYSCALL|SCAN, then the move of the P, then the bit cleared.
 * While the bit is set the G cannot come back, so syscallp and the P's fields change in one owner's
 * hands. After the CAS the returning M simply looks whether syscallp is still there: the fast way
 * is two CAS in all and no lock.
 *
 * <pre>
 *   G on M                                   sysmon
 *   RUNNING -&gt; SYSCALL, m.p -&gt; m.syscallp
 *   ... blocks ...                           SYSCALL -&gt; SYSCALL|SCAN
 *   CAS fails, spins                         m.syscallp = null, p.m = null
 *                                            SYSCALL|SCAN -&gt; SYSCALL, handoffp(p)
 *   SYSCALL -&gt; RUNNING, syscallp == null: oldp or an idle P, else to the global queue
 * </pre>
 *
 * A G that does something else in a syscall is brought back first: at its next call of the runtime
 * ({@link #ensureP}), or when the JDK parks it ({@link #leftInSyscall}); its exit is then a no-op.
 */
@SuppressWarnings("ReferenceEquality") // Gs, Ms and Ps are identities
public final class Syscalls {
  private Syscalls() {}

  /** The calling goroutine is about to block its thread. A no-op outside goroutines. May nest. */
  public static void entersyscall() {
    M m = M.current();
    G gp = m == null ? null : m.curg;
    if (m == null || gp == null) {
      return;
    }
    if (gp.syscallDepth++ > 0) {
      return;
    }
    if (m.sched.tracer.enabled()) {
      gp.traceStack = m.sched.tracer.stack(StackOn.SYSCALL);
    }
    m.acquire();
    if (gp.status() == G.RUNNING) { // else sysmon has found it out already
      enter(m, gp);
    }
    m.release();
  }

  /** By sysmon, in the name of a G that blocks its thread without having said so. */
  static void enterForSleeper(M m, G gp) {
    enter(m, gp);
  }

  private static void enter(M m, G gp) {
    P pp = m.p;
    if (pp != null) {
      Trace.syscallBegin(m, gp, pp);
    }
    m.oldp = pp;
    m.p = null;
    m.syscallp = pp;
    if (m.sched.check) {
      Check.inSyscall(m);
    }
    for (; ; ) {
      int s = gp.statusWithBits();
      if (gp.casStatus(s, (s & ~0xff) | G.SYSCALL)) {
        break;
      }
    }
    m.sched.sysmonWake();
  }

  /** The blocking is over. Returns with a P. */
  public static void exitsyscall() {
    M m = M.current();
    G gp = m == null ? null : m.curg;
    if (m == null || gp == null) {
      return;
    }
    if (--gp.syscallDepth > 0) {
      return;
    }
    m.acquire();
    boolean have = gp.status() != G.SYSCALL || exit(m, gp);
    m.release();
    if (!have) {
      Proc.leave(gp, G.YIELDS);
    } else {
      Proc.checkPreempt(m);
    }
  }

  /** From SYSCALL to RUNNING; whether the M has a P. */
  private static boolean exit(M m, G gp) {
    toRunning(gp);
    if (m.sched.check) {
      Check.inSyscall(m);
    }
    P pp = m.syscallp;
    if (pp != null) {
      m.syscallp = null;
      m.p = pp;
      pp.syscalltick++;
      Trace.syscallEnd(m, gp, pp);
      return true;
    }
    Trace.syscallEndBlocked(m, gp);
    if (!reacquire(m)) {
      return false;
    }
    Trace.goStart(m, gp);
    return true;
  }

  /** Waits for a thief to finish, if there is one. */
  private static void toRunning(G gp) {
    for (; ; ) {
      int s = gp.statusWithBits();
      if ((s & G.SCAN) != 0) {
        Thread.onSpinWait();
      } else if (gp.casStatus(s, (s & ~0xff) | G.RUNNING)) {
        return;
      }
    }
  }

  /** A P for an M that lost its own: the old one, or any idle one. */
  private static boolean reacquire(M m) {
    Sched s = m.sched;
    if (s.npidle.get() == 0 || s.gcwaiting) {
      return false;
    }
    s.lock.lock();
    P pp = null;
    if (!s.gcwaiting) {
      P old = m.oldp;
      pp = old != null && s.pidleremove(old) ? old : s.pidleget();
    }
    s.lock.unlock();
    if (pp == null) {
      return false;
    }
    Threads.acquirep(m, pp);
    s.sysmonWake();
    return true;
  }

  /**
   * In a runtime section of a G: the P, after coming back from a syscall that was announced or
   * found out; null when there is none for it now.
   */
  static @Nullable P ensureP(M m) {
    P pp = m.p;
    if (pp != null) {
      return pp;
    }
    G gp = m.curg;
    if (gp != null && gp.status() == G.SYSCALL) {
      exit(m, gp);
    } else if (gp != null && reacquire(m)) {
      Trace.goStart(m, gp);
    }
    if (m.p == null) {
      m.attend(M.ATTENTION_PREEMPT); // it must not run beside a full set of Ps for long
    }
    return m.p;
  }

  /** On g0: the G was taken off by the JDK, or parked, inside a syscall. */
  static void leftInSyscall(M m, G gp) {
    boolean _ = exit(m, gp);
  }

  /** On g0: the G ended inside a syscall, most likely one that it had not announced. */
  static void diedInSyscall(M m, G gp) {
    toRunning(gp);
    P pp = m.syscallp;
    if (pp != null) {
      m.syscallp = null;
      m.p = pp;
      pp.syscalltick++;
      Trace.syscallEnd(m, gp, pp);
    } else {
      Trace.goDestroySyscall(m, gp);
    }
  }

  static void leftInSyscallIfAny(M m, G gp) {
    if (gp.status() == G.SYSCALL) {
      leftInSyscall(m, gp);
    }
  }

  /**
   * Takes {@code pp} away from an M whose G is in a syscall. By anybody without the G's
   * cooperation.
   *
   * @return whether the P is now in the caller's hands, IDLE and on no list
   */
  static boolean take(@Nullable M thief, P pp) {
    M mp = pp.m;
    G gp = mp == null ? null : mp.curg;
    if (mp == null || gp == null || mp.syscallp != pp) {
      return false;
    }
    int s = gp.statusWithBits();
    if ((s & 0xff) != G.SYSCALL || (s & G.SCAN) != 0 || !gp.casStatus(s, s | G.SCAN)) {
      return false;
    }
    boolean took = false;
    if (gp.m == mp && mp.curg == gp && mp.syscallp == pp && pp.m == mp) {
      mp.syscallp = null;
      pp.m = null;
      pp.setStatus(P.IDLE);
      pp.syscalltick++;
      Trace.procSteal(thief, pp, mp);
      took = true;
    }
    for (; ; ) {
      int now = gp.statusWithBits();
      if (gp.casStatus(now, now & ~G.SCAN)) {
        return took;
      }
    }
  }
}
