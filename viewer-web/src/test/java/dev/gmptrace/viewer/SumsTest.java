package dev.gmptrace.viewer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class SumsTest {
  @Test
  void noMoreThanTwoAreWorkedOnAtATime() throws InterruptedException {
    Sums sums = new Sums();
    Semaphore begun = new Semaphore(0);
    Semaphore mayEnd = new Semaphore(0);
    AtomicInteger now = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    List<CompletableFuture<Void>> questions = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      questions.add(
          sums.add(() -> {
            most.accumulateAndGet(now.incrementAndGet(), Math::max);
            begun.release();
            mayEnd.acquireUninterruptibly();
            now.decrementAndGet();
          }));
    }
    begun.acquire(Sums.AT_ONCE);
    assertEquals(Sums.AT_ONCE, now.get());
    mayEnd.release(questions.size());
    questions.forEach(CompletableFuture::join);
    assertEquals(Sums.AT_ONCE, most.get());
  }

  @Test
  void oneThatFailsLeavesRoomForTheNext() {
    Sums sums = new Sums();
    for (int i = 0; i < 3 * Sums.AT_ONCE; i++) {
      CompletableFuture<Void> failing =
          sums.add(() -> {
            throw new IllegalStateException("no");
          });
      assertThrows(CompletionException.class, failing::join);
    }
    sums.add(() -> {}).join();
  }
}
