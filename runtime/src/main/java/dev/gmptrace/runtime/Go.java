package dev.gmptrace.runtime;

import dev.gmptrace.runtime.sched.G;
import dev.gmptrace.runtime.sched.Proc;
import dev.gmptrace.runtime.sched.Sched;
import dev.gmptrace.runtime.sched.SchedOptions;
import dev.gmptrace.runtime.sched.Timer;
import dev.gmptrace.runtime.sched.WaitReason;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/** Go's way to say it: {@code Go.run(() -> { go(() -> …); … })}. */
public final class Go {
  private Go() {}

  private static final class Default {
    static final Sched SCHED = new Sched(SchedOptions.defaults());
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
    CountDownLatch done = new CountDownLatch(1);
    Throwable[] thrown = new Throwable[1];
    s.go(() -> {
      try {
        main.run();
      } catch (Throwable t) {
        thrown[0] = t;
      } finally {
        done.countDown();
      }
    });
    try {
      done.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while main ran", e);
    }
    switch (thrown[0]) {
      case null -> {}
      case RuntimeException e -> throw e;
      case Error e -> throw e;
      default -> throw new IllegalStateException(thrown[0]);
    }
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
