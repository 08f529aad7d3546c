package dev.gmptrace.runtime.sched;

import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Where the last idle M sleeps until the next timer. */
final class Netpoll {
  private final Sched sched;

  /** 1 when nobody polls, 0 while an M does. */
  private final AtomicLong lastpoll = new AtomicLong(1);

  /** Until when the polling M sleeps; 0 for ever. */
  private volatile long pollUntil;

  private final Note note = new Note();
  private final java.util.concurrent.atomic.AtomicBoolean broken =
      new java.util.concurrent.atomic.AtomicBoolean();

  Netpoll(Sched sched) {
    this.sched = sched;
  }

  @Nullable G pollNow(M m) {
    return null;
  }

  @Nullable G pollBlocking(M m, long until, boolean wasSpinning) {
    if (until == 0) {
      return null;
    }
    if (lastpoll.getAndSet(0) == 0) {
      wakeFor(until);
      return null;
    }
    pollUntil = until;
    note.sleep(until - Sched.nanotime());
    pollUntil = 0;
    lastpoll.set(1);
    if (broken.compareAndSet(true, false)) {
      while (!note.signaled()) {
        Thread.onSpinWait();
      }
      note.clear();
    }
    sched.lock.lock();
    P pp = sched.shutdown ? null : sched.pidleget();
    sched.lock.unlock();
    if (pp != null) {
      Threads.acquirep(m, pp);
      if (wasSpinning) {
        m.spinning = true;
        sched.nmspinning.incrementAndGet();
      }
    }
    return null;
  }

  /** A timer is due at {@code when}: somebody must be awake by then. */
  void wakeFor(long when) {
    if (lastpoll.get() == 0) {
      long until = pollUntil;
      if (until == 0 || until > when) {
        breakPoll();
      }
    } else {
      Threads.wakep(sched);
    }
  }

  void breakPoll() {
    if (broken.compareAndSet(false, true)) {
      note.wakeup();
    }
  }
}
