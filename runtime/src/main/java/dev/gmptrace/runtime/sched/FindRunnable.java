package dev.gmptrace.runtime.sched;

import dev.gmptrace.tracer.wire.StealKind;
import org.jspecify.annotations.Nullable;

/**
 * Where an M looks for work, in the order of the contract, and how it goes to sleep without missing
 * any.
 *
 * <h2>No lost wake-up</h2>
 *
 * <pre>
 *   a producer                                  an M that found nothing
 *   1. puts a G on a queue                      1. (spinning) releases its P: npidle++
 *   2. full barrier                             2. nmspinning--, full barrier
 *   3. reads npidle, nmspinning:                3. looks at all queues once more, and at the timers
 *      an idle P and no spinner: wakes an M        finds work: takes an idle P, spins again
 * </pre>
 *
 * Both write first, then read, with sequentially consistent accesses between: an exchange of
 * runnext or the release of Sched.lock followed by volatile reads on the left, atomic adds on the
 * right. So either the producer sees that it has to wake somebody, or the M sees the G. A producer
 * that sees a spinner may do nothing, because that spinner has step 3 still before it.
 *
 * <p>A G at the tail of a ring (a yield, a batch of the poller) is put there with a release only.
 * Nothing is lost by that: the M that put it holds the P and comes to it. What can be missed for a
 * moment is a thief, until the next G is queued or the time slice is over.
 *
 * <p>An M that was not spinning (enough others were) does not repeat the search. Then a wake-up
 * could be lost like this: the last spinner finds work, wants to wake another M, but no P is idle
 * yet; the M that is just about to drop its P does not look again. {@code needspinning} closes it:
 * wakep sets it and then looks at npidle again; the dropping M increments npidle and then looks at
 * needspinning. If somebody spins by then, nothing more is needed: that one has its step 2 and 3
 * still before it.
 *
 * <h2>Not too many spinners</h2>
 *
 * At most half of the busy Ps spin (M7). An M that is woken or that finds work while others may be
 * waiting for a spinner passes the duty on: resetspinning calls wakep, which starts one more M only
 * when nobody spins.
 */
@SuppressWarnings("ReferenceEquality") // Gs, Ms and Ps are identities
final class FindRunnable {
  private static final int STEAL_TRIES = 4;
  private static final int GLOBAL_TICK = 61;

  private FindRunnable() {}

  /**
   * Finds a runnable G for an M that holds a P, or sleeps until there may be one. What is here is
   * the everyday case, small enough to be compiled into the loop around it; all else is in {@link
   * #search}, which begins with the same looks.
   *
   * @return null when the scheduler is shut down
   */
  static @Nullable G findRunnable(M m) {
    P pp = m.p();
    Sched s = m.sched;
    if (!pp.timers.hasAny()
        && !s.gcwaiting
        && !s.shutdown
        && (pp.schedtick % GLOBAL_TICK != 0 || s.runqsize == 0)
        && (m.attention() & M.ATTENTION_PREEMPT) == 0) {
      G gp = pp.runq.getNext();
      if (gp != null) {
        m.inheritTime = true;
        return gp;
      }
      gp = pp.runq.getRing();
      if (gp != null) {
        m.inheritTime = false;
        return gp;
      }
    }
    return search(m);
  }

  private static @Nullable G search(M m) {
    Sched s = m.sched;
    for (; ; ) {
      if (s.shutdown) {
        return null;
      }
      if (s.gcwaiting) {
        if (!World.gcstopm(m)) {
          return null;
        }
        continue;
      }
      P pp = m.p();
      m.inheritTime = false;
      long pollUntil = pp.timers.check(m);

      // Once in a while look at the global queue first, or two Gs that respawn each other on this P
      // could keep it waiting for ever. So too when the time slice is over.
      boolean sliceOver = (m.attention() & M.ATTENTION_PREEMPT) != 0;
      if (sliceOver) {
        endSlice(m, pp);
      }
      if ((sliceOver || pp.schedtick % GLOBAL_TICK == 0) && s.runqsize > 0) {
        G gp = fromGlobal(m, pp, 1);
        if (gp != null) {
          return gp;
        }
      }
      G gp = pp.runq.getNext();
      if (gp != null) {
        m.inheritTime = true;
        return gp;
      }
      gp = pp.runq.getRing();
      if (gp != null) {
        return gp;
      }
      m.stepNanos = 0;
      if (s.runqsize != 0) {
        gp = fromGlobal(m, pp, 0);
        if (gp != null) {
          return gp;
        }
      }
      gp = s.netpoll.pollNow(m);
      if (gp != null) {
        return gp;
      }

      // Steal.
      if (m.spinning || becomeSpinning(s, m)) {
        gp = stealWork(m, pp);
        if (gp != null) {
          return gp;
        }
        if (m.newWork) { // ran a timer that may have readied something here
          continue;
        }
        if (m.pollUntil != 0 && (pollUntil == 0 || m.pollUntil < pollUntil)) {
          pollUntil = m.pollUntil;
        }
        if (s.nap.rest(m, pollUntil)) {
          continue;
        }
      }

      // Nothing. Give up the P.
      s.lock.lock();
      if (s.gcwaiting || s.shutdown) {
        s.lock.unlock();
        continue;
      }
      if (s.runqsize != 0) {
        gp = s.globrunqget(pp, 0);
        s.lock.unlock();
        return gp;
      }
      if (!m.spinning && s.needspinning.get() == 1 && becomeSpinning(s, m)) {
        s.lock.unlock();
        continue;
      }
      boolean wasSpinning = m.spinning;
      if (giveUp(s, m, pp)) {
        continue;
      }
      if (wasSpinning) {
        pollUntil = earliestTimer(s);
      }

      gp = s.netpoll.pollBlocking(m, pollUntil, wasSpinning);
      if (gp != null) {
        return gp;
      }
      if (m.p != null) {
        continue;
      }
      if (!Threads.stopm(m)) {
        return null;
      }
    }
  }

  /**
   * The M was asked to give way, and the G that it asked for has left by itself. Its runnext must
   * not run on in the same slice: two Gs that wake each other through the JDK pass no safe point of
   * ours, never use the slice up as far as {@code schedtick} tells, and would keep all others of
   * this P from running. Behind the others it begins a slice of its own.
   */
  private static void endSlice(M m, P pp) {
    m.attended(M.ATTENTION_PREEMPT);
    G next = pp.runq.getNext();
    if (next != null) {
      Proc.runqput(pp, next, false);
      Threads.wakep(m.sched, m, pp);
    }
  }

  /**
   * Under lock, which it releases: the right-hand side of the protocol above.
   *
   * @return whether there is work after all, and the M has a P for it
   */
  static boolean giveUp(Sched s, M m, P pp) {
    if (m.spinning) {
      Trace.spinStop(m);
    }
    Threads.releasep(m);
    s.pidleput(pp);
    s.lock.unlock();
    if (!m.spinning) {
      return s.needspinning.get() == 1 && s.nmspinning.get() == 0 && takeBack(s, m);
    }
    m.spinning = false;
    if (s.nmspinning.decrementAndGet() < 0) {
      throw new FatalError("findRunnable: negative nmspinning");
    }
    return recheck(s, m);
  }

  private static @Nullable G fromGlobal(M m, P pp, int max) {
    Sched s = m.sched;
    s.lock.lock();
    G gp = s.globrunqget(pp, max);
    s.lock.unlock();
    if (gp != null) {
      Trace.globalGet(m, 1 + (max == 1 ? 0 : pp.runq.size()));
    }
    return gp;
  }

  /**
   * Joins the spinners, unless they are as many as half of the busy Ps already. Then one of them
   * has its last look at the queues still before it, so nothing is lost by not spinning.
   */
  static boolean becomeSpinning(Sched s, M m) {
    for (; ; ) {
      int n = s.nmspinning.get();
      if (2 * n >= s.gomaxprocs - s.npidle.get()) {
        return false;
      }
      if (s.nmspinning.compareAndSet(n, n + 1)) {
        m.spinning = true;
        if (s.check) {
          Check.spins(m);
        }
        Trace.spinStart(m);
        s.needspinning.set(0);
        return true;
      }
    }
  }

  /** Without a P: is there work after all? If so and a P is idle, takes it and spins on. */
  private static boolean recheck(Sched s, M m) {
    if (s.runqsize != 0) {
      return takeBack(s, m);
    }
    P[] ps = s.allp;
    for (int i = 0; i < ps.length; i++) {
      if (!s.isIdle(i) && !ps[i].runq.isEmpty()) {
        return takeBack(s, m);
      }
    }
    return false;
  }

  private static boolean takeBack(Sched s, M m) {
    s.lock.lock();
    P pp = s.pidlegetSpinning();
    s.lock.unlock();
    if (pp == null) {
      return false;
    }
    Threads.acquirep(m, pp);
    boolean _ = becomeSpinning(s, m);
    return true;
  }

  static long earliestTimer(Sched s) {
    long first = 0;
    for (P pp : s.allp) {
      long when = pp.timers.wakeTime();
      if (when != 0 && (first == 0 || when < first)) {
        first = when;
      }
    }
    return first;
  }

  /** Four rounds over all Ps in random order; runnext and timers only in the last. */
  private static @Nullable G stealWork(M m, P pp) {
    Sched s = m.sched;
    m.newWork = false;
    m.pollUntil = 0;
    P[] ps = s.allp;
    int n = s.gomaxprocs;
    for (int i = 0; i < STEAL_TRIES; i++) {
      boolean last = i == STEAL_TRIES - 1;
      int step = coprime(n, pp.fastrand());
      int at = pp.fastrand() % n;
      for (int k = 0; k < n; k++, at = (at + step) % n) {
        if (s.gcwaiting) {
          m.newWork = true;
          return null;
        }
        P victim = ps[at];
        if (victim == pp) {
          continue;
        }
        if (last && victim.timers.hasAny()) {
          int ran = m.ranTimers;
          long next = victim.timers.check(m);
          if (next != 0 && (m.pollUntil == 0 || next < m.pollUntil)) {
            m.pollUntil = next;
          }
          if (m.ranTimers != ran) {
            Trace.steal(m, at, m.ranTimers - ran, StealKind.TIMERS);
            // A timer ran here, on our M: what it readied is in our queue.
            G gp = pp.runq.getNext();
            if (gp != null) {
              m.inheritTime = true;
              return gp;
            }
            gp = pp.runq.getRing();
            if (gp != null) {
              return gp;
            }
            m.newWork = true;
          }
        }
        if (!s.isIdle(at)) {
          int got = pp.runq.stealFrom(victim.runq, m.stolen);
          if (got != 0) {
            Trace.steal(m, at, got, StealKind.RING);
            return m.stolen[0];
          }
          if (last && Nap.ripe(m, victim, at)) {
            G gp = victim.runq.stealNext();
            if (gp != null) {
              Trace.steal(m, at, 1, StealKind.RUNNEXT);
              return gp;
            }
          }
        }
      }
    }
    return null;
  }

  /** A step that visits all of 0..n-1. */
  static int coprime(int n, int random) {
    if (n <= 2) {
      return 1;
    }
    int step = 1 + random % (n - 1);
    while (gcd(step, n) != 1) {
      step = step == n - 1 ? 1 : step + 1;
    }
    return step;
  }

  private static int gcd(int a, int b) {
    while (b != 0) {
      int r = a % b;
      a = b;
      b = r;
    }
    return a;
  }
}
