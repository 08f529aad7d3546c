package dev.gmptrace.runtime.sched;

import java.util.concurrent.locks.LockSupport;

/**
 * How sysmon sleeps: a moment between two rounds, and as long as it likes while no P runs. Whoever
 * makes a P run ends the long sleep; it looks at one flag when there is none to end.
 */
final class SysmonSleep {
  private final Sched sched;
  private final Note note = new Note();

  /** In a long sleep; changes under Sched.lock. */
  private volatile boolean waits;

  SysmonSleep(Sched sched) {
    this.sched = sched;
  }

  /** The short sleep. */
  void nap(long nanos) {
    LockSupport.parkNanos(sched, nanos);
  }

  /** The long sleep, while no P runs; ends by {@link #wake}. */
  void sleep(long nanos) {
    sched.lock.lock();
    if (!sched.allIdle() || sched.shutdown) {
      sched.lock.unlock();
      return;
    }
    waits = true;
    sched.lock.unlock();
    boolean _ = note.sleep(nanos);
    sched.lock.lock();
    waits = false;
    note.clear();
    sched.lock.unlock();
  }

  /** A P may run from now on. Not under the lock. */
  void wake() {
    if (waits) {
      sched.lock.lock();
      if (waits) {
        waits = false;
        note.wakeup();
      }
      sched.lock.unlock();
    }
  }

  /** Whether it is in a long sleep. */
  boolean isLong() {
    return waits;
  }
}
