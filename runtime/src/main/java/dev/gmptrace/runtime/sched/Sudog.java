package dev.gmptrace.runtime.sched;

import org.jspecify.annotations.Nullable;

/**
 * A goroutine in a wait queue. A G may be in several queues at once (select) and a queue holds many
 * Gs, so the link is an object of its own, Go's {@code sudog}.
 *
 * <p>Fields are guarded by the lock of the primitive that the queue belongs to. Who takes the node
 * off the queue owns it until it readies the G; from then on it is the G's again.
 */
public class Sudog {
  /** Who waits. */
  public @Nullable G g;

  /** What is sent, or where a sender leaves what it hands over. */
  public @Nullable Object elem;

  /** Whether a partner came; false when the wait ended because the channel was closed. */
  public boolean success;

  /** A number that the primitive wants to keep with the waiter. */
  public long count;

  /** Set when other things may end the wait too; then who takes the node off must claim it. */
  @Nullable Waiter waiter;

  long ticket;

  @Nullable Sudog next;
  @Nullable Sudog prev;

  /** A fresh one; {@link #acquire} reuses. */
  public Sudog() {}

  /** A node for {@code gp}, which is the caller, from the cache of its P. */
  public static Sudog acquire(G gp) {
    M m = gp.m;
    if (m == null) {
      throw new FatalError("acquireSudog: goroutine " + gp.goid() + " is not running");
    }
    m.acquire();
    P pp = m.p;
    Sudog sg = pp == null ? new Sudog() : pp.sudogs.get();
    m.release();
    sg.g = gp;
    sg.success = false;
    return sg;
  }

  /** Gives a node back that is in no queue any more. Called by its G. */
  public static void release(G gp, Sudog sg) {
    sg.elem = null;
    sg.g = null;
    sg.waiter = null;
    M m = gp.m;
    if (m == null) {
      return;
    }
    m.acquire();
    P pp = m.p;
    if (pp != null) {
      pp.sudogs.put(sg);
    }
    m.release();
  }

  /** Lets the wait end in other ways than by this node; see {@link Waiter}. */
  public final void bind(Waiter w, long ticketOfWait) {
    waiter = w;
    ticket = ticketOfWait;
  }

  /** The goroutine that waits with this node. */
  public final G waitingG() {
    G gp = g;
    if (gp == null) {
      throw new FatalError("sudog without a goroutine");
    }
    return gp;
  }

  /** Tells the G, if it waits for several things, that it was this one. */
  public final void chosen() {
    Waiter w = waiter;
    if (w != null) {
      w.chosen = this;
    }
  }

  /** The next of a chain that was taken off a queue as a whole; unlinks it. */
  public final @Nullable Sudog unchain() {
    Sudog n = next;
    next = null;
    return n;
  }

  /** Puts this in front of a chain. */
  public final Sudog chain(@Nullable Sudog rest) {
    next = rest;
    return this;
  }
}
