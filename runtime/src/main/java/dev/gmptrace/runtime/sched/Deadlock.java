package dev.gmptrace.runtime.sched;

import dev.gmptrace.tracer.record.EntrySite;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Finds out that nothing can ever happen again: Go's checkdead.
 *
 * <p>It must never be wrong, and a JVM has many threads that might ready a G some day. So all of
 * this must hold: every P is idle; every live G waits, each for something that only another G can
 * give (no I/O, no JDK lock, no syscall); no timer is set; and nobody else is there who might come
 * ({@link Others}). Looked at twice, a moment apart, with no scheduling in between. A program with
 * other threads of its own simply gets no report.
 */
@SuppressWarnings("ReferenceEquality") // the unknown site is an identity
final class Deadlock {
  static final long AGAIN = 500_000_000;
  static final long AT_MOST = 60_000_000_000L;

  private final Sched sched;
  private final Others others;
  private boolean reported;

  Deadlock(Sched sched) {
    this.sched = sched;
    this.others = new Others(sched);
  }

  /**
   * By sysmon, when all Ps are idle.
   *
   * @return how long it may sleep before it should look again
   */
  long look() {
    if (reported || nobodyWaits()) {
      return AT_MOST;
    }
    long ticks = ticks();
    if (!allAsleepForGood()) {
      return AT_MOST; // whoever wakes a G wakes us too
    }
    if (others.mayCome()) {
      return AGAIN; // they may end, and nobody tells us
    }
    java.util.concurrent.locks.LockSupport.parkNanos(10_000_000);
    if (ticks() != ticks
        || !sched.allIdle()
        || !allAsleepForGood()
        || others.mayCome()
        || nobodyWaits()) {
      return AGAIN;
    }
    if (others.handleSignals()) {
      return AGAIN;
    }
    reported = true;
    report();
    return AT_MOST;
  }

  /** As in Go, goroutines that are left when main has returned are nobody's concern. */
  private boolean nobodyWaits() {
    return sched.mainRuns.values().stream().allMatch(MainRun::done);
  }

  private long ticks() {
    long n = 0;
    for (P pp : sched.allp) {
      n += pp.schedtick;
    }
    return n;
  }

  private boolean allAsleepForGood() {
    sched.lock.lock();
    try {
      if (sched.runqsize != 0 || sched.netpoll.anyWaiters()) {
        return false;
      }
      for (P pp : sched.allp) {
        if (!pp.runq.isEmpty() || pp.timers.hasAny()) {
          return false;
        }
      }
      boolean[] found = new boolean[2];
      sched.allgs.forEach(gp -> {
        int status = gp.status();
        if (status == G.DEAD || status == G.IDLE) {
          return;
        }
        found[0] = true;
        if (status != G.WAITING || gp.waitreason.external()) {
          found[1] = true;
        }
      });
      return found[0] && !found[1];
    } finally {
      sched.lock.unlock();
    }
  }

  private void report() {
    FatalError error = new FatalError("all goroutines are asleep - deadlock!");
    System.err.print(error.getMessage() + "\n\n" + dump(sched));
    for (MainRun run : sched.mainRuns.values()) {
      run.fail(error);
    }
  }

  /** Every goroutine with its state, wait reason and stack, as in Go. */
  static String dump(Sched s) {
    List<G> live = new ArrayList<>();
    s.allgs.forEach(gp -> {
      int status = gp.status();
      if (status != G.DEAD && status != G.IDLE) {
        live.add(gp);
      }
    });
    live.sort(Comparator.comparingLong(G::goid));
    StringBuilder sb = new StringBuilder();
    for (G gp : live) {
      String state =
          gp.status() == G.WAITING && !gp.waitreason.text().isEmpty()
              ? gp.waitreason.text()
              : gp.describeStatus();
      sb.append("goroutine ").append(gp.goid()).append(" [").append(state);
      if (gp.lockedm != null) {
        sb.append(", locked to thread");
      }
      sb.append("]:\n");
      Thread t = gp.thread;
      if (t != null) {
        for (StackTraceElement frame : t.getStackTrace()) {
          String owner = frame.getClassName();
          if (!owner.startsWith("java.lang.VirtualThread")
              && !owner.startsWith("jdk.internal.vm.")) {
            sb.append("\tat ").append(frame).append('\n');
          }
        }
      }
      if (gp.parentGoid != 0) {
        sb.append("created by goroutine ").append(gp.parentGoid);
        if (gp.entry() != EntrySite.UNKNOWN) {
          sb.append(" as ").append(gp.entry().name());
        }
        sb.append('\n');
      }
      sb.append('\n');
    }
    return sb.toString();
  }
}
