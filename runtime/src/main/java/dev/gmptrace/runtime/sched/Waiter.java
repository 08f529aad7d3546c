package dev.gmptrace.runtime.sched;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A wait that several things can end: the cases of a select, a time-out. Exactly one of them wins.
 *
 * <p>Each G that waits like this has one Waiter for its life. A wait begins by taking a ticket, a
 * number that this Waiter never used before, and making it the state; each of those who could end
 * the wait knows the ticket and must CAS the state from it to 0. So a late one, such as a timer
 * that was stopped while it fired, can never end a later wait by mistake.
 *
 * <pre>
 *   0 --begin/beginTimed--&gt; ticket --claim by a channel partner, close, or the timer--&gt; 0
 * </pre>
 *
 * Tickets of timed waits are the sequence numbers of the Waiter's timer, which are positive; the
 * others count down from -1.
 */
public final class Waiter {
  private static final VarHandle STATE;

  static {
    try {
      STATE = MethodHandles.lookup().findVarHandle(Waiter.class, "state", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private static final UnlockFunction SLEEP =
      (gp, w) -> {
        if (w != null) {
          ((Waiter) w).arm();
        }
        return true;
      };

  private final G g;
  private long untimed;

  @SuppressWarnings("UnusedVariable") // through STATE
  private long state;

  private @Nullable Timer timer;
  private long timeout;

  /** Which node won; null when it was the timer. */
  @Nullable Sudog chosen;

  private Waiter(G g) {
    this.g = g;
  }

  /** The Waiter of {@code gp}, which is the caller. */
  public static Waiter of(G gp) {
    if (gp.waiting instanceof Waiter w) {
      return w;
    }
    Waiter w = new Waiter(gp);
    gp.waiting = w;
    return w;
  }

  /** Begins a wait without a time limit. */
  public long begin() {
    long ticket = --untimed;
    chosen = null;
    STATE.setRelease(this, ticket);
    return ticket;
  }

  /** Begins a wait of at most {@code nanos}; the time runs from {@link #arm}. */
  public long beginTimed(long nanos) {
    Timer t = timer;
    if (t == null) {
      t = new Timer(g.sched, (w, seq, now) -> fired(w, seq), this);
      timer = t;
    }
    timeout = nanos;
    chosen = null;
    long ticket = t.seq() + 1;
    STATE.setRelease(this, ticket);
    return ticket;
  }

  /**
   * Starts the timer. To be called from the unlock function, when the G is WAITING, and before any
   * lock is released there: after that the G may be running again.
   */
  public void arm() {
    Timer t = timer;
    if (t != null) {
      t.start(timeout);
    }
  }

  /** After a timed wait that the timer did not end. */
  public void disarm() {
    Timer t = timer;
    if (t != null) {
      boolean _ = t.stop();
    }
  }

  /** The node that ended the wait; null when it was the timer. */
  public @Nullable Sudog chosen() {
    Sudog sg = chosen;
    chosen = null;
    return sg;
  }

  /** For the one who wants to end the wait; only one gets true. */
  public boolean claim(long ticket) {
    return STATE.compareAndSet(this, ticket, 0L);
  }

  /** Whether the wait with this ticket goes on. */
  boolean isOpen(long ticket) {
    return (long) STATE.getAcquire(this) == ticket;
  }

  private static void fired(@Nullable Object arg, long seq) {
    if (arg instanceof Waiter w && w.claim(seq)) {
      Proc.goready(w.g);
    }
  }

  /** Parks {@code gp}, which is the caller, for {@code nanos}. */
  public static void sleep(G gp, long nanos, WaitReason reason) {
    Waiter w = of(gp);
    long _ = w.beginTimed(nanos);
    Proc.gopark(gp, SLEEP, w, reason);
  }
}
