package dev.gmptrace.runtime.sched;

import org.jspecify.annotations.Nullable;

/**
 * The invariants of the contract, verified at transitions when GMPDEBUG=check=1. A breach is a
 * FatalError that names the invariant, the thing and what was found.
 *
 * <p>docs/CONTRACT.md lists them all, also those that have no meaning here or that only a trace or
 * jcstress can see. Each method is called where its name says; what is checked always, and not only
 * on demand, stays where it happens (acquirep, releasep, pidleput, stopm, readied).
 */
@SuppressWarnings("ReferenceEquality") // Gs, Ms and Ps are identities
final class Check {
  private Check() {}

  private static void fail(String invariant, String what) {
    throw new FatalError("invariant " + invariant + ": " + what);
  }

  // ---- goroutines -------------------------------------------------------------------------------

  /** G1: a G changes state only along the arrows, and only from where it is. G6: not while held. */
  static void transition(G gp, int from, int to) {
    int now = gp.statusWithBits();
    if ((now & 0xff) != from) {
      fail("G1", gp + " should be " + from + " to become " + to);
    }
    if ((now & G.SCAN) != 0) {
      fail("G6", gp + " becomes " + to + " while sysmon holds it still");
    }
  }

  /** G3: a G that is queued is runnable, linked to nothing and run by nobody. */
  static void enqueue(G gp) {
    if (gp.status() != G.RUNNABLE) {
      fail("G3", gp + " is queued but not runnable");
    }
    if (gp.schedlink != null) {
      fail("G3", gp + " is queued but already linked to " + gp.schedlink);
    }
    if (gp.m != null) {
      fail("G3", gp + " is queued but still on " + gp.m);
    }
  }

  /** R1, R2, R5: what is put into a local queue, by whom. */
  static void enqueue(P pp, G gp) {
    enqueue(gp);
    M here = M.current();
    if (pp.m != here) {
      fail("R2", here + " puts " + gp + " into the queue of " + pp + ", which " + pp.m + " holds");
    }
    int n = pp.runq.size();
    if (n < 0 || n > RunQueue.SIZE) {
      fail("R1", pp + " has " + n + " goroutines in its ring");
    }
    if (pp.runq.contains(gp)) {
      fail("R5", gp + " is in the queue of " + pp + " already");
    }
  }

  /** R6: an overflow is half of the ring and the new G. */
  static void overflow(P pp, GQueue batch) {
    if (batch.size() != RunQueue.SIZE / 2 + 1) {
      fail("R6", pp + " moves " + batch.size() + " goroutines to the global queue");
    }
  }

  /** R7: the global queue is touched under the lock only. */
  static void global(Sched s, @Nullable G gp) {
    if (!s.lock.isLocked()) {
      fail("R7", "the global queue is used without the lock");
    }
    if (gp != null) {
      enqueue(gp);
    }
  }

  /** G4: who has parked is where whoever is to wake it will look. */
  static void parked(G gp, @Nullable Object lock) {
    if (lock instanceof WaitPlace place) {
      if (!place.waits(gp)) {
        fail("G4", gp + " parks [" + gp.waitreason + "] but is in no queue of " + place);
      }
      gp.waitsIn = place;
    }
  }

  /** G4: who is woken is in that queue no more. Whether that can be seen depends on its lock. */
  static void readied(G gp) {
    WaitPlace place = gp.waitsIn;
    gp.waitsIn = null;
    if (place instanceof RuntimeMutex lock && lock.tryLock()) {
      boolean still = place.waits(gp);
      lock.unlock();
      if (still) {
        fail("G4", gp + " is woken but still in a queue of " + place);
      }
    }
  }

  /** G5, and the contract of schedule: nothing is held when a G has left. */
  static void schedule(M m) {
    if (m.heldLocks != 0) {
      String what = m.heldLocks + " runtime locks, the last a " + HeldLocks.nameOfLast(m);
      m.heldLocks = 0;
      fail("G5", "a goroutine left " + m + " with " + what);
    }
    if (m.curg != null) {
      fail("G2", m + " schedules but has " + m.curg);
    }
  }

  // ---- Ms ---------------------------------------------------------------------------------------

  /** G2, P1: the triangle while running; M3: spinning is over; M6: the locked pair. */
  static void execute(M m, G gp) {
    P pp = m.p();
    if (gp.m != m || m.curg != gp) {
      fail("G2", gp + " runs on " + m + " with m=" + gp.m + " curg=" + m.curg);
    }
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
    spinners(m.sched);
  }

  /** M2, M3, M7: who begins to spin has a P and nothing in its queue, and not too many do. */
  static void spins(M m) {
    P pp = m.p;
    if (pp == null) {
      fail("M2", m + " spins without a P");
    } else if (!pp.runq.isEmpty()) {
      fail("M3", m + " spins with work on " + pp);
    }
    spinners(m.sched);
  }

  private static void spinners(Sched s) {
    int n = s.nmspinning.get();
    if (n < 0 || n > Math.max(1, (s.gomaxprocs + 1) / 2)) {
      fail("M7", n + " Ms spin with " + s.gomaxprocs + " Ps");
    }
  }

  /** M1: an idle M holds nothing. */
  static void idle(M m) {
    if (m.p != null || m.curg != null || m.spinning || m.nextp != null) {
      fail("M1", m + " goes idle with p=" + m.p + " curg=" + m.curg + " nextp=" + m.nextp);
    }
  }

  /** M4, P3: in a syscall the P is out of the M's hands, and nobody else's unless it was taken. */
  static void inSyscall(M m) {
    P kept = m.syscallp;
    if (m.p != null) {
      fail("M4", m + " is in a syscall with " + m.p);
    }
    if (kept != null && (kept.m != m || kept.status() != P.RUNNING)) {
      fail("P3", m + " left " + kept + " behind, which has m=" + kept.m + " " + kept.status());
    }
  }

  // ---- Ps ---------------------------------------------------------------------------------------

  /** P2, P6: an idle P is unbound and its bit is set. */
  static void idle(P pp) {
    if (pp.m != null || pp.status() != P.IDLE) {
      fail("P2", pp + " is idle with m=" + pp.m + " status=" + pp.status());
    }
    if (!pp.sched.isIdle(pp.id)) {
      fail("P6", pp + " is idle but its bit is not set");
    }
  }

  /** P5, P6: a P that somebody takes is alive, and no longer marked idle. */
  static void acquired(P pp) {
    if (pp.id >= pp.sched.gomaxprocs) {
      fail("P5", pp + " is used with " + pp.sched.gomaxprocs + " Ps");
    }
    if (pp.sched.isIdle(pp.id)) {
      fail("P6", pp + " is used but its idle bit is set");
    }
  }

  /** P4: a P stops only for a stop of the world. */
  static void stopped(P pp) {
    if (!pp.sched.gcwaiting) {
      fail("P4", pp + " stops, but the world does not");
    }
  }

  /** P5: nothing is left behind on a P that is taken down. */
  static void dead(P pp) {
    if (!pp.runq.isEmpty() || pp.timers.hasAny() || pp.gfree != null || pp.m != null) {
      fail("P5", pp + " is dead but has goroutines, timers or an M");
    }
  }

  /** P4: when the world starts, every P within GOMAXPROCS has left the stop, and no other. */
  static void worldStarts(Sched s) {
    P[] ps = s.allp;
    for (int i = 0; i < ps.length; i++) {
      int status = ps[i].status();
      if (status == P.GCSTOP || (status == P.DEAD) != (i >= s.gomaxprocs)) {
        fail("P4", ps[i] + " has status " + status + " as the world starts");
      }
    }
  }
}
