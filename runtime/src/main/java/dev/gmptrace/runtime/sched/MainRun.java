package dev.gmptrace.runtime.sched;

import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A thread that waits for a main goroutine to return: the inside of {@code Go.run}. */
final class MainRun implements Runnable {
  private final Sched sched;
  private final Runnable main;
  private final Thread waiter = Thread.currentThread();
  private volatile boolean done;
  private volatile @Nullable Throwable thrown;
  private volatile @Nullable Thread goroutine;

  MainRun(Sched sched, Runnable main) {
    this.sched = sched;
    this.main = main;
  }

  /** Runs {@code main} as a goroutine; an interrupt of the caller is passed on to it. */
  static void run(Sched s, Runnable main) {
    MainRun run = new MainRun(s, main);
    s.mainRuns.put(run.waiter, run);
    try {
      NewProc.newproc(s, run, "main");
      run.await();
    } finally {
      s.mainRuns.remove(run.waiter);
    }
    if (run.thrown != null) {
      withCaller(run.thrown);
    }
    switch (run.thrown) {
      case null -> {}
      case RuntimeException e -> throw e;
      case Error e -> throw e;
      default -> throw new IllegalStateException(run.thrown);
    }
  }

  /**
   * The stack of what main threw ends where its goroutine began; what called {@code Go.run} is
   * wanted too. The JDK's source launcher even relies on finding its own frames there.
   */
  private static void withCaller(Throwable t) {
    StackTraceElement[] inside = t.getStackTrace();
    StackTraceElement[] outside = new Throwable().getStackTrace();
    StackTraceElement[] both = Arrays.copyOf(inside, inside.length + outside.length - 1);
    System.arraycopy(outside, 1, both, inside.length, outside.length - 1);
    t.setStackTrace(both);
  }

  @Override
  public void run() {
    goroutine = Thread.currentThread();
    try {
      main.run();
    } catch (Throwable t) {
      thrown = t;
    }
    goroutine = null;
    done = true;
    LockSupport.unpark(waiter);
  }

  /** Main has returned; its caller may not have noticed yet. */
  boolean done() {
    return done;
  }

  /** Lets the caller go on with an error although main has not returned. */
  void fail(Throwable t) {
    thrown = t;
    done = true;
    LockSupport.unpark(waiter);
  }

  private void await() {
    while (!done) {
      LockSupport.park(sched);
      if (Thread.interrupted()) {
        Thread t = goroutine;
        if (t != null) {
          t.interrupt();
        }
      }
    }
  }
}
