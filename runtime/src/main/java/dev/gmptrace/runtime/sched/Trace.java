package dev.gmptrace.runtime.sched;

import dev.gmptrace.tracer.record.StackOn;
import dev.gmptrace.tracer.record.TraceBuffer;
import dev.gmptrace.tracer.record.TraceStack;
import dev.gmptrace.tracer.record.TraceString;
import dev.gmptrace.tracer.record.Tracer;
import dev.gmptrace.tracer.schedtrace.SchedSnapshot;
import org.jspecify.annotations.Nullable;

/**
 * What the scheduler tells the tracer, a method for each thing that happens.
 *
 * <p>All of them are called in a runtime section of the M, so its P stays. An event goes into the
 * buffer of that P, or into the M's own when it has none. An event that gives a G or a P away is
 * written before anybody else can get hold of it: before it is queued, before the lock it waits
 * under is released, before its status says that it can be taken. When nothing is recorded each
 * method is a load and a branch.
 */
@SuppressWarnings("ReferenceEquality") // constants
final class Trace {
  private static final TraceString GOSCHED = TraceString.constant("runtime.Gosched");
  private static final TraceString THREAD_YIELD = TraceString.constant("java Thread.yield");
  private static final TraceString PREEMPTED = TraceString.constant("preempted");
  private static final TraceString GOMAXPROCS = TraceString.constant("GOMAXPROCS");

  private Trace() {}

  /** The caller's stack, if that is wanted; outside of sections. */
  static TraceStack stack(Sched s, StackOn event) {
    Tracer t = s.tracer;
    return t.enabled() ? t.stack(event) : TraceStack.NONE;
  }

  /** An open section for {@code m}, or null when nothing is recorded. */
  private static @Nullable TraceBuffer begin(M m) {
    if (!m.sched.tracer.enabled()) {
      return null;
    }
    P pp = m.p;
    TraceBuffer b = pp != null ? pp.trace : m.trace.buffer();
    return b.begin(m.trace) ? b : null;
  }

  /**
   * As {@link #begin}, for the event by which a G leaves its M. The next G's start, if it is found
   * at once, is part of the same step and gets the same time, which saves a look at the clock.
   */
  private static @Nullable TraceBuffer beginStep(M m) {
    if (!m.sched.tracer.enabled()) {
      return null;
    }
    P pp = m.p;
    TraceBuffer b = pp != null ? pp.trace : m.trace.buffer();
    long now = System.nanoTime();
    m.stepNanos = now;
    return b.begin(m.trace, now) ? b : null;
  }

  /** As {@link #begin}, with the time of the step that led here if that was a moment ago. */
  private static @Nullable TraceBuffer endStep(M m) {
    if (!m.sched.tracer.enabled()) {
      return null;
    }
    P pp = m.p;
    TraceBuffer b = pp != null ? pp.trace : m.trace.buffer();
    long step = m.stepNanos;
    m.stepNanos = 0;
    return b.begin(m.trace, step != 0 ? step : System.nanoTime()) ? b : null;
  }

  // ---- goroutines -------------------------------------------------------------------------------

  static void goCreate(M m, G gp, TraceStack stack) {
    TraceBuffer b = begin(m);
    if (b != null) {
      b.goCreate(gp, stack);
      b.end();
    }
  }

  static void goStart(M m, G gp) {
    TraceBuffer b = endStep(m);
    if (b != null) {
      b.goStart(gp);
      b.end();
    }
  }

  static void goBlock(M m, G gp) {
    if (m.p == null) {
      gp.silentPark = true;
      return;
    }
    TraceBuffer b = beginStep(m);
    if (b != null) {
      TraceStack st = gp.traceStack;
      if (st != TraceStack.NONE) {
        gp.traceStack = TraceStack.NONE;
      }
      b.goBlock(gp, gp.waitreason.traced(), st);
      b.end();
    }
  }

  static void goStop(M m, G gp, boolean preempted, boolean byJdk) {
    TraceBuffer b = beginStep(m);
    if (b != null) {
      TraceStack st = gp.traceStack;
      if (st != TraceStack.NONE) {
        gp.traceStack = TraceStack.NONE;
      }
      b.goStop(gp, preempted ? PREEMPTED : byJdk ? THREAD_YIELD : GOSCHED, st);
      b.end();
    }
  }

  static void goUnblock(M m, G gp) {
    if (unblocksSilently(gp) || !m.sched.tracer.enabled()) {
      return;
    }
    TraceStack st = m.curg == null ? TraceStack.NONE : m.sched.tracer.stack(StackOn.UNBLOCK);
    TraceBuffer b = begin(m);
    if (b != null) {
      b.goUnblock(gp, st);
      b.end();
    }
  }

  private static boolean unblocksSilently(G gp) {
    boolean silent = gp.silentPark;
    if (silent) {
      gp.silentPark = false;
    }
    return silent;
  }

  static void goDestroy(M m, G gp) {
    TraceBuffer b = beginStep(m);
    if (b != null) {
      if (m.p != null) {
        b.goDestroy(gp);
      }
      b.end();
    }
  }

  static void goDestroySyscall(M m, G gp) {
    TraceBuffer b = begin(m);
    if (b != null) {
      b.goDestroySyscall(gp);
      b.end();
    }
  }

  // ---- from threads that are no M: one stream for all of them, under a lock ---------------------

  static void goCreateOutside(G gp) {
    Sched s = gp.sched;
    if (s.tracer.enabled()) {
      TraceStack st = s.tracer.stack(StackOn.CREATE);
      s.outsideLock.lock();
      try {
        TraceBuffer b = s.outside.buffer();
        if (b.begin(s.outside)) {
          b.goCreate(gp, st);
          b.end();
        }
      } finally {
        s.outsideLock.unlock();
      }
    }
  }

  static void goUnblockOutside(G gp) {
    Sched s = gp.sched;
    if (!unblocksSilently(gp) && s.tracer.enabled()) {
      s.outsideLock.lock();
      try {
        TraceBuffer b = s.outside.buffer();
        if (b.begin(s.outside)) {
          b.goUnblock(gp, TraceStack.NONE);
          b.end();
        }
      } finally {
        s.outsideLock.unlock();
      }
    }
  }

  // ---- syscalls ---------------------------------------------------------------------------------

  static void syscallBegin(M m, G gp, P pp) {
    if (m.sched.tracer.enabled() && pp.trace.begin(m.trace)) {
      TraceStack st = gp.traceStack;
      gp.traceStack = TraceStack.NONE;
      pp.trace.goSyscallBegin(gp, pp, st);
      pp.trace.end();
    }
  }

  static void syscallEnd(M m, G gp, P pp) {
    if (m.sched.tracer.enabled() && pp.trace.begin(m.trace)) {
      pp.trace.goSyscallEnd(gp, pp);
      pp.trace.end();
    }
  }

  /** While the M has no P. */
  static void syscallEndBlocked(M m, G gp) {
    TraceBuffer b = begin(m);
    if (b != null) {
      b.goSyscallEndBlocked(gp);
      b.end();
    }
  }

  /** {@code thief} has won {@code pp}, which was {@code from}'s in a syscall. */
  static void procSteal(@Nullable M thief, P pp, M from) {
    Sched s = pp.sched;
    if (!s.tracer.enabled()) {
      return;
    }
    if (thief == null) {
      s.outsideLock.lock();
      try {
        TraceBuffer b = s.outside.buffer();
        if (b.begin(s.outside)) {
          b.procSteal(pp, from.trace.id());
          b.end();
        }
      } finally {
        s.outsideLock.unlock();
      }
    } else if (pp.trace.begin(thief.trace)) {
      pp.trace.procSteal(pp, from.trace.id());
      pp.trace.end();
    }
  }

  // ---- Ps and Ms --------------------------------------------------------------------------------

  static void procStart(M m, P pp) {
    if (m.sched.tracer.enabled() && pp.trace.begin(m.trace)) {
      pp.trace.procStart(pp);
      pp.trace.end();
    }
  }

  static void procStop(M m, P pp) {
    if (m.sched.tracer.enabled() && pp.trace.begin(m.trace)) {
      pp.trace.procStop(pp);
      pp.trace.end();
    }
  }

  static void handoff(M m, P pp, @Nullable M from, int cause) {
    TraceBuffer b = begin(m);
    if (b != null) {
      b.procHandoff(pp.id, from == null ? -1 : from.trace.id(), cause);
      b.end();
    }
  }

  static void mStart(M m) {
    TraceBuffer b = begin(m);
    if (b != null) {
      b.mStart();
      b.end();
    }
  }

  static void mStop(M m) {
    TraceBuffer b = begin(m);
    if (b != null) {
      b.mStop();
      b.end();
    }
    m.trace.close();
  }

  static void mPark(M m) {
    TraceBuffer b = begin(m);
    if (b != null) {
      b.mPark();
      b.end();
    }
  }

  static void mUnpark(@Nullable M m, M other, boolean wakesSpinner, P pp) {
    if (m == null) {
      return;
    }
    TraceBuffer b = begin(m);
    if (b != null) {
      if (wakesSpinner) {
        b.wakeP(pp.id);
      }
      b.mUnpark(other.trace.id());
      b.end();
    }
  }

  static void spinStart(M m) {
    TraceBuffer b = begin(m);
    if (b != null) {
      b.spinStart();
      b.end();
    }
  }

  static void spinStop(M m) {
    TraceBuffer b = begin(m);
    if (b != null) {
      b.spinStop();
      b.end();
    }
  }

  // ---- work -------------------------------------------------------------------------------------

  static void steal(M m, int victim, int count, int kind) {
    TraceBuffer b = begin(m);
    if (b != null) {
      b.workSteal(victim, count, kind);
      b.end();
    }
  }

  static void globalGet(M m, int count) {
    TraceBuffer b = begin(m);
    if (b != null) {
      b.globalGet(count);
      b.end();
    }
  }

  static void globalPut(M m, int count) {
    TraceBuffer b = begin(m);
    if (b != null) {
      b.globalPut(count);
      b.end();
    }
  }

  static void overflow(M m, int count) {
    TraceBuffer b = begin(m);
    if (b != null) {
      b.localOverflow(count);
      b.end();
    }
  }

  static void timerFired(M m, long late) {
    TraceBuffer b = begin(m);
    if (b != null) {
      b.timerFired(0, Math.max(late, 0));
      b.end();
    }
  }

  static void netpollReady(@Nullable M m, int count) {
    if (m == null) {
      return;
    }
    TraceBuffer b = begin(m);
    if (b != null) {
      b.netpollReady(count);
      b.end();
    }
  }

  static void worldStops(@Nullable M m) {
    TraceBuffer b = m == null ? null : begin(m);
    if (b != null) {
      b.stwBegin(GOMAXPROCS, TraceStack.NONE);
      b.end();
    }
  }

  /** While the world is still stopped. */
  static void procsChange(Sched s, @Nullable M m) {
    if (!s.tracer.enabled()) {
      return;
    }
    if (m != null) {
      TraceBuffer b = begin(m);
      if (b != null) {
        b.procsChange(s.gomaxprocs, TraceStack.NONE);
        b.end();
      }
      return;
    }
    s.outsideLock.lock();
    try {
      TraceBuffer b = s.outside.buffer();
      if (b.begin(s.outside)) {
        b.procsChange(s.gomaxprocs, TraceStack.NONE);
        b.end();
      }
    } finally {
      s.outsideLock.unlock();
    }
  }

  static void worldStarted(@Nullable M m) {
    TraceBuffer b = m == null ? null : begin(m);
    if (b != null) {
      b.stwEnd();
      b.end();
    }
  }

  /**
   * What sysmon has counted. A running system changes meanwhile, so the trace says between which
   * moments it did: the first event has the time at which counting began, {@code since}, those of
   * the Ps have the time at which it had ended.
   */
  static void sample(M sysmon, SchedSnapshot s, long since) {
    Sched sched = sysmon.sched;
    if (!sched.tracer.enabled()) {
      return;
    }
    P[] ps = sched.allp;
    int n = s.procs().size();
    int[] next = new int[n];
    for (int i = 0; i < n; i++) {
      next[i] = ps[i].runq.hasNext() ? 1 : 0;
    }
    TraceBuffer b = sysmon.trace.buffer();
    if (b.begin(sysmon.trace, since + Sched.CLOCK_ZERO)) {
      b.schedSample(
          s.gomaxprocs(),
          s.idleprocs(),
          s.threads(),
          s.spinningthreads(),
          s.needspinning(),
          s.idlethreads(),
          s.runqueue());
      b.end();
    }
    if (b.begin(sysmon.trace)) {
      for (SchedSnapshot.Proc p : s.procs()) {
        b.queueSample(p.id(), p.runqsize(), next[p.id()], p.timerslen(), p.schedtick());
      }
      b.end();
    }
  }
}
