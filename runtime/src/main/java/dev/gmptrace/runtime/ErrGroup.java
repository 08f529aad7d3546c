package dev.gmptrace.runtime;

import java.util.Objects;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Go's {@code golang.org/x/sync/errgroup}: goroutines that work on parts of one task. The first
 * that fails cancels the group's context, and {@link #await} throws its failure.
 *
 * <pre>{@code
 * ErrGroup g = new ErrGroup(ctx);
 * for (Url u : urls) g.go(() -> fetch(g.context(), u));
 * g.await();
 * }</pre>
 */
public final class ErrGroup {
  /** A part of the work. */
  @FunctionalInterface
  public interface Task {
    /** Does it. */
    void run() throws Exception;
  }

  private final WaitGroup wg = new WaitGroup();
  private final CancelContext context;
  private final AtomicReference<@Nullable Throwable> first = new AtomicReference<>();
  private @Nullable Chan<Boolean> slots;

  /** A group of its own. */
  public ErrGroup() {
    this(Context.background());
  }

  /** A group whose context is a child of {@code parent}. */
  public ErrGroup(Context parent) {
    context = parent.withCancel();
  }

  /** Done when a task fails, when {@link #await} returns, or with the parent. */
  public Context context() {
    return context;
  }

  /**
   * Lets at most {@code n} run at once; to be set before the first task. With 0 none starts: {@link
   * #go} waits for ever. Below 0 there is no limit.
   *
   * @throws Panic "errgroup: modify limit while … goroutines in the group are still active"
   */
  public ErrGroup limit(int n) {
    Chan<Boolean> s = slots;
    if (s != null && s.length() != 0) {
      throw new Panic(
          "errgroup: modify limit while "
              + s.length()
              + " goroutines in the group are still active");
    }
    slots = n < 0 ? null : Chan.make(n);
    return this;
  }

  /** Starts a task in a goroutine of its own, waiting if the limit is reached. */
  public void go(Task task) {
    Chan<Boolean> s = slots;
    Objects.requireNonNull(task, "a task to run");
    if (s != null) {
      s.send(true);
    }
    start(task, s);
  }

  /** Starts a task unless the limit is reached. */
  public boolean tryGo(Task task) {
    Chan<Boolean> s = slots;
    Objects.requireNonNull(task, "a task to run");
    if (s != null && !s.trySend(true)) {
      return false;
    }
    start(task, s);
    return true;
  }

  private void start(Task task, @Nullable Chan<Boolean> s) {
    wg.add(1);
    Go.go(() -> {
      try {
        task.run();
      } catch (Throwable t) {
        if (first.compareAndSet(null, t)) {
          context.cancel(t);
        }
      } finally {
        if (s != null) {
          Boolean _ = s.receive();
        }
        wg.done();
      }
    });
  }

  /**
   * Waits for all tasks, and throws what the first that failed threw; a checked exception as the
   * cause of a CompletionException.
   */
  public void await() {
    wg.await();
    context.cancel();
    switch (first.get()) {
      case null -> {}
      case RuntimeException e -> throw e;
      case Error e -> throw e;
      case Throwable t -> throw new CompletionException(t);
    }
  }
}
