package dev.gmptrace.runtime;

import dev.gmptrace.runtime.sched.RuntimeMutex;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Go's {@code context.Context}: tells a tree of goroutines to stop, by a call or by a deadline, and
 * carries values along a request.
 *
 * <pre>{@code
 * try (CancelContext ctx = Context.background().withTimeout(Duration.ofSeconds(2))) {
 *   go(() -> work(ctx));
 *   …
 * }                                              // cancelled here at the latest
 *
 * void work(Context ctx) {
 *   Select select = new Select();
 *   var job = select.receive(jobs);
 *   var stop = select.receive(ctx.done());
 *   while (select.await() == job) { … }
 * }
 * }</pre>
 */
public abstract sealed class Context permits CancelContext, Context.Plain {
  final @Nullable Context parent;

  Context(@Nullable Context parent) {
    this.parent = parent;
  }

  /**
   * The name of a value. Two keys are never the same key, whatever they are called.
   *
   * @param <T> what kind of value
   */
  @SuppressWarnings("UnusedTypeParameter") // ties the key to its value's type
  public static final class Key<T> {
    private final String name;

    /** With a name for people to read. */
    public Key(String name) {
      this.name = name;
    }

    @Override
    public String toString() {
      return name;
    }
  }

  /** The root: never done, without values. */
  public static Context background() {
    return Root.BACKGROUND;
  }

  /** A child that can be cancelled. */
  public final CancelContext withCancel() {
    return CancelContext.make(this, null, 0);
  }

  /** A child that is done after {@code timeout}, or sooner. */
  public final CancelContext withTimeout(Duration timeout) {
    long nanos = Time.nanos(timeout);
    return CancelContext.make(this, Instant.now().plusNanos(nanos), nanos);
  }

  /** A child that is done at {@code deadline}, or sooner. */
  public final CancelContext withDeadline(Instant deadline) {
    return CancelContext.make(
        this, deadline, Time.nanos(Duration.between(Instant.now(), deadline)));
  }

  /** A child that carries a value. */
  public final <T> Context withValue(Key<T> key, T value) {
    return new Plain(this, key, value);
  }

  /** A child with the values of this, which is not cancelled with it. */
  public final Context withoutCancel() {
    return new Plain(this, null, null);
  }

  /** The value of {@code key}, from the nearest that carries one; null when none does. */
  @SuppressWarnings({"unchecked", "ReferenceEquality"}) // withValue sees to the type
  public final <T> @Nullable T value(Key<T> key) {
    for (Context c = this; c != null; c = c.parent) {
      if (c instanceof Plain p && p.key == key) {
        return (T) p.value;
      }
    }
    return null;
  }

  /** Closed when the work should stop; {@link Chan#nil} if that can never be. */
  public ReceiveChan<Void> done() {
    CancelContext c = canceller();
    return c == null ? Chan.nil() : c.done();
  }

  /** Why it is done; null while it is not. */
  public @Nullable CancelledException err() {
    CancelContext c = canceller();
    return c == null ? null : c.err();
  }

  /** When it will be done at the latest; null when nobody knows. */
  public @Nullable Instant deadline() {
    CancelContext c = canceller();
    return c == null ? null : c.deadline();
  }

  /**
   * Returns while there is still something to do.
   *
   * @throws CancelledException when it is done
   */
  public final void check() {
    CancelledException e = err();
    if (e != null) {
      throw new CancelledException(e.isDeadlineExceeded(), e.getCause());
    }
  }

  /**
   * Runs {@code f} in a goroutine of its own when this is done; at once if it is already.
   *
   * @return {@linkplain AfterFunc#stop stopping} it before that makes {@code f} not run
   */
  public final AfterFunc afterFunc(Runnable f) {
    AfterFunc a = new AfterFunc(Objects.requireNonNull(f, "a function to run"));
    CancelContext c = canceller();
    if (c != null) {
      c.addChild(a);
    }
    return a;
  }

  /** The nearest that can be cancelled; null up to the root or to withoutCancel. */
  @Nullable CancelContext canceller() {
    for (Context c = this; c != null; c = c.parent) {
      if (c instanceof CancelContext cc) {
        return cc;
      }
      if (c instanceof Plain p && p.key == null) {
        return null;
      }
    }
    return null;
  }

  /** What is told when a CancelContext is done; a link in its list of children. */
  abstract static class Child {
    @Nullable CancelContext of;
    @Nullable Child next;
    @Nullable Child prev;

    /** Without any lock held. */
    abstract void parentDone(CancelledException why);

    /** Takes it off its parent's list; false when the parent was faster. */
    final boolean leave() {
      CancelContext p = of;
      return p != null && p.removeChild(this);
    }
  }

  /** A function that waits for a context to be done. */
  public static final class AfterFunc extends Child {
    private final Runnable f;

    /** Set by whoever comes first, the end of the context or stop. */
    private final AtomicBoolean settled = new AtomicBoolean();

    AfterFunc(Runnable f) {
      this.f = f;
    }

    @Override
    void parentDone(CancelledException why) {
      if (settled.compareAndSet(false, true)) {
        Go.go(f);
      }
    }

    /**
     * Makes the function not run.
     *
     * @return false when it was too late, or was stopped before; the function may still be running
     */
    public boolean stop() {
      boolean stopped = settled.compareAndSet(false, true);
      boolean _ = leave();
      return stopped;
    }
  }

  /** The root; a value; or, without a key and with a parent, the end of cancellation. */
  static final class Plain extends Context {
    final @Nullable Key<?> key;
    final @Nullable Object value;

    Plain(@Nullable Context parent, @Nullable Key<?> key, @Nullable Object value) {
      super(parent);
      this.key = key;
      this.value = value;
    }

    @Override
    public String toString() {
      if (parent == null) {
        return "context.Background";
      }
      return parent + (key == null ? ".WithoutCancel" : ".WithValue(" + key + ")");
    }
  }

  private static final class Root {
    static final Context BACKGROUND = new Plain(null, null, null);
  }

  /** Guards a list of children. */
  static final class ChildLock extends RuntimeMutex {}
}
