package dev.gmptrace.tracer.record;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/** What is to be run on the writer thread, and those who wait for it. */
final class WriterCalls {
  private record Call(Runnable action, CompletableFuture<Void> done) {}

  private final ConcurrentLinkedQueue<Call> waiting = new ConcurrentLinkedQueue<>();
  private volatile @Nullable Throwable failure;

  /**
   * Has something run and waits for it.
   *
   * @param wake wakes the writer thread
   * @throws IllegalStateException if the writer has failed, before or in it
   */
  void run(Runnable action, Runnable wake) {
    Call call = new Call(action, new CompletableFuture<>());
    waiting.add(call);
    wake.run();
    // The writer says that it has failed before it looks here the last time: one of us sees the
    // other.
    Throwable why = failure;
    if (why != null) {
      call.done.completeExceptionally(why);
    }
    try {
      call.done.join();
    } catch (CompletionException e) {
      throw new IllegalStateException("the trace recorder failed: " + e.getCause(), e.getCause());
    }
  }

  boolean isEmpty() {
    return waiting.isEmpty();
  }

  /** By the writer: does the first of them. Whoever throws in it has to fail. */
  boolean runNext() {
    Call call = waiting.peek();
    if (call == null) {
      return false;
    }
    call.action.run();
    // In the queue until it is done, so that answerAll() finds it there.
    waiting.remove();
    call.done.complete(null);
    return true;
  }

  /** By the writer: nothing is run any more; those who wait are answered by {@link #answerAll}. */
  void fail(Throwable why) {
    failure = why;
  }

  boolean failed() {
    return failure != null;
  }

  void answerAll(Throwable why) {
    for (Call call = waiting.poll(); call != null; call = waiting.poll()) {
      call.done.completeExceptionally(why);
    }
  }
}
