package dev.gmptrace.runtime.sched;

import dev.gmptrace.tracer.schedtrace.SchedSnapshot;
import dev.gmptrace.tracer.schedtrace.SchedTraceFormat;
import dev.gmptrace.tracer.wire.HandoffCause;

/**
 * The monitor: a thread without a P that looks after those who cannot look after themselves.
 *
 * <ul>
 *   <li>retake: takes the P of an M that is in a syscall for a tick or more, when there is a use
 *       for it; and of an M that sleeps in the kernel without having said so;
 *   <li>asks a G that has run for 10 ms to give way;
 *   <li>polls the network when nobody did for 10 ms;
 *   <li>prints schedtrace lines;
 *   <li>looks for deadlocks when everything is idle.
 * </ul>
 *
 * It sleeps 20 us between rounds, longer when there is nothing to do for 50 rounds, 10 ms at most;
 * and when no P runs at all, until somebody wakes it. A round that finds a syscall it has not seen
 * before is followed by one 20 us later, however long the sleeps have become. Otherwise syscalls of
 * a millisecond would never be the same at two rounds, nothing would be retaken, and so the sleeps
 * would stay long: blocked Ps for good.
 */
final class Sysmon extends Thread {
  private static final long TICK = 20_000;
  private static final long MAX_TICK = 10_000_000;
  private static final long SLICE = 10_000_000;
  private static final long SAMPLE = 10_000_000;

  /**
   * After so long on one G it is worth asking the kernel whether the thread sleeps; then again when
   * that has doubled, because asking means reading a file of the kernel's, and at last with every
   * slice, because a G that computed for a second may block in the next moment.
   */
  private static final long SUSPICIOUS = 1_000_000;

  private final Sched sched;
  private final Deadlock deadlock;

  /** Never runs anything; it is what the tracer and schedtrace know this thread as. */
  private final M m;

  /** This round saw an M in a syscall that the last one did not. */
  private boolean newSyscall;

  private long lineFirst;
  private long lineNext;
  private long sampleNext;

  /** The last sample found every P idle, so nothing has to be told before the long sleep. */
  private boolean sampledIdle;

  Sysmon(Sched sched, M m) {
    super(null, null, sched.name + "-sysmon", 0, false);
    this.sched = sched;
    this.m = m;
    this.deadlock = new Deadlock(sched);
    setDaemon(true);
  }

  Sched sched() {
    return sched;
  }

  @Override
  public void run() {
    try {
      watch();
    } catch (Throwable t) {
      // It starts threads for others, and may be the one who finds that there are too many.
      sched.ending.fatal(t);
    }
  }

  private void watch() {
    Kernel.sleepExactly();
    int idle = 0;
    long delay = 0;
    long lineEvery = sched.config.schedTraceMillis() * 1_000_000L;
    lineNext = sched.startTime;
    while (!sched.shutdown) {
      if (idle == 0) {
        delay = TICK;
      } else if (idle > 50) {
        delay = Math.min(delay * 2, MAX_TICK);
      }
      boolean second = newSyscall;
      sched.sysmonSleep.nap(second ? TICK : delay);
      newSyscall = false;
      long now = Sched.nanotime();
      if (lineEvery > 0 && now >= lineNext) {
        lineNext = now + lineEvery;
        line(now);
      } else if (now >= sampleNext) {
        sample(now);
      }
      if (sched.allIdle()) {
        long again = deadlock.look();
        if (lineEvery <= 0) {
          if (!sampledIdle) {
            // The last count was of a busy system and would be taken for true until we wake.
            sample(Sched.nanotime());
          }
          sched.sysmonSleep.sleep(again);
          idle = 0;
          continue;
        }
      }
      boolean busy = sched.netpoll.pollIfStale(now);
      boolean took = retake(now);
      newSyscall &= !second; // short ones in a row must not keep us awake
      if (took || busy) {
        idle = 0;
      } else {
        idle++;
      }
    }
  }

  /** Counts once, for the line and for the recording, so that both tell the same. */
  private void line(long now) {
    // As in Go, time begins with the first line.
    lineFirst = lineFirst == 0 ? now : lineFirst;
    SchedSnapshot s =
        Snapshots.take(sched, (now - lineFirst) / 1_000_000, sched.config.schedDetail());
    record(now, s);
    StandardError.print(SchedTraceFormat.GO_1_25.format(s));
  }

  private void sample(long now) {
    if (sched.tracer.enabled()) {
      record(now, Snapshots.take(sched, 0, false));
    }
  }

  private void record(long now, SchedSnapshot s) {
    sampleNext = now + SAMPLE;
    sampledIdle = s.idleprocs() == s.gomaxprocs();
    Trace.sample(m, s, now);
  }

  private boolean retake(long now) {
    boolean took = false;
    P[] ps = sched.allp;
    int n = sched.gomaxprocs;
    for (int i = 0; i < n; i++) {
      P pp = ps[i];
      M mp = pp.m;
      if (mp == null || pp.status() != P.RUNNING) {
        continue;
      }
      if (mp.syscallp == pp) {
        took |= retakeSyscall(pp, now);
        continue;
      }
      int tick = pp.schedtick;
      if (pp.sysmonSchedtick != tick) {
        pp.sysmonSchedtick = tick;
        pp.sysmonSchedwhen = now;
        pp.sysmonLook = SUSPICIOUS;
        continue;
      }
      long ran = now - pp.sysmonSchedwhen;
      if (ran >= SLICE && mp.curg != null) {
        mp.attend(M.ATTENTION_PREEMPT);
      }
      if (ran >= pp.sysmonLook && mp.curg != null && wanted(now)) {
        pp.sysmonLook = ran + Math.min(ran, SLICE);
        took |= takeBlocked(mp, pp);
      }
    }
    return took;
  }

  private boolean retakeSyscall(P pp, long now) {
    int tick = pp.syscalltick;
    if (pp.sysmonSyscalltick != tick) {
      pp.sysmonSyscalltick = tick;
      pp.sysmonSyscallwhen = now;
      newSyscall = true;
      return false;
    }
    // Nobody needs it yet: leave it, but not for ever, or sysmon could never sleep deeply.
    if (pp.runq.isEmpty()
        && sched.nmspinning.get() + sched.npidle.get() > 0
        && !sched.gcwaiting
        && pp.sysmonSyscallwhen + SLICE > now) {
      return false;
    }
    M from = pp.m;
    if (!Syscalls.take(m, pp)) {
      return false;
    }
    Threads.handoffp(sched, m, pp, from, HandoffCause.SYSMON);
    return true;
  }

  /** Whether another P would have something to do. */
  private boolean wanted(long now) {
    if (sched.gcwaiting) {
      return true;
    }
    if (sched.npidle.get() > 0) {
      return false;
    }
    if (sched.runqsize > 0) {
      return true;
    }
    P[] ps = sched.allp;
    for (int i = 0; i < sched.gomaxprocs; i++) {
      long when = ps[i].timers.wakeTime();
      if (!ps[i].runq.isEmpty() || (when != 0 && when <= now)) {
        return true;
      }
    }
    return false;
  }

  /** The protocol is told in M: ask, look at the thread twice, and act only if it slept through. */
  private boolean takeBlocked(M mp, P pp) {
    if (mp.tid == 0 || mp.locks() != 0) {
      return false;
    }
    long before = Kernel.switchesIfAsleep(mp.tid);
    if (before < 0) {
      return false;
    }
    boolean took = false;
    mp.takeLock.lock();
    try {
      mp.attend(M.ATTENTION_TAKE);
      before = Kernel.switchesIfAsleep(mp.tid);
      G gp = mp.curg;
      if (before >= 0
          && mp.locks() == 0
          && mp.p == pp
          && pp.m == mp
          && gp != null
          && gp.status() == G.RUNNING
          && gp.m == mp
          && Kernel.switchesIfAsleep(mp.tid) == before) {
        // It sleeps, and what it does when it wakes begins with seeing our request.
        Syscalls.enterForSleeper(mp, gp);
        took = Syscalls.take(m, pp);
        mp.attend(M.ATTENTION_PREEMPT);
      }
    } finally {
      mp.attended(M.ATTENTION_TAKE);
      mp.takeLock.unlock();
    }
    if (took) {
      Threads.handoffp(sched, m, pp, mp, HandoffCause.BLOCKED);
    }
    return took;
  }
}
