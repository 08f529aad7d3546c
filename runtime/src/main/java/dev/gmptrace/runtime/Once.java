package dev.gmptrace.runtime;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Go's {@code sync.Once}: something that is done once, whoever comes first; the others wait. */
public final class Once {
  private final Mutex mu = new Mutex();
  private volatile boolean done;

  /** Not done yet. */
  public Once() {}

  /**
   * Runs {@code f} if this is the first call, and returns when it has been run. If {@code f} throws
   * it counts as run.
   */
  public void run(Runnable f) {
    if (done) {
      return;
    }
    mu.lock();
    try {
      if (!done) {
        try {
          f.run();
        } finally {
          done = true;
        }
      }
    } finally {
      mu.unlock();
    }
  }

  /**
   * Go's {@code sync.OnceValue}: asks {@code f} once, at the first call, and keeps its answer, or
   * what it threw.
   */
  public static <T> Supplier<T> value(Supplier<T> f) {
    return new Value<>(f);
  }

  private static final class Value<T> implements Supplier<T> {
    private final Once once = new Once();
    private @Nullable Supplier<T> f;
    private @Nullable T value;
    private @Nullable RuntimeException failure;
    private @Nullable Error error;

    Value(Supplier<T> f) {
      this.f = f;
    }

    @Override
    @SuppressWarnings("NullAway") // set by the one call; null if that is what f said
    public T get() {
      once.run(this::ask);
      if (failure != null) {
        throw failure;
      }
      if (error != null) {
        throw error;
      }
      return value;
    }

    private void ask() {
      Supplier<T> ask = f;
      f = null;
      try {
        if (ask != null) {
          value = ask.get();
        }
      } catch (RuntimeException e) {
        failure = e;
      } catch (Error e) {
        error = e;
      }
    }
  }
}
