package dev.gmptrace.runtime.sched;

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
 * and when no P runs at all, until somebody wakes it.
 */
final class Sysmon extends Thread {
  private static final long TICK = 20_000;
  private static final long MAX_TICK = 10_000_000;
  private static final long SLICE = 10_000_000;
  private static final long SAMPLE = 10_000_000;

  /** After so long on one G it is worth asking the kernel whether the thread sleeps. */
  private static final long SUSPICIOUS = 1_000_000;

  private final Sched sched;
  private final Deadlock deadlock;

  /** Never runs anything; it is what the tracer and schedtrace know this thread as. */
  private final M m;

  Sysmon(Sched sched, M m) {
    super(null, null, sched.name + "-sysmon", 0, false);
    this.sched = sched;
    this.m = m;
    this.deadlock = new Deadlock(sched);
    setDaemon(true);
  }

  @Override
  public void run() {
    int idle = 0;
    long delay = 0;
    long traceEvery = sched.config.schedTraceMillis() * 1_000_000L;
    long traceStart = 0;
    long traceNext = sched.startTime;
    long sampleNext = 0;
    while (!sched.shutdown) {
      if (idle == 0) {
        delay = TICK;
      } else if (idle > 50) {
        delay = Math.min(delay * 2, MAX_TICK);
      }
      sched.sysmonNap(delay);
      long now = Sched.nanotime();
      if (traceEvery > 0 && now >= traceNext) {
        // As in Go, time begins with the first line.
        traceStart = traceStart == 0 ? now : traceStart;
        traceNext = now + traceEvery;
        // A recording counts at the moment of a line, so that both tell the same.
        sampleNext = now;
        System.err.print(
            SchedTraceFormat.GO_1_25.format(Snapshots.take(sched, (now - traceStart) / 1_000_000)));
      }
      if (now >= sampleNext && sched.tracer.enabled()) {
        sampleNext = now + SAMPLE;
        Trace.sample(m);
      }
      if (sched.allIdle()) {
        long again = deadlock.look();
        if (traceEvery <= 0) {
          sched.sysmonSleep(again);
          idle = 0;
          continue;
        }
      }
      boolean busy = sched.netpoll.pollIfStale(now);
      if (retake(now) || busy) {
        idle = 0;
      } else {
        idle++;
      }
    }
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
        continue;
      }
      long ran = now - pp.sysmonSchedwhen;
      if (ran >= SLICE && !sched.config.asyncPreemptOff() && mp.curg != null) {
        mp.attend(M.ATTENTION_PREEMPT);
      }
      if (ran >= SUSPICIOUS && mp.curg != null && wanted(now) && takeBlocked(mp, pp)) {
        took = true;
      }
    }
    return took;
  }

  private boolean retakeSyscall(P pp, long now) {
    int tick = pp.syscalltick;
    if (pp.sysmonSyscalltick != tick) {
      pp.sysmonSyscalltick = tick;
      pp.sysmonSyscallwhen = now;
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
