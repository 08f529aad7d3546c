package dev.gmptrace.runtime.sched;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Stop-the-world, and the change of GOMAXPROCS that needs it.
 *
 * <p>The world is stopped when all Ps but the stopper's own are GCSTOP. The stopper counts them
 * down in {@code stopwait}: idle Ps and Ps of Ms in syscalls it takes itself; a running M gives its
 * own up at its next scheduling point ({@link #gcstopm}), to which it is asked by the preempt flag;
 * the last one wakes the stopper. {@code gcwaiting} can become false only after every P has been
 * counted, so an M that sees it set may safely wait for the restart. A G in a loop that calls
 * nothing delays this, as it did in Go before asynchronous preemption; one that blocks its thread
 * does not, sysmon takes its P.
 */
@SuppressWarnings("ReferenceEquality") // Ps are identities
final class World {
  private World() {}

  /** Runs {@code body} on g0 (or on a thread that is no M) while nobody else runs a G. */
  static void stopped(Sched s, Runnable body) {
    G gp = Proc.getg();
    if (gp == null || gp.sched != s) {
      while (!s.worldStopping.compareAndSet(false, true)) {
        java.util.concurrent.locks.LockSupport.parkNanos(100_000);
      }
      stopRunStart(s, null, body);
      return;
    }
    while (!s.worldStopping.compareAndSet(false, true)) {
      Proc.gosched();
    }
    Throwable[] thrown = new Throwable[1];
    Proc.gopark(
        gp,
        (g, lock) -> {
          try {
            stopRunStart(s, M.current(), body);
          } catch (Throwable t) {
            thrown[0] = t;
          }
          return false;
        },
        null,
        WaitReason.STOP_THE_WORLD);
    if (thrown[0] instanceof Error e) {
      throw e;
    }
    if (thrown[0] instanceof RuntimeException e) {
      throw e;
    }
  }

  private static void stopRunStart(Sched s, @Nullable M m, Runnable body) {
    Trace.worldStops(m);
    stop(s, m);
    try {
      body.run();
    } finally {
      start(s, m);
      Trace.worldStarted(m);
    }
  }

  /** GOMAXPROCS(n). */
  static void setProcs(Sched s, int n) {
    stopped(s, () -> s.newprocs = n);
  }

  private static void stop(Sched s, @Nullable M m) {
    s.lock.lock();
    s.stopwait = s.gomaxprocs;
    s.gcwaiting = true;
    preemptall(s);
    if (m != null && m.p != null) {
      m.p.setStatus(P.GCSTOP);
      s.stopwait--;
    }
    takeFromSyscalls(s, m);
    for (P pp = s.pidleget(); pp != null; pp = s.pidleget()) {
      pp.setStatus(P.GCSTOP);
      s.stopwait--;
    }
    boolean wait = s.stopwait > 0;
    s.lock.unlock();
    s.nap.kick();
    while (wait) {
      if (s.stopnote.sleep(100_000)) {
        s.stopnote.clear();
        break;
      }
      preemptall(s);
      // Who has entered a syscall since does not come by here of itself. When others have brought
      // stopwait to 0 meanwhile the note is signalled, so it must still be slept on.
      s.lock.lock();
      if (s.stopwait > 0) {
        takeFromSyscalls(s, m);
        wait = s.stopwait > 0;
      }
      s.lock.unlock();
    }
    if (s.stopnote.takeInterrupt()) {
      if (m == null) {
        Thread.currentThread().interrupt();
      } else {
        m.interrupted();
      }
    }
    if (s.check) {
      for (P pp : Arrays.copyOf(s.allp, s.gomaxprocs)) {
        if (pp.status() != P.GCSTOP) {
          throw new FatalError("stopTheWorld: not stopped: " + pp + " status=" + pp.status());
        }
      }
    }
  }

  /** Under lock. */
  private static void takeFromSyscalls(Sched s, @Nullable M m) {
    for (P pp : s.allp) {
      if (Syscalls.take(m, pp)) {
        pp.setStatus(P.GCSTOP);
        s.stopwait--;
      }
    }
  }

  private static void start(Sched s, @Nullable M m) {
    s.lock.lock();
    int n = s.newprocs == 0 ? s.gomaxprocs : s.newprocs;
    s.newprocs = 0;
    List<P> runnable = procresize(s, m, n);
    Trace.procsChange(s, m);
    if (s.check) {
      Check.worldStarts(s);
    }
    s.gcwaiting = false;
    s.lock.unlock();
    s.worldStopping.set(false);
    s.sysmonWake();
    for (P pp : runnable) {
      Threads.startm(s, m, pp, false);
    }
    Threads.wakep(s, m);
  }

  static void preemptall(Sched s) {
    for (P pp : s.allp) {
      M mp = pp.m;
      if (mp != null) {
        mp.attend(M.ATTENTION_PREEMPT);
      }
    }
  }

  /**
   * Under lock, world stopped: {@code n} Ps from now on.
   *
   * @return those with work in their ring; the others are idle or {@code m}'s
   */
  private static List<P> procresize(Sched s, @Nullable M m, int n) {
    P[] ps = s.allp;
    int old = s.gomaxprocs;
    if (n > ps.length) {
      P[] more = Arrays.copyOf(ps, n);
      for (int i = ps.length; i < n; i++) {
        more[i] = new P(i, s);
      }
      s.allp = more;
      ps = more;
    }
    for (int i = old; i < n; i++) {
      ps[i].setStatus(P.GCSTOP);
    }
    P mine = m == null ? null : m.p;
    if (m != null && mine != null && mine.id >= n) {
      Trace.procStop(m, mine);
      mine.m = null;
      m.oldp = null;
      m.p = ps[0];
      ps[0].m = m;
      mine = ps[0];
      Trace.procStart(m, mine);
    }
    for (int i = n; i < old; i++) {
      P dead = ps[i];
      s.globrunqputbatch(dead.runq.drain());
      dead.timers.moveTo(ps[0].timers);
      NewProc.gfpurge(s, dead);
      dead.setStatus(P.DEAD);
      if (s.check) {
        Check.dead(dead);
      }
    }
    s.gomaxprocs = n;
    List<P> runnable = new ArrayList<>();
    for (int i = n - 1; i >= 0; i--) {
      P pp = ps[i];
      if (pp == mine) {
        pp.setStatus(P.RUNNING);
      } else if (pp.runq.isEmpty()) {
        s.pidleput(pp);
      } else {
        pp.setStatus(P.IDLE);
        runnable.add(pp);
      }
    }
    return runnable;
  }

  /**
   * The M gives its P to the stopper and sleeps.
   *
   * @return false when the scheduler was shut down meanwhile
   */
  static boolean gcstopm(M m) {
    Sched s = m.sched;
    if (m.spinning) {
      m.spinning = false;
      Trace.spinStop(m);
      s.nmspinning.decrementAndGet();
    }
    P pp = Threads.releasep(m);
    s.lock.lock();
    stoppedUnderLock(s, pp);
    s.lock.unlock();
    return Threads.stopm(m);
  }

  /** Under lock: a P that nobody holds is stopped. */
  static void stoppedUnderLock(Sched s, P pp) {
    if (s.check) {
      Check.stopped(pp);
    }
    pp.setStatus(P.GCSTOP);
    if (--s.stopwait == 0) {
      s.stopnote.wakeup();
    }
  }
}
