package dev.gmptrace.runtime.sched;

import dev.gmptrace.runtime.jdk.Jdk;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The end of a scheduler, asked for or not: wakes whoever sleeps, so that all its threads end, and
 * tells whoever waits for a goroutine that it will not come.
 */
final class Ending {
  private final Sched sched;
  private final AtomicBoolean broken = new AtomicBoolean();
  private final ConcurrentLinkedQueue<Runnable> last = new ConcurrentLinkedQueue<>();

  Ending(Sched sched) {
    this.sched = sched;
  }

  /**
   * There is no way on: says so, ends the scheduler, and lets every {@link Sched#run} throw. What
   * Go's throw does to a process. Whoever calls it may have been called by somebody who did
   * already.
   */
  void fatal(Throwable t) {
    if (!broken.compareAndSet(false, true)) {
      return;
    }
    sched.failure = t;
    if (t instanceof FatalError) {
      System.err.println(t.getMessage());
    } else {
      System.getLogger("dev.gmptrace.runtime")
          .log(System.Logger.Level.ERROR, "the scheduler " + sched.name + " is broken", t);
    }
    end(null);
  }

  /**
   * Ends it.
   *
   * @param caller a main that runs on this thread is let go on; null for none
   */
  void end(@Nullable Thread caller) {
    Thread pinned = Jdk.pin(); // a goroutine of this scheduler that left its M would not come back
    try {
      sched.lock.lock();
      sched.shutdown = true;
      for (M mp = sched.mget(); mp != null; mp = sched.mget()) {
        mp.nextp = null;
        mp.park.wakeup();
      }
      Threads.wakeLocked(sched);
      sched.lock.unlock();
      sched.nap.kick();
      sched.sysmonWake();
      for (MainRun run : sched.mainRuns.values()) {
        if (!run.endsOn(caller)) {
          run.fail(reason());
        }
      }
      sched.netpoll.close();
      sched.recordings.stop();
      for (Runnable then = last.poll(); then != null; then = last.poll()) {
        then.run();
      }
    } finally {
      Jdk.unpin(pinned);
    }
  }

  /** What those get who waited for a goroutine that is abandoned. */
  Throwable reason() {
    Throwable why = sched.failure;
    return why != null
        ? why
        : new IllegalStateException("the scheduler " + sched.name + " is shut down");
  }

  /** See {@link Sched#atShutdown}. */
  void add(Runnable then) {
    last.add(then);
    if (sched.shutdown && last.remove(then)) {
      then.run();
    }
  }
}
