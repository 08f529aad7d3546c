package dev.gmptrace.runtime.sched;

import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A thread that waits for a goroutine to return: the inside of {@code Go.run}, and of {@code
 * Go.call} on a virtual thread.
 *
 * <p>It hears of a shutdown in any case: it is in {@code Sched.mainRuns} before it looks whether
 * the scheduler is shut down, and shutdown says that it is before it goes through them.
 */
@SuppressWarnings("ReferenceEquality") // threads and Ms are identities
final class MainRun implements TaskWrapper {
  private final Sched sched;
  private final Runnable main;
  private final Thread waiter = Thread.currentThread();
  private volatile boolean done;
  private volatile @Nullable Throwable thrown;
  private volatile @Nullable Thread goroutine;

  /** The goroutine returned with its interrupt flag set. */
  private volatile boolean interrupted;

  /** The M on which main shut the scheduler down, after which no other can run it. */
  private volatile @Nullable M last;

  MainRun(Sched sched, Runnable main) {
    this.sched = sched;
    this.main = main;
  }

  /** Runs {@code main} as a goroutine; an interrupt of the caller is passed on to it. */
  static void run(Sched s, Runnable main, @Nullable String name) {
    MainRun run = new MainRun(s, main);
    s.mainRuns.put(run.waiter, run);
    try {
      G _ = NewProc.newproc(s, run, name);
      run.await();
    } finally {
      s.mainRuns.remove(run.waiter);
    }
    if (run.interrupted) {
      run.waiter.interrupt();
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
    interrupted = Thread.currentThread().isInterrupted();
    done = true;
    LockSupport.unpark(waiter);
  }

  @Override
  public Object fn() {
    return main instanceof TaskWrapper w ? w.fn() : main;
  }

  /** Whether main runs on {@code thread}, which shuts the scheduler down: then it may still end. */
  boolean endsOn(@Nullable Thread thread) {
    if (thread == null || goroutine != thread) {
      return false;
    }
    last = M.current();
    return true;
  }

  /** {@code m} ends, after a shutdown: a main that asked for it there, and has left, is not run. */
  static void abandonedBy(M m) {
    for (MainRun run : m.sched.mainRuns.values()) {
      if (run.last == m) {
        run.fail(m.sched.ending.reason());
      }
    }
  }

  /** Main has returned; its caller may not have noticed yet. */
  boolean done() {
    return done;
  }

  /** Lets the caller go on with an error although main has not returned. */
  void fail(Throwable t) {
    if (done) {
      return;
    }
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
