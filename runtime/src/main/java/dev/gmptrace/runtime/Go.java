package dev.gmptrace.runtime;

import dev.gmptrace.runtime.sched.G;
import dev.gmptrace.runtime.sched.Proc;
import dev.gmptrace.runtime.sched.Sched;
import dev.gmptrace.runtime.sched.SchedOptions;
import dev.gmptrace.runtime.sched.Timer;
import dev.gmptrace.runtime.sched.WaitReason;
import java.time.Duration;

/** Go's way to say it: {@code Go.run(() -> { go(() -> …); … })}. */
public final class Go {
  private Go() {}

  private static final class Default {
    static final Sched SCHED = new Sched(SchedOptions.fromEnvironment());
  }

  /** The scheduler of the calling goroutine, else the default one. */
  public static Sched sched() {
    Sched s = Proc.currentSched();
    return s != null ? s : Default.SCHED;
  }

  /** Runs {@code main} as a goroutine and returns when it returns. */
  public static void run(Runnable main) {
    run(Default.SCHED, main);
  }

  /** Runs {@code main} as a goroutine of {@code s} and returns when it returns. */
  public static void run(Sched s, Runnable main) {
    s.run(main);
  }

  /** Starts a goroutine. */
  public static void go(Runnable fn) {
    sched().go(fn);
  }

  /** Lets other goroutines run. */
  public static void gosched() {
    Proc.gosched();
  }

  /** Gives way when the time slice is over; for loops that call nothing of the runtime. */
  public static void checkPreempt() {
    Proc.checkPreempt();
  }

  /** Sleeps. */
  public static void sleep(Duration d) {
    G gp = Proc.getg();
    if (gp == null) {
      try {
        Thread.sleep(d);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      return;
    }
    long nanos = d.toNanos();
    if (nanos <= 0) {
      Proc.gosched();
      return;
    }
    Timer t = new Timer(sched(), (arg, seq, now) -> Proc.goready(gp), null);
    Proc.gopark(
        gp,
        (g, lock) -> {
          t.start(nanos);
          return true;
        },
        null,
        WaitReason.SLEEP);
  }
}
