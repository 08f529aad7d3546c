package dev.gmptrace.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gmptrace.runtime.sched.FatalError;
import dev.gmptrace.runtime.sched.G;
import dev.gmptrace.runtime.sched.WaitReason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Mutual exclusion, order, and the two modes. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class MutexTest {
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 8})
  void onlyOneIsInside(int procs) {
    ChanTest.onProcs(
        procs,
        () -> {
          Mutex mu = new Mutex();
          int[] counter = new int[1];
          WaitGroup wg = new WaitGroup();
          for (int g = 0; g < 16; g++) {
            wg.go(() -> {
              for (int i = 0; i < 2_000; i++) {
                mu.lock();
                counter[0]++;
                if (i % 64 == 0) {
                  Go.gosched();
                }
                mu.unlock();
              }
            });
          }
          wg.await();
          assertEquals(32_000, counter[0]);
          assertEquals("Mutex(unlocked)", mu.toString());
        });
  }

  @Test
  void unlockOfUnlockedIsFatal() {
    Mutex mu = new Mutex();
    FatalError e = assertThrows(FatalError.class, mu::unlock);
    assertEquals("fatal error: sync: unlock of unlocked mutex", e.getMessage());
    mu.lock();
    mu.unlock();
  }

  @Test
  void tryLockTakesAFreeMutexOnly() {
    Mutex mu = new Mutex();
    assertTrue(mu.tryLock());
    assertFalse(mu.tryLock());
    mu.unlock();
    assertTrue(mu.tryLock());
    mu.unlock();
  }

  @Test
  void anyGoroutineMayUnlock() {
    ChanTest.onProcs(
        2,
        () -> {
          Mutex mu = new Mutex();
          mu.lock();
          Go.go(mu::unlock);
          mu.lock();
          mu.unlock();
        });
  }

  @Test
  void withUnlocksAfterAnException() {
    Mutex mu = new Mutex();
    assertThrows(
        IllegalStateException.class,
        () ->
            mu.with(() -> {
              throw new IllegalStateException();
            }));
    assertTrue(mu.tryLock());
  }

  /** A waiter that was kept out for a millisecond turns the mode, and is served in order. */
  @Test
  void starvationModeHandsOverInOrder() {
    ChanTest.onProcs(
        1,
        () -> {
          // Nothing keeps main from being preempted just where it must not be, so it may have to
          // try again.
          int tries = 0;
          while (!starves(new Mutex())) {
            assertTrue(++tries < 1_000, "no mutex ever starved");
          }
        });
  }

  /** False when the waiters got through before one of them starved. */
  private static boolean starves(Mutex mu) {
    List<Integer> order = new ArrayList<>();
    WaitGroup wg = new WaitGroup();
    mu.lock();
    for (int i = 0; i < 5; i++) {
      int who = i;
      wg.add(1);
      G _ =
          ChanTest.parked(
              WaitReason.SYNC_MUTEX_LOCK,
              () -> {
                mu.lock();
                order.add(who);
                mu.unlock();
                wg.done();
              });
    }
    // Wakes a waiter and takes the mutex from under its nose, until the waiter has had enough and
    // asks for starvation mode.
    boolean starved = false;
    while (!starved && order.size() < 5) {
      mu.unlock();
      mu.lock();
      Time.sleep(Duration.ofMillis(2));
      starved = mu.isStarving();
    }
    mu.unlock();
    wg.await();
    assertEquals(List.of(0, 1, 2, 3, 4), order);
    assertFalse(mu.isStarving());
    assertTrue(mu.tryLock());
    return starved;
  }

  @Test
  void threadsThatAreNoGoroutinesWaitToo() throws InterruptedException {
    Mutex mu = new Mutex();
    int[] counter = new int[1];
    Runnable work =
        () -> {
          for (int i = 0; i < 200; i++) {
            mu.lock();
            counter[0]++;
            mu.unlock();
          }
        };
    Thread[] threads = new Thread[4];
    for (int i = 0; i < threads.length; i++) {
      threads[i] = (i % 2 == 0 ? Thread.ofPlatform() : Thread.ofVirtual()).start(work);
    }
    Go.run(work);
    for (Thread t : threads) {
      t.join();
    }
    assertEquals(1000, counter[0]);
  }
}
