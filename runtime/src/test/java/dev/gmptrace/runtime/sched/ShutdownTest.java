package dev.gmptrace.runtime.sched;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gmptrace.runtime.Chan;
import dev.gmptrace.runtime.Go;
import dev.gmptrace.runtime.GoThreadFactory;
import dev.gmptrace.runtime.jdk.Jdk;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** After a shutdown nobody waits for what will not come, and no thread is left behind. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ShutdownTest {
  private final Sched sched = new Sched(SchedOptions.defaults().withProcs(2).withDebug("check=1"));

  @AfterEach
  void end() {
    sched.shutdown();
  }

  private static void forEver() {
    Chan.<Integer>make().receive();
  }

  /** What {@code wait}, on a thread made by {@code threads}, ends with at the shutdown. */
  private Throwable endOf(ThreadFactory threads, Runnable wait) throws InterruptedException {
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    Thread t =
        threads.newThread(() -> {
          try {
            wait.run();
          } catch (Throwable e) {
            thrown.set(e);
          }
        });
    t.start();
    while (sched.countStates()[2] != 1) { // it waits
      Thread.sleep(1);
    }
    sched.shutdown();
    t.join();
    return Objects.requireNonNull(thrown.get());
  }

  @Test
  void aRunUnderWayThrows() throws InterruptedException {
    Throwable e = endOf(Thread.ofPlatform().factory(), () -> sched.run(ShutdownTest::forEver));
    assertEquals("the scheduler gmp is shut down", e.getMessage());
    assertInstanceOf(IllegalStateException.class, e);
  }

  @Test
  void aForeignThreadInACallIsReleased() throws InterruptedException {
    Throwable e =
        endOf(Thread.ofPlatform().factory(), () -> Foreign.call(sched, ShutdownTest::forEver));
    assertInstanceOf(IllegalStateException.class, e);
    assertEquals(0, sched.nmextra);
  }

  @Test
  void aForeignVirtualThreadInACallIsReleased() throws InterruptedException {
    Throwable e =
        endOf(Thread.ofVirtual().factory(), () -> Foreign.call(sched, ShutdownTest::forEver));
    assertInstanceOf(IllegalStateException.class, e);
  }

  @Test
  void afterwardsNothingIsStarted() {
    try (ExecutorService executor = Executors.newThreadPerTaskExecutor(GoThreadFactory.on(sched))) {
      sched.run(() -> {});
      sched.shutdown();
      sched.shutdown();
      assertThrows(IllegalStateException.class, () -> sched.go(() -> {}));
      assertThrows(IllegalStateException.class, () -> sched.run(() -> {}));
      assertThrows(IllegalStateException.class, () -> Foreign.call(sched, () -> {}));
      assertThrows(RejectedExecutionException.class, () -> executor.submit(() -> 1));
      assertThrows(
          RejectedExecutionException.class,
          () -> GoThreadFactory.on(sched).newThread(() -> {}).start());
      assertThrows(IllegalStateException.class, () -> onAVirtualThread());
    }
  }

  private void onAVirtualThread() {
    AtomicReference<RuntimeException> thrown = new AtomicReference<>();
    Thread t =
        Thread.ofVirtual()
            .start(() -> {
              try {
                Foreign.call(sched, () -> {});
              } catch (RuntimeException e) {
                thrown.set(e);
              }
            });
    try {
      t.join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    throw Objects.requireNonNull(thrown.get());
  }

  @Test
  void aMainThatShutsItsOwnSchedulerDownMayReturn() {
    boolean[] went = new boolean[1];
    sched.run(() -> {
      sched.shutdown();
      went[0] = true;
    });
    assertTrue(went[0]);
  }

  @Test
  void butNotWaitForAnything() {
    assertThrows(
        IllegalStateException.class,
        () ->
            sched.run(() -> {
              sched.shutdown();
              forEver();
            }));
  }

  @Test
  void threadsThatGoroutinesAreTiedToEnd() throws InterruptedException {
    Set<Thread> threads = ConcurrentHashMap.newKeySet();
    int n = 20;
    CountDownLatch locked = new CountDownLatch(n);
    for (int i = 0; i < n; i++) {
      boolean pinned = i % 2 == 0;
      G _ =
          sched.go(() -> {
            threads.add(Jdk.currentCarrierThread());
            if (pinned) {
              Thread _ = Jdk.pin();
            } else {
              Go.lockOSThread();
            }
            locked.countDown();
            try {
              forEver();
            } catch (FatalError e) {
              // the pinned ones have their stack on the thread
            }
          });
    }
    locked.await();
    while (sched.countStates()[2] != n) {
      Thread.sleep(1);
    }
    sched.shutdown();
    for (Thread t : threads) {
      t.join();
    }
  }

  /** Hand-overs to locked goroutines under way when the end comes: all threads end, none twice. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void theEndMayComeInTheMiddleOfHandOvers(int procs) throws InterruptedException {
    for (int round = 0; round < 30; round++) {
      Sched s =
          new Sched(
              SchedOptions.defaults()
                  .withName("round" + round)
                  .withProcs(procs)
                  .withDebug("check=1"));
      Set<Thread> threads = ConcurrentHashMap.newKeySet();
      CountDownLatch warm = new CountDownLatch(40);
      for (int i = 0; i < 4; i++) {
        Chan<Integer> there = Chan.make();
        Chan<Integer> back = Chan.make();
        G _ =
            s.go(() -> {
              Go.lockOSThread();
              threads.add(Jdk.currentCarrierThread());
              for (; ; ) {
                there.send(1);
                int _ = back.take();
                warm.countDown();
              }
            });
        G _ =
            s.go(() -> {
              for (; ; ) {
                back.send(there.take());
                Go.gosched();
                threads.add(Jdk.currentCarrierThread());
              }
            });
      }
      warm.await();
      s.shutdown();
      for (Thread t : threads) {
        t.join();
      }
      assertEquals(null, s.failure);
    }
  }
}
