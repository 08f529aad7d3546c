package dev.gmptrace.runtime;

import dev.gmptrace.runtime.sched.Sched;
import dev.gmptrace.runtime.sched.Timer;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A {@link Context} that can be cancelled. Closing it cancels it. */
public final class CancelContext extends Context implements AutoCloseable {
  private final HChan<Void> done = new HChan<>(0);
  private final ChildLock lock = new ChildLock();
  private final @Nullable Instant deadline;
  private final boolean ownDeadline;
  private final Link link = new Link();
  @Nullable Child children; // under lock, newest first
  private volatile @Nullable CancelledException err; // written under lock
  private @Nullable Timer timer;

  private CancelContext(Context parent, @Nullable Instant deadline, boolean ownDeadline) {
    super(parent);
    this.deadline = deadline;
    this.ownDeadline = ownDeadline;
  }

  static CancelContext make(Context parent, @Nullable Instant deadline, long nanos) {
    Instant above = parent.deadline();
    boolean sooner = deadline != null && (above == null || deadline.isBefore(above));
    CancelContext c = new CancelContext(parent, sooner ? deadline : above, sooner);
    CancelContext p = parent.canceller();
    if (p != null) {
      p.addChild(c.link);
    }
    if (sooner && c.err == null) {
      c.startTimer(nanos);
    }
    return c;
  }

  private void startTimer(long nanos) {
    if (nanos <= 0) {
      cancel(true, null);
      return;
    }
    Sched s = Go.sched();
    // Not on g0: cancelling takes as long as there are children.
    Timer t = new Timer(s, (arg, seq, now) -> s.go(() -> cancel(true, null)), null);
    lock.lock();
    if (err == null) {
      timer = t;
      t.start(nanos);
    }
    lock.unlock();
  }

  /** Makes it and all its children done. The second time it does nothing. */
  public void cancel() {
    cancel(false, null);
  }

  /** The same, with a reason that becomes the cause of {@link #err}. */
  public void cancel(Throwable reason) {
    cancel(false, reason);
  }

  /** {@link #cancel()}. */
  @Override
  public void close() {
    cancel(false, null);
  }

  private void cancel(boolean deadlinePassed, @Nullable Throwable reason) {
    if (err == null) {
      cancel(new CancelledException(deadlinePassed, reason));
    }
  }

  private void cancel(CancelledException why) {
    lock.lock();
    if (err != null) {
      lock.unlock();
      return;
    }
    err = why;
    Child list = children;
    children = null;
    Timer t = timer;
    timer = null;
    for (Child c = list; c != null; c = c.next) {
      c.of = null;
    }
    lock.unlock();
    if (t != null) {
      boolean _ = t.stop();
    }
    done.close();
    for (Child c = list; c != null; ) {
      Child next = c.next;
      c.next = null;
      c.prev = null;
      c.parentDone(why);
      c = next;
    }
    boolean _ = link.leave();
  }

  void addChild(Child c) {
    lock.lock();
    CancelledException why = err;
    if (why == null) {
      Child first = children;
      c.of = this;
      c.next = first;
      if (first != null) {
        first.prev = c;
      }
      children = c;
    }
    lock.unlock();
    if (why != null) {
      c.parentDone(why);
    }
  }

  @SuppressWarnings("ReferenceEquality")
  boolean removeChild(Child c) {
    lock.lock();
    boolean in = c.of == this;
    if (in) {
      c.of = null;
      Child p = c.prev;
      Child n = c.next;
      if (p == null) {
        children = n;
      } else {
        p.next = n;
      }
      if (n != null) {
        n.prev = p;
      }
      c.next = null;
      c.prev = null;
    }
    lock.unlock();
    return in;
  }

  @Override
  public ReceiveChan<Void> done() {
    return done;
  }

  /** Whoever gets a reason finds {@code done} closed; the other way round too, by the order. */
  @Override
  public @Nullable CancelledException err() {
    CancelledException why = err;
    if (why != null && !done.isClosed()) {
      Void _ = done.receive(); // in a moment: cancel is between the two
    }
    return why;
  }

  @Override
  public @Nullable Instant deadline() {
    return deadline;
  }

  @Override
  public String toString() {
    return parent + (ownDeadline ? ".WithDeadline(" + deadline + ")" : ".WithCancel");
  }

  /** This context in its parent's list. */
  private final class Link extends Child {
    @Override
    void parentDone(CancelledException why) {
      cancel(why);
    }
  }
}
