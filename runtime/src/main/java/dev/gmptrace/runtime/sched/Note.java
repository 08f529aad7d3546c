package dev.gmptrace.runtime.sched;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Go's {@code note}: a one-shot event between two threads. Used on platform threads only, for an M
 * to sleep on its own stack.
 *
 * <pre>
 *            sleep()                  wakeup()
 *   CLEAR ------------> thread t ------------------> SIGNALED     (wakeup unparks t)
 *     |                                                 ^
 *     +-------------------- wakeup() -------------------+         (sleep returns at once)
 *   SIGNALED -- clear() --> CLEAR
 * </pre>
 *
 * <p>No wake-up is lost: the sleeper publishes itself and the waker leaves its signal in the same
 * word by atomic exchange, so one of them sees the other. LockSupport's permit may be given by
 * anybody (a pinned virtual thread parks on its carrier too), so sleep() believes only the word.
 *
 * <p>An interrupt does not end a sleep, and its flag is taken off, or the thread could not park
 * again. {@link #interrupted} is told, and sees to it that it is not lost where it matters.
 */
@SuppressWarnings("ReferenceEquality") // the signal is an identity
class Note {
  private static final Object SIGNALED = new Object();
  private static final VarHandle KEY;

  static {
    try {
      KEY = MethodHandles.lookup().findVarHandle(Note.class, "key", Object.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  @SuppressWarnings("UnusedVariable") // through KEY
  private @Nullable Object key;

  /** Forgets a signal. Only when no wakeup can be under way. */
  final void clear() {
    KEY.setVolatile(this, null);
  }

  /** Whether the event has happened. */
  final boolean signaled() {
    return (Object) KEY.getVolatile(this) == SIGNALED;
  }

  /** Lets the sleeper go on, now or when it comes to sleep. At most once between clears. */
  final void wakeup() {
    Object old = (Object) KEY.getAndSet(this, SIGNALED);
    if (old == SIGNALED) {
      throw new FatalError("notewakeup - double wakeup");
    }
    if (old instanceof Thread t) {
      LockSupport.unpark(t);
    }
  }

  /** Waits for the event. */
  final void sleep() {
    if (!announce()) {
      return;
    }
    while (!signaled()) {
      LockSupport.park(this);
      if (Thread.interrupted()) {
        interrupted();
      }
    }
  }

  /**
   * Waits for the event for at most {@code nanos}.
   *
   * @return whether it happened; when not, the note is clear again
   */
  final boolean sleep(long nanos) {
    if (nanos <= 0) {
      return signaled();
    }
    if (!announce()) {
      return true;
    }
    long deadline = System.nanoTime() + nanos;
    for (long left = nanos; left > 0 && !signaled(); left = deadline - System.nanoTime()) {
      LockSupport.parkNanos(this, left);
      if (Thread.interrupted()) {
        interrupted();
      }
    }
    return !KEY.compareAndSet(this, Thread.currentThread(), null);
  }

  /** The sleeper, on its thread: it was interrupted. Threads of ours have nobody to tell. */
  void interrupted() {}

  private boolean announce() {
    if (KEY.compareAndSet(this, null, Thread.currentThread())) {
      return true;
    }
    if (!signaled()) {
      throw new FatalError("notesleep - two sleepers");
    }
    return false;
  }
}
