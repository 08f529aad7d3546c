package dev.gmptrace.runtime;

import dev.gmptrace.runtime.sched.TaskWrapper;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.RunnableFuture;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A goroutine for each task, named after it: the JDK's thread-per-task executor wraps what it is
 * given, so in a trace all its tasks would look the same.
 *
 * <p>For implementers: a thread is in the set before it looks whether the executor is shut down,
 * and a shutdown is announced before it looks whether the set is empty. So one of them sees the
 * other: no task begins after the executor has terminated.
 */
final class GoExecutor extends AbstractExecutorService {
  private final ThreadFactory factory;
  private final Set<Thread> threads = ConcurrentHashMap.newKeySet();
  private final CountDownLatch terminated = new CountDownLatch(1);
  private volatile boolean shutdown;

  GoExecutor(ThreadFactory factory) {
    this.factory = factory;
  }

  /** A task under way. */
  private static final class Running implements TaskWrapper {
    private final GoExecutor executor;
    private final Runnable task;

    Running(GoExecutor executor, Runnable task) {
      this.executor = executor;
      this.task = task;
    }

    @Override
    public Object fn() {
      return task instanceof TaskWrapper w ? w.fn() : task;
    }

    @Override
    public void run() {
      try {
        task.run();
      } finally {
        executor.ended(Thread.currentThread());
      }
    }
  }

  /** A future that tells what it is about. */
  private static final class Future<T extends @Nullable Object> extends FutureTask<T>
      implements TaskWrapper {
    private final Object fn;

    Future(Callable<T> callable) {
      super(callable);
      fn = callable;
    }

    Future(Runnable runnable, T value) {
      super(runnable, value);
      fn = runnable;
    }

    @Override
    public Object fn() {
      return fn;
    }
  }

  @Override
  public void execute(Runnable task) {
    Objects.requireNonNull(task, "task");
    Thread t = factory.newThread(new Running(this, task));
    threads.add(t);
    if (shutdown) {
      ended(t);
      throw new RejectedExecutionException("the executor is shut down");
    }
    boolean started = false;
    try {
      t.start();
      started = true;
    } finally {
      if (!started) {
        ended(t);
      }
    }
  }

  private void ended(Thread t) {
    threads.remove(t);
    terminateIfDone();
  }

  private void terminateIfDone() {
    if (shutdown && threads.isEmpty()) {
      terminated.countDown();
    }
  }

  @Override
  protected <T extends @Nullable Object> RunnableFuture<T> newTaskFor(Callable<T> callable) {
    return new Future<>(callable);
  }

  @Override
  protected <T extends @Nullable Object> RunnableFuture<T> newTaskFor(Runnable runnable, T value) {
    return new Future<>(runnable, value);
  }

  @Override
  public void shutdown() {
    shutdown = true;
    terminateIfDone();
  }

  /** Interrupts all tasks; there is none that has not begun. */
  @Override
  public List<Runnable> shutdownNow() {
    shutdown();
    threads.forEach(Thread::interrupt);
    return List.of();
  }

  @Override
  public boolean isShutdown() {
    return shutdown;
  }

  @Override
  public boolean isTerminated() {
    return terminated.getCount() == 0;
  }

  @Override
  public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
    return terminated.await(timeout, unit);
  }
}
