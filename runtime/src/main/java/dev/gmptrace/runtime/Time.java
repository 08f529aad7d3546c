package dev.gmptrace.runtime;

import dev.gmptrace.runtime.sched.G;
import dev.gmptrace.runtime.sched.Proc;
import dev.gmptrace.runtime.sched.Waiter;
import java.time.Duration;

/** Go's {@code time}, as far as it has to do with goroutines. */
public final class Time {
  private static final Duration FOREVER = Duration.ofNanos(Long.MAX_VALUE);

  private Time() {}

  /** Pauses the calling goroutine; not at all when {@code d} is not positive. */
  public static void sleep(Duration d) {
    long nanos = nanos(d);
    G gp = Proc.enter();
    if (nanos <= 0) {
      return;
    }
    if (gp != null) {
      Waiter.sleep(gp, nanos);
      return;
    }
    try {
      Thread.sleep(d);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** As nanoseconds; 292 years at most. */
  static long nanos(Duration d) {
    return d.compareTo(FOREVER) >= 0 ? Long.MAX_VALUE : d.isNegative() ? 0 : d.toNanos();
  }
}
