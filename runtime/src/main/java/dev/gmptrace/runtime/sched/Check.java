package dev.gmptrace.runtime.sched;

/**
 * The invariants of the contract, verified at transitions when GMPDEBUG=check=1. A breach is a
 * FatalError that names the invariant, the thing and what was found.
 */
final class Check {
  private Check() {}

  private static void fail(String invariant, String what) {
    throw new FatalError("invariant " + invariant + ": " + what);
  }

  /** G1: a G changes state only along the arrows, and only from where it is. */
  static void transition(G gp, int from, int to) {
    int now = gp.status();
    if (now != from) {
      fail("G1", gp + " should be " + from + " to become " + to);
    }
  }

  /** G3: a G that is queued is runnable and linked to nothing. */
  static void enqueue(G gp) {
    if (gp.status() != G.RUNNABLE) {
      fail("G3", gp + " is queued but not runnable");
    }
    if (gp.schedlink != null) {
      fail("G3", gp + " is queued but already linked to " + gp.schedlink);
    }
  }

  /** G2, P1: the triangle while running; M2: spinning is over. */
  static void execute(M m, G gp) {
    P pp = m.p();
    if (pp.m != m || pp.status() != P.RUNNING) {
      fail("P1", pp + " of " + m + " has m=" + pp.m + " status=" + pp.status());
    }
    if (m.spinning) {
      fail("M3", m + " is spinning and runs " + gp);
    }
    if (gp.lockedm != null && gp.lockedm != m) {
      fail("M6", gp + " is locked to " + gp.lockedm + " and runs on " + m);
    }
    if (m.lockedg != null && m.lockedg != gp) {
      fail("M6", m + " is locked to " + m.lockedg + " and runs " + gp);
    }
    int spinning = m.sched.nmspinning.get();
    if (spinning < 0 || spinning > Math.max(1, (m.sched.gomaxprocs + 1) / 2)) {
      fail("M7", spinning + " Ms spin with " + m.sched.gomaxprocs + " Ps");
    }
  }

  /** M1: an idle M holds nothing. */
  static void idle(M m) {
    if (m.p != null || m.curg != null || m.spinning || m.nextp != null) {
      fail("M1", m + " goes idle with p=" + m.p + " curg=" + m.curg + " nextp=" + m.nextp);
    }
  }

  /** P2, P6: an idle P is unbound and its bit is set. */
  static void idle(P pp) {
    if (pp.m != null || pp.status() != P.IDLE) {
      fail("P2", pp + " is idle with m=" + pp.m + " status=" + pp.status());
    }
    if (!pp.sched.isIdle(pp.id)) {
      fail("P6", pp + " is idle but its bit is not set");
    }
  }
}
