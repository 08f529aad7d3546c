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

  /** Between acquire and release. */
  private boolean taken;

  @Nullable Sudog next;
  @Nullable Sudog prev;

  /** A fresh one; {@link #acquire} reuses. */
  public Sudog() {}

  /**
   * A node for {@code gp}, which is the caller: its own, so that a wait allocates nothing and
   * touches no memory that another P may have used last. (Rejected: a cache of nodes for each P, as
   * in Go. A G waits for one thing at a time; only where code of the user runs in between, as in
   * Cond, can a second node be needed, and that one is made anew.)
   */
  public static Sudog acquire(G gp) {
    Sudog sg = gp.sudog;
    if (sg == null) {
      sg = new Sudog();
      sg.g = gp;
      gp.sudog = sg;
    } else if (sg.taken) {
      sg = new Sudog();
      sg.g = gp;
    }
    sg.taken = true;
    sg.success = false;
    return sg;
  }

  /** Gives a node back that is in no queue any more. Called by its G. */
  public static void release(Sudog sg) {
    sg.elem = null;
    if (sg.waiter != null) {
      sg.waiter = null;
    }
    sg.taken = false;
  }

  /** Lets the wait end in other ways than by this node; see {@link Waiter}. */
  public final void bind(Waiter w, long ticketOfWait) {
    waiter = w;
    ticket = ticketOfWait;
  }

  /** Whether the wait it stands for still goes on. */
  final boolean isOpen() {
    Waiter w = waiter;
    return w == null || w.isOpen(ticket);
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
