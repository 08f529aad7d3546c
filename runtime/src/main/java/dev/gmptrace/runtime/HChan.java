package dev.gmptrace.runtime;

import dev.gmptrace.runtime.sched.Foreign;
import dev.gmptrace.runtime.sched.G;
import dev.gmptrace.runtime.sched.Proc;
import dev.gmptrace.runtime.sched.RuntimeMutex;
import dev.gmptrace.runtime.sched.Sudog;
import dev.gmptrace.runtime.sched.UnlockFunction;
import dev.gmptrace.runtime.sched.WaitPlace;
import dev.gmptrace.runtime.sched.WaitQ;
import dev.gmptrace.runtime.sched.WaitReason;
import dev.gmptrace.runtime.sched.Waiter;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The channel, after Go's {@code hchan}. It is its own lock, to save an object.
 *
 * <h2>Invariants, under the lock</h2>
 *
 * <ol>
 *   <li>At least one of sendq and recvq is empty, except that one goroutine may be in both by way
 *       of a select.
 *   <li>If the buffer holds values, recvq is empty. If it has room, sendq is empty.
 *   <li>A closed channel has nobody in either queue.
 * </ol>
 *
 * So an operation has three cases: a partner waits, and the value goes straight to or from its
 * {@link Sudog}, without the buffer; or the buffer will do; or the caller waits. When a receiver
 * finds the buffer full with senders behind it, it takes the oldest value and puts the first
 * sender's value in its place, which is where the tail is: the order of values is the order of
 * senders.
 *
 * <p>(Rejected: a lock-free design as in Kotlin's and jox's channels. It is faster when many
 * threads hammer at one channel, but allocates segments, and here at most GOMAXPROCS threads can
 * meet on the lock, for some nanoseconds, since goroutines wait in the queue and not for the lock.)
 */
final class HChan<T> extends RuntimeMutex implements Chan<T>, WaitPlace {
  private static final VarHandle QCOUNT;
  private static final VarHandle CLOSED;
  private static final VarHandle ID;
  private static final AtomicLong IDS = new AtomicLong();
  private static final Object[] NO_BUFFER = {};

  static {
    try {
      MethodHandles.Lookup l = MethodHandles.lookup();
      QCOUNT = l.findVarHandle(HChan.class, "qcount", int.class);
      CLOSED = l.findVarHandle(HChan.class, "closed", boolean.class);
      ID = l.findVarHandle(HChan.class, "id", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private static final UnlockFunction ARM_AND_UNLOCK =
      (gp, lock) -> {
        Waiter.of(gp).arm();
        if (lock != null) {
          ((RuntimeMutex) lock).unlock();
        }
        return true;
      };

  private final @Nullable Object[] buf;

  /** A timer sends to it: then its buffer is no business of those who look, as in Go. */
  private final boolean timed;

  private int qcount;
  private int sendx;
  private int recvx;
  private boolean closed;
  final WaitQ recvq = new WaitQ();
  final WaitQ sendq = new WaitQ();

  /** Place in the order in which selects lock channels; 0 until a select needs it. */
  @SuppressWarnings("UnusedVariable") // through ID
  private long id;

  HChan(int capacity) {
    this(capacity, false);
  }

  private HChan(int capacity, boolean timed) {
    if (capacity < 0) {
      throw new Panic("makechan: size out of range");
    }
    this.buf = capacity == 0 ? NO_BUFFER : new Object[capacity];
    this.timed = timed;
  }

  /** The channel of a timer: it keeps one value, and shows neither length nor capacity. */
  static <T> HChan<T> ofTimer() {
    return new HChan<>(1, true);
  }

  // ---- send -------------------------------------------------------------------------------------

  @Override
  public void send(T value) {
    Objects.requireNonNull(value, "null cannot be sent on a channel");
    G gp = Proc.enter();
    lock();
    if (sendNow(value)) {
      return;
    }
    if (gp == null) {
      unlock();
      Foreign.call(Go.sched(), () -> send(value));
      return;
    }
    Sudog sg = Sudog.acquire(gp);
    sg.elem = value;
    sendq.enqueue(sg);
    Proc.gopark(gp, UnlockFunction.UNLOCK, this, WaitReason.CHAN_SEND);
    boolean sent = sg.success;
    Sudog.release(sg);
    if (!sent) {
      throw sendOnClosed();
    }
  }

  @Override
  public boolean trySend(T value) {
    Objects.requireNonNull(value, "null cannot be sent on a channel");
    G _ = Proc.enter();
    if (!(boolean) CLOSED.getAcquire(this) && isFullOpaque()) {
      return false;
    }
    lock();
    if (sendNow(value)) {
      return true;
    }
    unlock();
    return false;
  }

  @Override
  public boolean send(T value, Duration timeout) {
    Objects.requireNonNull(value, "null cannot be sent on a channel");
    long nanos = Time.nanos(timeout);
    G gp = Proc.enter();
    lock();
    if (sendNow(value)) {
      return true;
    }
    if (nanos <= 0) {
      unlock();
      return false;
    }
    if (gp == null) {
      unlock();
      boolean[] sent = new boolean[1];
      Foreign.call(Go.sched(), () -> sent[0] = send(value, timeout));
      return sent[0];
    }
    Sudog sg = Sudog.acquire(gp);
    sg.elem = value;
    boolean partner = parkTimed(gp, sg, sendq, nanos, WaitReason.CHAN_SEND);
    boolean sent = sg.success;
    Sudog.release(sg);
    if (partner && !sent) {
      throw sendOnClosed();
    }
    return sent;
  }

  /** Under the lock, which it releases when it returns true or throws. */
  boolean sendNow(T value) {
    if (closed) {
      unlock();
      throw sendOnClosed();
    }
    Sudog sg = recvq.dequeue();
    if (sg != null) {
      handTo(sg, value);
      unlock();
      Proc.goready(sg.waitingG());
      return true;
    }
    if (qcount < buf.length) {
      putInBuffer(value);
      unlock();
      return true;
    }
    return false;
  }

  // ---- receive ----------------------------------------------------------------------------------

  @Override
  @SuppressWarnings("unchecked") // only Ts get in
  public @Nullable T receive() {
    G gp = Proc.enter();
    lock();
    Sudog sender = sendq.dequeue();
    if (sender != null) {
      Object v = takeFrom(sender);
      unlock();
      Proc.goready(sender.waitingG());
      return (T) v;
    }
    if (qcount > 0) {
      Object v = takeFromBuffer();
      unlock();
      return (T) v;
    }
    if (closed) {
      unlock();
      return null;
    }
    if (gp == null) {
      unlock();
      Object[] got = new Object[1];
      Foreign.call(Go.sched(), () -> got[0] = receive());
      return (T) got[0];
    }
    Sudog sg = Sudog.acquire(gp);
    recvq.enqueue(sg);
    Proc.gopark(gp, UnlockFunction.UNLOCK, this, WaitReason.CHAN_RECEIVE);
    Object v = sg.elem;
    Sudog.release(sg);
    return (T) v;
  }

  @Override
  public @Nullable T tryReceive() {
    G _ = Proc.enter();
    if (isEmptyOpaque()) {
      // Nothing there. A close makes no difference to the answer.
      return null;
    }
    lock();
    return receiveNow();
  }

  @Override
  @SuppressWarnings("unchecked") // only Ts get in
  public @Nullable T receive(Duration timeout) {
    long nanos = Time.nanos(timeout);
    G gp = Proc.enter();
    if (gp == null) {
      T now = tryReceive();
      if (now != null || nanos <= 0 || isDrained()) {
        return now;
      }
      Object[] got = new Object[1];
      Foreign.call(Go.sched(), () -> got[0] = receive(timeout));
      return (T) got[0];
    }
    lock();
    if (qcount > 0 || closed || nanos <= 0) {
      return receiveNow();
    }
    Sudog sender = sendq.dequeue();
    if (sender != null) {
      Object v = takeFrom(sender);
      unlock();
      Proc.goready(sender.waitingG());
      return (T) v;
    }
    Sudog sg = Sudog.acquire(gp);
    boolean _ = parkTimed(gp, sg, recvq, nanos, WaitReason.CHAN_RECEIVE);
    Object v = sg.elem;
    Sudog.release(sg);
    return (T) v;
  }

  /** Under the lock, which it releases. */
  @SuppressWarnings("unchecked") // only Ts get in
  private @Nullable T receiveNow() {
    Sudog sender = sendq.dequeue();
    if (sender != null) {
      Object v = takeFrom(sender);
      unlock();
      Proc.goready(sender.waitingG());
      return (T) v;
    }
    Object v = qcount > 0 ? takeFromBuffer() : null;
    unlock();
    return (T) v;
  }

  // ---- close ------------------------------------------------------------------------------------

  @Override
  public void close() {
    G _ = Proc.enter();
    lock();
    if (closed) {
      unlock();
      throw new Panic("close of closed channel");
    }
    CLOSED.setRelease(this, true);
    Sudog woken = null;
    Sudog last = null;
    for (WaitQ q = recvq; ; q = sendq) {
      for (Sudog sg; (sg = q.dequeue()) != null; ) {
        sg.elem = null;
        sg.success = false;
        sg.chosen();
        if (last == null) {
          woken = sg;
        } else {
          Sudog _ = last.chain(sg);
        }
        last = sg;
      }
      if (q == sendq) {
        break;
      }
    }
    unlock();
    while (woken != null) {
      Sudog rest = woken.unchain();
      Proc.goready(woken.waitingG());
      woken = rest;
    }
  }

  // ---- the pieces that Select uses too, under the lock ------------------------------------------

  /** {@code sg} was taken off recvq: it gets the value. */
  void handTo(Sudog sg, Object value) {
    sg.elem = value;
    sg.success = true;
    sg.chosen();
  }

  /** {@code sg} was taken off sendq: the value to receive, which is not its own if others wait. */
  Object takeFrom(Sudog sg) {
    Object v = sg.elem;
    sg.elem = null;
    sg.success = true;
    sg.chosen();
    if (buf.length > 0) {
      Object oldest = buf[recvx];
      buf[recvx] = v;
      recvx = recvx + 1 == buf.length ? 0 : recvx + 1;
      sendx = recvx;
      v = oldest;
    }
    return Objects.requireNonNull(v);
  }

  void putInBuffer(Object value) {
    buf[sendx] = value;
    sendx = sendx + 1 == buf.length ? 0 : sendx + 1;
    QCOUNT.setOpaque(this, qcount + 1);
  }

  Object takeFromBuffer() {
    Object v = buf[recvx];
    buf[recvx] = null;
    recvx = recvx + 1 == buf.length ? 0 : recvx + 1;
    QCOUNT.setOpaque(this, qcount - 1);
    return Objects.requireNonNull(v);
  }

  /** Forgets what is in the buffer; for timers, behind whose full buffer nobody waits. */
  boolean clearBuffer() {
    boolean any = qcount > 0;
    while (qcount > 0) {
      Object _ = takeFromBuffer();
    }
    return any;
  }

  boolean hasRoom() {
    return qcount < buf.length;
  }

  boolean hasBuffered() {
    return qcount > 0;
  }

  boolean closedLocked() {
    return closed;
  }

  static Panic sendOnClosed() {
    return new Panic("send on closed channel");
  }

  /** Selects lock channels in the order of these. */
  long lockOrder() {
    long have = (long) ID.getOpaque(this);
    if (have == 0) {
      boolean _ = ID.compareAndSet(this, 0L, IDS.incrementAndGet());
      have = (long) ID.getOpaque(this);
    }
    return have;
  }

  /**
   * Waits on {@code q} with a time limit; the lock is held before and not after.
   *
   * @return whether a partner or a close ended the wait
   */
  private boolean parkTimed(G gp, Sudog sg, WaitQ q, long nanos, WaitReason reason) {
    Waiter w = Waiter.of(gp);
    sg.bind(w, w.beginTimed(nanos));
    q.enqueue(sg);
    Proc.gopark(gp, ARM_AND_UNLOCK, this, reason);
    if (w.chosen() != null) {
      w.disarm();
      return true;
    }
    lock();
    q.remove(sg);
    unlock();
    sg.elem = null;
    return false;
  }

  @Override
  public boolean waits(G gp) {
    return recvq.holds(gp) || sendq.holds(gp);
  }

  // ---- looking ----------------------------------------------------------------------------------

  /** Nothing to receive, at some moment during the call. */
  private boolean isEmptyOpaque() {
    return buf.length == 0 ? sendq.isEmptyOpaque() : (int) QCOUNT.getOpaque(this) == 0;
  }

  /** A send would wait, at some moment during the call. */
  private boolean isFullOpaque() {
    return buf.length == 0 ? recvq.isEmptyOpaque() : (int) QCOUNT.getOpaque(this) == buf.length;
  }

  @Override
  public int length() {
    return timed ? 0 : (int) QCOUNT.getOpaque(this);
  }

  @Override
  public int capacity() {
    return timed ? 0 : buf.length;
  }

  @Override
  public boolean isClosed() {
    return (boolean) CLOSED.getAcquire(this);
  }

  @Override
  public boolean isDrained() {
    return (boolean) CLOSED.getAcquire(this) && isEmptyOpaque();
  }

  @Override
  public String toString() {
    return "Chan(" + length() + "/" + capacity() + (isClosed() ? ", closed)" : ")");
  }
}
