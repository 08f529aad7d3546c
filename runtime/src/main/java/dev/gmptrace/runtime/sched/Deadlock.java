package dev.gmptrace.runtime.sched;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Finds out that nothing can ever happen again: Go's checkdead.
 *
 * <p>It must never be wrong, and a JVM has many threads that might ready a G some day. So all of
 * this must hold: every P is idle; every live G waits, each for something that only another G can
 * give (no I/O, no JDK lock, no syscall); no timer is set; and every platform thread that is alive
 * is one of ours, one of the JDK's own, or waits for this very program to end ({@link MainRun}).
 * Looked at twice, a moment apart, with no scheduling in between. A program with other threads of
 * its own simply gets no report.
 */
final class Deadlock {
  static final long AGAIN = 500_000_000;
  static final long AT_MOST = 60_000_000_000L;

  private final Sched sched;
  private boolean reported;

  Deadlock(Sched sched) {
    this.sched = sched;
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
    if (othersAlive()) {
      return AGAIN; // they may end, and nobody tells us
    }
    java.util.concurrent.locks.LockSupport.parkNanos(10_000_000);
    if (ticks() != ticks
        || !sched.allIdle()
        || !allAsleepForGood()
        || othersAlive()
        || nobodyWaits()) {
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

  /** Whether a thread is alive that is neither ours nor the JDK's nor waits for this scheduler. */
  private boolean othersAlive() {
    ThreadGroup root = Thread.currentThread().getThreadGroup();
    while (root.getParent() != null) {
      root = root.getParent();
    }
    Thread[] all = new Thread[root.activeCount() + 64];
    int n = root.enumerate(all, true);
    if (n == all.length) {
      return true;
    }
    for (int i = 0; i < n; i++) {
      if (!harmless(all[i])) {
        return true;
      }
    }
    return false;
  }

  private boolean harmless(Thread t) {
    if (t instanceof MThread || t instanceof Sysmon || sched.mainRuns.containsKey(t)) {
      return true;
    }
    ThreadGroup group = t.getThreadGroup();
    if (group == null) {
      return true; // it has ended
    }
    String name = t.getName();
    return group.getName().equals("system")
        || group.getName().equals("InnocuousThreadGroup")
        || name.startsWith("gmptrace-")
        || name.equals("DestroyJavaVM");
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
        sb.append("created by goroutine ").append(gp.parentGoid).append('\n');
      }
      sb.append('\n');
    }
    return sb.toString();
  }
}
