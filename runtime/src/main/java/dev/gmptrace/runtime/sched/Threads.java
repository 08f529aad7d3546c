package dev.gmptrace.runtime.sched;

import dev.gmptrace.tracer.wire.HandoffCause;
import org.jspecify.annotations.Nullable;

/**
 * Ms and their Ps: starting, stopping, waking, handing over. An M is reused before one is made.
 *
 * <p>A P goes from one M to another in two steps: the giver takes it off its own M (releasep) and
 * leaves it in the taker's {@code nextp} before it wakes the taker's note; the note orders the one
 * before the other, so all the giver did with the P is visible to the taker.
 */
@SuppressWarnings("ReferenceEquality") // Gs, Ms and Ps are identities
final class Threads {
  private Threads() {}

  static void acquirep(M m, P pp) {
    if (m.p != null || pp.m != null) {
      throw new FatalError("acquirep: " + m + " has " + m.p + ", " + pp + " has " + pp.m);
    }
    if (m.sched.check) {
      Check.acquired(pp);
    }
    m.p = pp;
    pp.m = m;
    pp.setStatus(P.RUNNING);
    Trace.procStart(m, pp);
  }

  static P releasep(M m) {
    P pp = m.p();
    if (pp.m != m || pp.status() != P.RUNNING) {
      throw new FatalError("releasep: " + m + " " + pp + " m=" + pp.m + " status=" + pp.status());
    }
    Trace.procStop(m, pp);
    m.p = null;
    m.oldp = pp;
    pp.m = null;
    pp.setStatus(P.IDLE);
    return pp;
  }

  /** Starts an M to look for work, when a P is idle and nobody spins. After work was queued. */
  static void wakep(Sched s, @Nullable M by) {
    if (!startSpinner(s, by)) {
      s.nap.kick();
    }
  }

  /**
   * The same after a G was put on {@code pp}, maybe as its runnext. Only that alone is no reason to
   * disturb an M that naps.
   */
  static void wakep(Sched s, M by, P pp) {
    if (!startSpinner(s, by) && !pp.runq.ringIsEmpty()) {
      s.nap.kick();
    }
  }

  private static boolean startSpinner(Sched s, @Nullable M by) {
    if (s.npidle.get() == 0) {
      // Nobody to wake. But an M may be about to drop its P without a last look; see FindRunnable.
      if (s.needspinning.get() == 0) {
        s.needspinning.set(1);
      }
      if (s.npidle.get() == 0) {
        return false;
      }
    }
    if (s.nmspinning.get() != 0 || !s.nmspinning.compareAndSet(0, 1)) {
      return false;
    }
    s.lock.lock();
    P pp = s.shutdown ? null : s.pidlegetSpinning();
    if (pp == null) {
      s.lock.unlock();
      if (s.nmspinning.decrementAndGet() < 0) {
        throw new FatalError("wakep: negative nmspinning");
      }
      return false;
    }
    startmLocked(s, by, pp, true);
    return true;
  }

  /** Starts an M on an idle P, if there is one and the global queue has something for it. */
  static void startIdle(Sched s, @Nullable M by) {
    s.lock.lock();
    P pp = s.runqsize == 0 || s.shutdown || s.gcwaiting ? null : s.pidleget();
    if (pp == null) {
      s.lock.unlock();
      return;
    }
    startmLocked(s, by, pp, false);
  }

  /** Starts some M to run {@code pp}. */
  static void startm(Sched s, @Nullable M by, P pp, boolean spinning) {
    s.lock.lock();
    startmLocked(s, by, pp, spinning);
  }

  /** Under lock, which it releases. */
  private static void startmLocked(Sched s, @Nullable M by, P pp, boolean spinning) {
    if (spinning && !pp.runq.isEmpty()) {
      s.lock.unlock();
      throw new FatalError("startm: p has runnable gs");
    }
    M mp = s.mget();
    if (mp == null) {
      mp = allocm(s, false); // or it unlocks and throws
      mp.spinning = spinning;
      mp.nextp = pp;
      Thread sysmon = s.sysmonNew();
      s.lock.unlock();
      Trace.mUnpark(by, mp, spinning, pp);
      MThread t = new MThread(mp);
      mp.thread = t;
      start(s, sysmon, t);
      s.sysmonWake();
      return;
    }
    s.lock.unlock();
    if (mp.spinning || mp.nextp != null) {
      throw new FatalError("startm: " + mp + " is spinning or has a P");
    }
    mp.spinning = spinning;
    mp.nextp = pp;
    Trace.mUnpark(by, mp, spinning, pp);
    mp.park.wakeup();
    s.sysmonWake();
  }

  /** Under lock. */
  static M allocm(Sched s, boolean extra) {
    M mp = new M(s, s.mnext++, extra);
    if (extra) {
      s.nmextra++;
    } else if (s.mcount() - s.nmextra > s.maxmcount) {
      s.mnext--;
      s.lock.unlock();
      System.err.println("runtime: program exceeds " + s.maxmcount + "-thread limit");
      FatalError e = new FatalError("thread exhaustion");
      s.ending.fatal(e);
      throw e;
    }
    mp.alllink = s.allm;
    s.allm = mp;
    return mp;
  }

  /**
   * The caller may be a goroutine in the middle of a wake-up, and what it throws may be caught. So
   * the scheduler is ended here: it cannot go on with a P that nobody runs.
   */
  private static void start(Sched s, @Nullable Thread first, Thread then) {
    try {
      if (first != null) {
        first.start();
      }
      then.start();
    } catch (Throwable t) { // out of memory: the system allows no more threads
      s.ending.fatal(t);
      throw t;
    }
  }

  /**
   * Puts the M on the idle list and sleeps until startm gives it a P.
   *
   * @return false when the scheduler is shut down instead
   */
  static boolean stopm(M m) {
    Sched s = m.sched;
    if (m.p != null || m.spinning) {
      throw new FatalError("stopm holding p or spinning");
    }
    s.lock.lock();
    if (s.shutdown) {
      s.lock.unlock();
      return false;
    }
    s.mput(m);
    s.lock.unlock();
    return mPark(m);
  }

  private static boolean mPark(M m) {
    Trace.mPark(m);
    m.blocked = true;
    m.park.sleep();
    m.park.clear();
    m.blocked = false;
    m.waitsForLocked = false;
    P pp = m.nextp;
    m.nextp = null;
    if (pp == null) {
      return false;
    }
    acquirep(m, pp);
    if (m.spinning) {
      Trace.spinStart(m);
    }
    return true;
  }

  /** The M found work, so it no longer spins; if it was the last, another should. */
  static void resetspinning(M m) {
    m.spinning = false;
    m.napNanos = Nap.FIRST;
    Trace.spinStop(m);
    if (m.sched.nmspinning.decrementAndGet() < 0) {
      throw new FatalError("resetspinning: negative nmspinning");
    }
    wakep(m.sched, m);
  }

  /** Finds a new home for a P that its M has let go of. */
  static void handoffp(Sched s, @Nullable M by, P pp, @Nullable M from, int cause) {
    if (by != null) {
      Trace.handoff(by, pp, from, cause);
    }
    if (!pp.runq.isEmpty() || s.runqsize != 0) {
      startm(s, by, pp, false);
      return;
    }
    // Nobody spins and nobody is idle, so all others are busy: this P should look for work.
    if (s.nmspinning.get() + s.npidle.get() == 0 && s.nmspinning.compareAndSet(0, 1)) {
      s.needspinning.set(0);
      startm(s, by, pp, true);
      return;
    }
    s.lock.lock();
    if (s.gcwaiting) {
      World.stoppedUnderLock(s, pp);
      s.lock.unlock();
      return;
    }
    if (s.runqsize != 0) {
      startmLocked(s, by, pp, false);
      return;
    }
    // The last P to go idle, and its M does not pass findRunnable, where it would have polled. Who
    // waits for the network was counted before he parked; so either we see him here, or another M,
    // which is not yet idle, sees him when it looks for a reason to poll.
    if (s.npidle.get() == s.gomaxprocs - 1 && s.netpoll.isUnattended()) {
      startmLocked(s, by, pp, false);
      return;
    }
    long when = pp.timers.wakeTime();
    s.pidleput(pp);
    s.lock.unlock();
    if (when != 0) {
      s.netpoll.wakeFor(when);
    }
    if (s.runqsize != 0 || when != 0) {
      wakep(s, by);
    }
  }

  // ---- LockOSThread -----------------------------------------------------------------------------

  /**
   * The M's locked G is not running: lets the P go and sleeps until somebody who picked the G up
   * hands over a P.
   *
   * <p>A shutdown wakes who sleeps here without one. Both that and the hand-over are decided under
   * the lock, by {@code nextp} and {@code waitsForLocked}, so the note is signalled once: a
   * hand-over that was first is still taken, and after a shutdown there is none.
   *
   * @return false when the scheduler is shut down instead
   */
  static boolean stoplockedm(M m) {
    Sched s = m.sched;
    if (m.p != null) {
      handoffp(s, m, releasep(m), m, HandoffCause.LOCKED);
    }
    s.lock.lock();
    if (s.shutdown && m.nextp == null) {
      s.lock.unlock();
      return false;
    }
    s.nmidlelocked++;
    m.waitsForLocked = true;
    s.lock.unlock();
    return mPark(m);
  }

  /** Under lock, at shutdown: wakes who waits for a P to run its locked G on. */
  static void wakeLocked(Sched s) {
    for (M mp = s.allm; mp != null; mp = mp.alllink) {
      if (mp.waitsForLocked && mp.nextp == null) {
        mp.waitsForLocked = false;
        mp.park.wakeup();
      }
    }
  }

  /** Gives the P of {@code m} to the M that {@code gp} is locked to, and sleeps. */
  static void startlockedm(M m, G gp) {
    M to = gp.lockedm;
    if (to == null || to == m) {
      throw new FatalError("startlockedm: locked to me");
    }
    Sched s = m.sched;
    P pp = m.p();
    s.lock.lock();
    if (s.shutdown) { // it may have been told to end, and so will this M be
      s.globrunqput(gp);
      s.lock.unlock();
      return;
    }
    s.nmidlelocked--;
    to.nextp = pp; // it looks there when its note is signalled
    s.lock.unlock();
    P _ = releasep(m);
    Trace.handoff(m, pp, m, HandoffCause.LOCKED);
    Trace.mUnpark(m, to, false, pp);
    to.park.wakeup();
  }

  /** The thread ends: gives up what it still holds. */
  static void mexit(M m) {
    Sched s = m.sched;
    if (s.shutdown) {
      MainRun.abandonedBy(m);
    }
    if (m.spinning) {
      m.spinning = false;
      s.nmspinning.decrementAndGet();
    }
    if (m.p != null) {
      P pp = releasep(m);
      if (s.shutdown) {
        drop(s, pp);
      } else {
        handoffp(s, m, pp, m, HandoffCause.LOCKED);
      }
    }
    Trace.mStop(m);
    s.lock.lock();
    unlink(s, m);
    s.nmfreed++;
    if (m.extra) {
      s.nmextra--;
    }
    s.lock.unlock();
  }

  private static void drop(Sched s, P pp) {
    s.lock.lock();
    GQueue rest = pp.runq.drain();
    s.globrunqputbatch(rest);
    s.pidleput(pp);
    s.lock.unlock();
  }

  private static void unlink(Sched s, M m) {
    @Nullable M prev = null;
    for (M mp = s.allm; mp != null; prev = mp, mp = mp.alllink) {
      if (mp == m) {
        if (prev == null) {
          s.allm = mp.alllink;
        } else {
          prev.alllink = mp.alllink;
        }
        return;
      }
    }
  }
}
