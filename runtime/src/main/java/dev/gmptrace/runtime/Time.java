package dev.gmptrace.runtime;

import dev.gmptrace.runtime.sched.Foreign;
import dev.gmptrace.runtime.sched.G;
import dev.gmptrace.runtime.sched.Proc;
import dev.gmptrace.runtime.sched.Sched;
import dev.gmptrace.runtime.sched.WaitReason;
import dev.gmptrace.runtime.sched.Waiter;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

/** Go's {@code time}, as far as it has to do with goroutines. */
public final class Time {
  private static final Duration FOREVER = Duration.ofNanos(Long.MAX_VALUE);

  private Time() {}

  /** Pauses the calling goroutine; when {@code d} is not positive it only lets others run. */
  public static void sleep(Duration d) {
    long nanos = nanos(d);
    G gp = Proc.enter();
    if (nanos <= 0) {
      Proc.gosched();
      return;
    }
    if (gp == null) {
      Foreign.call(Go.sched(), () -> sleep(d));
      return;
    }
    Waiter.sleep(gp, nanos, WaitReason.SLEEP);
  }

  /** A channel that gets the time once, in {@code d}. */
  public static ReceiveChan<Instant> after(Duration d) {
    return new Timer(d).channel();
  }

  /** A timer whose channel gets the time once, in {@code d}. */
  public static Timer newTimer(Duration d) {
    return new Timer(d);
  }

  /** A timer that calls {@code f} in a goroutine of its own, in {@code d}. */
  public static FuncTimer afterFunc(Duration d, Runnable f) {
    return new FuncTimer(d, f);
  }

  /** A channel that gets the time every {@code d}, for as long as the program runs. */
  public static ReceiveChan<Instant> tick(Duration d) {
    return new Ticker(d).channel();
  }

  /** A ticker whose channel gets the time every {@code d}, until it is stopped. */
  public static Ticker newTicker(Duration d) {
    return new Ticker(d);
  }

  /** As nanoseconds; 292 years at most, 0 at least. */
  static long nanos(Duration d) {
    return d.compareTo(FOREVER) >= 0 ? Long.MAX_VALUE : d.isNegative() ? 0 : d.toNanos();
  }

  /**
   * A channel that a runtime timer sends to. After a stop or reset no older time comes out of it,
   * as in Go since 1.23: a firing counts only if it belongs to the newest start, and starts and
   * stops empty the channel, all under the channel's lock. So nobody can tell that there is a
   * buffer, and its length and capacity are 0.
   */
  static final class TimeChan {
    final HChan<Instant> c = HChan.ofTimer();
    private final dev.gmptrace.runtime.sched.Timer timer;
    private long live; // under the lock of c

    TimeChan() {
      Sched s = Go.sched();
      timer = new dev.gmptrace.runtime.sched.Timer(s, (arg, seq, now) -> fire(seq), null);
    }

    void fire(long seq) {
      c.lock();
      if (seq != live || !c.sendNow(Instant.now())) {
        c.unlock(); // stale; or nobody has taken the last one, and then this tick is dropped
      }
    }

    boolean start(long nanos, long period) {
      c.lock();
      live = timer.seq() + 1;
      boolean pending = c.clearBuffer();
      pending |= timer.reset(nanos, period);
      c.unlock();
      return pending;
    }

    boolean stop() {
      c.lock();
      live = 0;
      boolean pending = c.clearBuffer();
      pending |= timer.stop();
      c.unlock();
      return pending;
    }
  }

  /** Sends the time on its channel once. Go's {@code time.Timer}. */
  public static final class Timer {
    private final TimeChan time = new TimeChan();

    Timer(Duration d) {
      boolean _ = time.start(nanos(d), 0);
    }

    /** Where the time comes. */
    public ReceiveChan<Instant> channel() {
      return time.c;
    }

    /**
     * Makes nothing come any more.
     *
     * @return whether something would have
     */
    public boolean stop() {
      return time.stop();
    }

    /**
     * Makes the time come in {@code d} from now instead.
     *
     * @return whether something was still to come
     */
    public boolean reset(Duration d) {
      return time.start(nanos(d), 0);
    }
  }

  /**
   * Sends the time on its channel again and again. A receiver that is late misses ticks; they do
   * not pile up. Go's {@code time.Ticker}.
   */
  public static final class Ticker implements AutoCloseable {
    private final TimeChan time = new TimeChan();

    Ticker(Duration d) {
      start(d);
    }

    private void start(Duration d) {
      long nanos = nanos(d);
      if (nanos <= 0) {
        throw new Panic("non-positive interval for NewTicker");
      }
      boolean _ = time.start(nanos, nanos);
    }

    /** Where the ticks come. It is not closed when the ticker stops. */
    public ReceiveChan<Instant> channel() {
      return time.c;
    }

    /** Ticks every {@code d} from now on. */
    public void reset(Duration d) {
      start(d);
    }

    /** No more ticks. */
    public void stop() {
      boolean _ = time.stop();
    }

    /** {@link #stop}. */
    @Override
    public void close() {
      stop();
    }
  }

  /** Calls a function once, in a goroutine of its own. */
  public static final class FuncTimer {
    private final dev.gmptrace.runtime.sched.Timer timer;

    FuncTimer(Duration d, Runnable f) {
      Objects.requireNonNull(f, "a function to run");
      Sched s = Go.sched();
      timer = s.funcTimer(f);
      timer.start(nanos(d));
    }

    /**
     * Makes the function not be called.
     *
     * @return false when it was or is being called, or was stopped before
     */
    public boolean stop() {
      return timer.stop();
    }

    /**
     * Makes the function be called in {@code d} from now.
     *
     * @return whether it was still to be called before
     */
    public boolean reset(Duration d) {
      return timer.reset(nanos(d), 0);
    }
  }
}
