package dev.gmptrace.runtime.sched;

import org.jspecify.annotations.Nullable;

/**
 * A timer of the runtime: at {@code when} it calls a function on g0 of some M. {@link #stop} and
 * {@link #reset} are exact: they say whether they came before the firing, and exactly one of
 * "fired" and "stopped" is true of each start.
 */
public final class Timer {
  /** What a timer does. Runs on g0: it must not park, block or throw. */
  @FunctionalInterface
  public interface Fire {
    /**
     * Called once for each firing.
     *
     * @param arg as given to the timer
     * @param seq which start of the timer this firing belongs to
     * @param now the time, as by {@link Sched#nanotime}
     */
    void fire(@Nullable Object arg, long seq, long now);
  }

  final Sched sched;
  final Fire fire;
  final @Nullable Object arg;

  /** The heap it is in; null while it is not pending. Changes under the lock of old and new. */
  volatile @Nullable Timers ts;

  // Under the lock of ts.
  int index = -1;
  long when;
  long period;
  long seq;
  long order;

  private final RuntimeMutex lock = new RuntimeMutex();

  /** A timer that is not yet running. */
  public Timer(Sched sched, Fire fire, @Nullable Object arg) {
    this.sched = sched;
    this.fire = fire;
    this.arg = arg;
  }

  /** Makes it fire in {@code nanos}. Like {@link #reset} for a timer that never ran. */
  public void start(long nanos) {
    boolean _ = reset(nanos, 0);
  }

  /**
   * Makes it fire in {@code nanos} and then, unless {@code period} is 0, every {@code period}
   * nanoseconds.
   *
   * @return whether it was still to fire
   */
  public boolean reset(long nanos, long period) {
    M m = M.current();
    if (m != null) {
      m.acquire();
    }
    lock.lock();
    boolean pending = removeFromHeap();
    long now = Sched.nanotime();
    long at = now + Math.max(nanos, 0);
    this.when = at < 0 ? Long.MAX_VALUE : at;
    this.period = period;
    this.seq++;
    P pp = m == null || m.sched != sched ? null : m.p;
    (pp == null ? sched.allp[0] : pp).timers.add(this);
    lock.unlock();
    if (m != null) {
      m.release();
    }
    return pending;
  }

  /**
   * Makes it not fire.
   *
   * @return whether it was still to fire
   */
  public boolean stop() {
    lock.lock();
    boolean pending = removeFromHeap();
    seq++;
    lock.unlock();
    return pending;
  }

  /** When it is or was due, by {@link Sched#nanotime}. */
  public long when() {
    return when;
  }

  /** Which start of the timer is the newest; a firing with an older one is stale. */
  public long seq() {
    return seq;
  }

  private boolean removeFromHeap() {
    for (; ; ) {
      Timers in = ts;
      if (in == null) {
        return false;
      }
      in.lock.lock();
      if (ts == in) {
        in.remove(this);
        in.lock.unlock();
        return true;
      }
      in.lock.unlock(); // fired, or moved to another P
    }
  }
}
