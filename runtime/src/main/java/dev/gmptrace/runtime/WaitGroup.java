package dev.gmptrace.runtime;

import dev.gmptrace.runtime.sched.Foreign;
import dev.gmptrace.runtime.sched.G;
import dev.gmptrace.runtime.sched.Proc;
import dev.gmptrace.runtime.sched.Sema;
import dev.gmptrace.runtime.sched.TaskWrapper;
import dev.gmptrace.runtime.sched.WaitReason;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;

/**
 * Go's {@code sync.WaitGroup}: waits for a number of goroutines to be done.
 *
 * <pre>{@code
 * WaitGroup wg = new WaitGroup();
 * for (Url u : urls) wg.go(() -> fetch(u));
 * wg.await();
 * }</pre>
 */
public final class WaitGroup {
  private static final VarHandle STATE;

  static {
    try {
      STATE = MethodHandles.lookup().findVarHandle(WaitGroup.class, "state", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** The counter in the high 32 bits, how many wait in the low. */
  @SuppressWarnings("UnusedVariable") // through STATE
  private volatile long state;

  private final Sema sema = new Sema();

  /** With counter 0. */
  public WaitGroup() {}

  /**
   * Adds {@code delta}, which may be negative, to the counter. At 0, all who wait go on. Additions
   * from 0 must happen before the wait.
   *
   * @throws Panic "sync: negative WaitGroup counter", "sync: WaitGroup misuse: …"
   */
  public void add(int delta) {
    long now = (long) STATE.getAndAdd(this, (long) delta << 32) + ((long) delta << 32);
    int counter = (int) (now >> 32);
    int waiters = (int) now;
    if (counter < 0) {
      throw new Panic("sync: negative WaitGroup counter");
    }
    if (waiters != 0 && delta > 0 && counter == delta) {
      throw new Panic("sync: WaitGroup misuse: Add called concurrently with Wait");
    }
    if (counter > 0 || waiters == 0) {
      return;
    }
    // The counter is 0 and there are waiters, so nobody may change the state now.
    if (!STATE.compareAndSet(this, now, 0L)) {
      throw new Panic("sync: WaitGroup misuse: Add called concurrently with Wait");
    }
    for (int i = 0; i < waiters; i++) {
      sema.release(false);
    }
  }

  /** One less. */
  public void done() {
    add(-1);
  }

  /** Starts a goroutine that counts: add(1), and done() when it ends, however it ends. */
  public void go(Runnable fn) {
    Objects.requireNonNull(fn, "a function to run");
    add(1);
    Go.go(new Member(this, fn));
  }

  /** Waits until the counter is 0. */
  public void await() {
    G gp = Proc.enter();
    for (; ; ) {
      long s = state;
      if (s >> 32 == 0) {
        return;
      }
      if (gp == null) {
        Foreign.call(Go.sched(), this::await);
        return;
      }
      if (STATE.compareAndSet(this, s, s + 1)) {
        sema.acquire(gp, false, WaitReason.SYNC_WAITGROUP_WAIT);
        if (state != 0) {
          throw new Panic("sync: WaitGroup is reused before previous Wait has returned");
        }
        return;
      }
    }
  }

  /** A class of its own, so that the goroutine can be named after {@code fn}. */
  private record Member(WaitGroup group, Runnable fn) implements TaskWrapper {
    @Override
    public void run() {
      try {
        fn.run();
      } finally {
        group.done();
      }
    }
  }

  @Override
  public String toString() {
    long s = state;
    return "WaitGroup(" + (s >> 32) + ", " + (int) s + " waiting)";
  }
}
