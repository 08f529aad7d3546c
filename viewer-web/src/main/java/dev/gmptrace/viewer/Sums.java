package dev.gmptrace.viewer;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Answers questions that go through all of a trace, two at a time and in the order they came.
 *
 * <p>Such a question takes seconds on a big trace. Answered on the server's own threads, a page
 * that asks many of them would take every processor, and the server every thread, from the tiles
 * somebody waits for. So tiles and everything else that follows the mouse never wait behind more
 * than these.
 */
final class Sums {
  static final int AT_ONCE = 2;
  private static final long IDLE_SECONDS = 10;

  private final ThreadPoolExecutor threads =
      new ThreadPoolExecutor(
          AT_ONCE,
          AT_ONCE,
          IDLE_SECONDS,
          TimeUnit.SECONDS,
          new LinkedBlockingQueue<>(),
          task -> {
            Thread thread = new Thread(task, "gmptrace-sums");
            thread.setDaemon(true);
            return thread;
          });

  Sums() {
    // Nobody closes a viewer that lives in another server; its threads end by themselves.
    threads.allowCoreThreadTimeOut(true);
  }

  CompletableFuture<Void> add(Runnable question) {
    return CompletableFuture.runAsync(question, threads);
  }
}
