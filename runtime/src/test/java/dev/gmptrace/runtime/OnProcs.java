package dev.gmptrace.runtime;

import dev.gmptrace.runtime.sched.Proc;
import dev.gmptrace.runtime.sched.Sched;
import dev.gmptrace.runtime.sched.SchedOptions;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Runs a test as main goroutine of a scheduler of its own, with the scheduler's checks on. What a
 * goroutine does not catch, such as a failed assertion, fails the test.
 */
@SuppressWarnings("ReferenceEquality") // schedulers are identities
public final class OnProcs {
  private OnProcs() {}

  /** Runs {@code main} and throws what it throws, else what the first of its goroutines threw. */
  public static void run(int procs, Runnable main) {
    Sched s = new Sched(SchedOptions.defaults().withProcs(procs).withCheck(true));
    Queue<Throwable> uncaught = new ConcurrentLinkedQueue<>();
    Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
    Thread.setDefaultUncaughtExceptionHandler((thread, e) -> {
      if (Proc.currentSched() == s) {
        uncaught.add(e);
        e.printStackTrace(); // seen even when main now waits for ever
      } else if (before != null) {
        before.uncaughtException(thread, e);
      }
    });
    try {
      Go.run(s, main);
    } finally {
      Thread.setDefaultUncaughtExceptionHandler(before);
      s.shutdown();
    }
    Throwable first = uncaught.peek();
    if (first != null) {
      throw new AssertionError("uncaught in a goroutine: " + first, first);
    }
  }
}
