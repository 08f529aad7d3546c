package dev.gmptrace.runtime.sched;

import java.nio.channels.SelectionKey;
import org.jspecify.annotations.Nullable;

/**
 * A channel in the poller: who waits to read, who waits to write, and until when.
 *
 * <p>Use: {@link #prepareRead} or {@link #prepareWrite}, then try the non-blocking operation; when
 * it would block, {@link #waitRead} or {@link #waitWrite}; on {@link Wait#READY} try again. One G
 * at a time for each direction.
 *
 * <p>The interest in reading stays set after an event, so that a connection that is read and waited
 * for in turn costs no change of the Selector. A Selector tells what is so, not what has changed:
 * while a G that was woken has not read yet, another P that polls hears of the same bytes again.
 * Such an event, with nobody waiting, is kept in {@code readyOps} until the next prepareRead, and
 * the interest is dropped only when an M would otherwise not get any sleep for it ({@link
 * #dropUnwanted}).
 */
public final class PollDesc implements WaitPlace {
  /** How a wait ended. */
  public enum Wait {
    /** Try the operation again. */
    READY,
    /** The deadline passed. */
    TIMEOUT,
    /** The channel was closed. */
    CLOSED
  }

  private final Netpoll netpoll;
  private final SelectionKey key;
  private final RuntimeMutex lock = new RuntimeMutex();
  private @Nullable G reader;
  private @Nullable G writer;

  /** Changed under the lock. */
  private volatile int readyOps;

  private boolean closed;

  // By Sched.nanotime, 0 for none. Changed under the lock, read without it too.
  private volatile long readDeadline;
  private volatile long writeDeadline;
  private @Nullable Timer readTimer;
  private @Nullable Timer writeTimer;

  private static final int READS = SelectionKey.OP_READ | SelectionKey.OP_ACCEPT;
  private static final int WRITES = SelectionKey.OP_WRITE | SelectionKey.OP_CONNECT;

  PollDesc(Netpoll netpoll, SelectionKey key) {
    this.netpoll = netpoll;
    this.key = key;
    key.attach(this);
  }

  /** Forgets what was heard before now: the caller is about to see for itself. */
  public void prepareRead() {
    forget(READS);
  }

  /** As {@link #prepareRead}, for writing. */
  public void prepareWrite() {
    forget(WRITES);
  }

  private void forget(int ops) {
    if ((readyOps & ops) != 0) {
      lock.lock();
      readyOps &= ~ops;
      lock.unlock();
    }
  }

  /** Waits until the channel can be read or has a connection to accept. */
  public Wait waitRead(G gp) {
    return await(gp, key.channel().validOps() & READS, true);
  }

  /** Waits until the channel can be written or its connect can be finished. */
  public Wait waitWrite(G gp) {
    return await(gp, SelectionKey.OP_WRITE, false);
  }

  /** Waits until the channel's connect can be finished. */
  public Wait waitConnect(G gp) {
    return await(gp, SelectionKey.OP_CONNECT, false);
  }

  private Wait await(G gp, int ops, boolean read) {
    lock.lock();
    if (closed) {
      lock.unlock();
      return Wait.CLOSED;
    }
    if (read ? readTimedOut() : writeTimedOut()) {
      lock.unlock();
      return Wait.TIMEOUT;
    }
    if ((readyOps & ops) != 0) {
      readyOps &= ~ops;
      lock.unlock();
      return Wait.READY;
    }
    if ((read ? reader : writer) != null) {
      lock.unlock();
      throw new FatalError("runtime: double wait");
    }
    if (read) {
      reader = gp;
    } else {
      writer = gp;
    }
    gp.param = ops;
    netpoll.waiters.incrementAndGet();
    Proc.gopark(gp, COMMIT, this, WaitReason.IO_WAIT);
    netpoll.waiters.decrementAndGet();
    Wait how = (Wait) gp.param;
    gp.param = null;
    return how == null ? Wait.READY : how;
  }

  private static final UnlockFunction COMMIT =
      (gp, pd) -> {
        PollDesc self = (PollDesc) pd;
        if (self != null && gp.param instanceof Integer ops) {
          boolean cancelled = false;
          try {
            // Still under the lock: ready() must not drop the interest behind our back.
            self.netpoll.arm(self.key, ops);
          } catch (java.nio.channels.CancelledKeyException e) {
            cancelled = true;
          }
          self.lock.unlock();
          if (cancelled) {
            self.evict();
          }
        }
        return true;
      };

  /**
   * The poller saw {@code key} ready; appends who can run.
   *
   * @return whether there was something to read that nobody waits for
   */
  boolean ready(SelectionKey k, GQueue list) {
    int seen;
    try {
      seen = k.readyOps();
    } catch (java.nio.channels.CancelledKeyException e) {
      evict();
      return false;
    }
    int ops = seen;
    lock.lock();
    G r = reader;
    if ((ops & READS) != 0 && r != null) {
      reader = null;
      r.param = Wait.READY;
      list.pushBack(r);
      ops &= ~READS;
    }
    G w = writer;
    if ((ops & WRITES) != 0 && w != null) {
      writer = null;
      w.param = Wait.READY;
      list.pushBack(w);
      ops &= ~WRITES;
    }
    readyOps |= ops;
    if ((seen & WRITES) != 0) {
      drop(WRITES); // a socket is nearly always writable
    }
    lock.unlock();
    return (ops & READS) != 0;
  }

  /** If still nobody waits to read, the poller shall not hear of it until somebody does. */
  void dropUnwanted() {
    lock.lock();
    if (reader == null) {
      drop(READS);
    }
    lock.unlock();
  }

  private void drop(int ops) {
    try {
      int _ = key.interestOpsAnd(~ops);
    } catch (java.nio.channels.CancelledKeyException e) {
      // Closed meanwhile; close() wakes who waits.
    }
  }

  /**
   * Sets until when reads may wait, by {@link Sched#nanotime}; 0 for ever. A wait under way ends at
   * once when the time is past.
   */
  public void setReadDeadline(long when) {
    lock.lock();
    readDeadline = when;
    Timer t = readTimer;
    if (t == null && when != 0) {
      t = new Timer(netpoll.sched(), (arg, seq, now) -> expire(true, now), null);
      readTimer = t;
    }
    lock.unlock();
    arm(true, t, when);
  }

  /** Sets until when writes may wait. */
  public void setWriteDeadline(long when) {
    lock.lock();
    writeDeadline = when;
    Timer t = writeTimer;
    if (t == null && when != 0) {
      t = new Timer(netpoll.sched(), (arg, seq, now) -> expire(false, now), null);
      writeTimer = t;
    }
    lock.unlock();
    arm(false, t, when);
  }

  /**
   * Sets the timer to the deadline, outside the lock, since that may have to wake the poller.
   * Others may set another deadline and the same timer meanwhile, in any order; so each looks again
   * when it is done, and who sets the timer last finds that it is as the deadline says.
   */
  private void arm(boolean read, @Nullable Timer t, long deadline) {
    if (t == null) {
      return;
    }
    for (long when = deadline; ; ) {
      if (when == 0) {
        boolean _ = t.stop();
      } else {
        t.start(when - Sched.nanotime());
      }
      lock.lock();
      long wanted = closed ? 0 : read ? readDeadline : writeDeadline;
      lock.unlock();
      if (wanted == when) {
        return;
      }
      when = wanted;
    }
  }

  /** Whether reads may not wait any more. */
  public boolean readTimedOut() {
    return isPast(readDeadline);
  }

  /** Whether writes may not wait any more. */
  public boolean writeTimedOut() {
    return isPast(writeDeadline);
  }

  private static boolean isPast(long deadline) {
    return deadline != 0 && deadline <= Sched.nanotime();
  }

  void expire(boolean read, long now) {
    lock.lock();
    long deadline = read ? readDeadline : writeDeadline;
    G gp = null;
    if (deadline != 0 && deadline <= now) {
      gp = read ? reader : writer;
      if (read) {
        reader = null;
      } else {
        writer = null;
      }
      if (gp != null) {
        gp.param = Wait.TIMEOUT;
      }
    }
    lock.unlock();
    if (gp != null) {
      Proc.goready(gp);
    }
  }

  @Override
  public boolean waits(G gp) {
    return reader == gp || writer == gp;
  }

  /** Ends the waits of others with {@link Wait#CLOSED}; the caller then closes the channel. */
  public void evict() {
    lock.lock();
    closed = true;
    G r = reader;
    G w = writer;
    reader = null;
    writer = null;
    if (r != null) {
      r.param = Wait.CLOSED;
    }
    if (w != null) {
      w.param = Wait.CLOSED;
    }
    Timer rt = readTimer;
    Timer wt = writeTimer;
    lock.unlock();
    if (rt != null) {
      boolean _ = rt.stop();
    }
    if (wt != null) {
      boolean _ = wt.stop();
    }
    if (r != null) {
      Proc.goready(r);
    }
    if (w != null) {
      Proc.goready(w);
    }
  }

  /** Takes the channel out of the poller: evicts, then cancels the registration. */
  public void close() {
    evict();
    key.cancel();
    netpoll.flush();
  }
}
