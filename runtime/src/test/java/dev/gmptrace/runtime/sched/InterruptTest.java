package dev.gmptrace.runtime.sched;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gmptrace.runtime.Chan;
import dev.gmptrace.runtime.Go;
import dev.gmptrace.runtime.jdk.Jdk;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** No wait of the runtime ends by an interrupt, and none swallows one. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class InterruptTest {
  private final Sched sched = new Sched(SchedOptions.defaults().withProcs(2).withDebug("check=1"));

  @AfterEach
  void end() {
    sched.shutdown();
  }

  private static void untilWaiting(G gp) {
    while (gp.status() != G.WAITING) {
      Go.gosched();
    }
  }

  private static void waitInterrupted(boolean pinned) {
    Chan<Integer> c = Chan.make();
    G gp = ParkTest.current();
    Thread me = Thread.currentThread();
    Go.go(() -> {
      untilWaiting(gp);
      me.interrupt();
      Go.gosched();
      c.send(1);
    });
    if (pinned) {
      Thread p = Jdk.pin();
      try {
        assertEquals(1, c.take());
      } finally {
        Jdk.unpin(p);
      }
    } else {
      assertEquals(1, c.take());
    }
    assertTrue(Thread.interrupted());
    assertFalse(Thread.interrupted());
  }

  @Test
  void aGoroutineThatWaitsKeepsItsFlag() {
    sched.run(() -> waitInterrupted(false));
  }

  @Test
  void aPinnedGoroutineThatWaitsKeepsItsFlag() {
    sched.run(() -> {
      for (int i = 0; i < 100; i++) {
        waitInterrupted(true);
      }
    });
  }

  /** Interrupts {@code caller} when its goroutine is waiting. */
  private void interruptWhenWaiting(Thread caller) {
    Thread _ =
        Thread.ofPlatform()
            .daemon()
            .start(() -> {
              while (sched.countStates()[2] == 0) {
                Thread.onSpinWait();
              }
              caller.interrupt();
            });
  }

  @Test
  void ofAForeignCallerIsPassedOn() {
    AtomicBoolean heard = new AtomicBoolean();
    interruptWhenWaiting(Thread.currentThread());
    Foreign.call(
        sched,
        () -> {
          try {
            Thread.sleep(1_000_000);
          } catch (InterruptedException e) {
            heard.set(true);
          }
        });
    assertTrue(heard.get());
    assertFalse(Thread.interrupted(), "its task has dealt with it");
  }

  @Test
  void ofAForeignCallerComesBackWhenNotDealtWith() {
    interruptWhenWaiting(Thread.currentThread());
    Foreign.call(
        sched,
        () -> {
          while (!Thread.currentThread().isInterrupted()) {
            Go.sleep(java.time.Duration.ofMillis(1));
          }
        });
    assertTrue(Thread.interrupted());
    assertFalse(Thread.interrupted());
  }

  @Test
  void fromBeforeTheCallIsPassedOn() {
    AtomicBoolean heard = new AtomicBoolean();
    Thread.currentThread().interrupt();
    Foreign.call(sched, () -> heard.set(Thread.interrupted()));
    assertTrue(heard.get());
    assertFalse(Thread.interrupted());
  }

  @Test
  void ofAForeignVirtualThreadIsPassedOn() throws InterruptedException {
    AtomicBoolean heard = new AtomicBoolean();
    Thread t =
        Thread.ofVirtual()
            .start(() ->
                Foreign.call(
                    sched,
                    () -> {
                      try {
                        Thread.sleep(1_000_000);
                      } catch (InterruptedException e) {
                        heard.set(true);
                      }
                    }));
    interruptWhenWaiting(t);
    t.join();
    assertTrue(heard.get());
  }

  @Test
  void ofOneWhoStopsTheWorldStays() throws InterruptedException {
    CountDownLatch runs = new CountDownLatch(1);
    AtomicBoolean interrupted = new AtomicBoolean();
    AtomicReference<Thread> stopper = new AtomicReference<>();
    G _ =
        sched.go(() -> {
          runs.countDown();
          while (!sched.gcwaiting) {
            Thread.onSpinWait();
          }
          Thread t = Objects.requireNonNull(stopper.get());
          t.interrupt();
          while (t.isInterrupted() && t.isAlive()) { // until it has noticed
            Thread.onSpinWait();
          }
        });
    runs.await();
    Thread t =
        Thread.ofPlatform()
            .unstarted(() -> {
              int _ = sched.gomaxprocs(3);
              interrupted.set(Thread.interrupted());
            });
    stopper.set(t);
    t.start();
    t.join();
    assertTrue(interrupted.get());
  }

  @Test
  void aCallReturnsThoughItsTaskUnlocksTheThread() {
    Foreign.call(sched, Go::unlockOSThread);
    Foreign.call(
        sched,
        () -> {
          Go.lockOSThread();
          Go.unlockOSThread();
          Go.unlockOSThread();
          Go.gosched();
        });
    Foreign.call(sched, Go::lockOSThread);
    assertEquals(0, sched.nmextra);
  }
}
