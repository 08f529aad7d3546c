package dev.gmptrace.runtime.sched;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gmptrace.runtime.Chan;
import dev.gmptrace.runtime.Go;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Two goroutines that wake each other fill their P's runnext again and again, and each inherits the
 * other's time slice. Others must come to run all the same: those in the ring, and those in the
 * global queue.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SliceTest {
  private final AtomicBoolean stop = new AtomicBoolean();
  private final AtomicInteger left = new AtomicInteger();
  private Sched sched = new Sched(SchedOptions.defaults().withProcs(1).withDebug("check=1"));

  @AfterEach
  void shutdown() {
    stop.set(true);
    sched.shutdown();
  }

  /** What two goroutines talk over. */
  enum Pair {
    CHAN {
      @Override
      Runnable[] talk(AtomicBoolean stop) {
        Chan<Integer> there = Chan.make();
        Chan<Integer> back = Chan.make();
        return new Runnable[] {
          () -> {
            for (int i = 0; !stop.get(); i++) {
              there.send(i);
              back.take();
            }
            there.close();
          },
          () -> {
            while (there.receive() != null) {
              back.send(1);
            }
          }
        };
      }
    },
    SEMAPHORE {
      @Override
      Runnable[] talk(AtomicBoolean stop) {
        Semaphore there = new Semaphore(0);
        Semaphore back = new Semaphore(0);
        return new Runnable[] {
          () -> {
            while (!stop.get()) {
              there.release();
              back.acquireUninterruptibly();
            }
            there.release();
          },
          () -> {
            while (!stop.get()) {
              there.acquireUninterruptibly();
              back.release();
            }
          }
        };
      }
    },
    SYNCHRONOUS_QUEUE {
      @Override
      Runnable[] talk(AtomicBoolean stop) {
        SynchronousQueue<Integer> there = new SynchronousQueue<>();
        SynchronousQueue<Integer> back = new SynchronousQueue<>();
        return new Runnable[] {
          () -> {
            try {
              while (!stop.get()) {
                there.put(1);
                int _ = back.take();
              }
              there.put(0);
            } catch (InterruptedException e) {
              throw new AssertionError(e);
            }
          },
          () -> {
            try {
              while (there.take() != 0) {
                back.put(1);
              }
            } catch (InterruptedException e) {
              throw new AssertionError(e);
            }
          }
        };
      }
    };

    /** Two tasks that wake each other until {@code stop}. */
    abstract Runnable[] talk(AtomicBoolean stop);
  }

  private void talk(Pair pair) {
    for (Runnable half : pair.talk(stop)) {
      left.incrementAndGet();
      G _ =
          sched.go(() -> {
            half.run();
            left.decrementAndGet();
          });
    }
  }

  /** Waits, on a thread of its own, for as long as the test may take. */
  private void untilMoreThan(AtomicInteger turns, int n) throws InterruptedException {
    while (turns.get() <= n) {
      assertEquals(null, sched.failure);
      Thread.sleep(1);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aThirdInTheRingGetsItsTurns(Pair pair) throws InterruptedException {
    AtomicInteger turns = new AtomicInteger();
    talk(pair);
    G _ =
        sched.go(() -> {
          while (!stop.get()) {
            turns.incrementAndGet();
            Go.gosched();
          }
        });
    untilMoreThan(turns, 20);
  }

  @ParameterizedTest
  @EnumSource
  void aThirdFromAForeignThreadGetsItsTurn(Pair pair) throws InterruptedException {
    talk(pair);
    AtomicInteger turns = new AtomicInteger();
    for (int i = 0; i < 5; i++) {
      G _ = sched.go(turns::incrementAndGet);
      untilMoreThan(turns, i);
    }
  }

  /** Go's meaning: without signals a slice still ends at the calls of the runtime. */
  @ParameterizedTest
  @EnumSource
  void asyncpreemptoffStarvesNobody(Pair pair) throws InterruptedException {
    sched.shutdown();
    sched = new Sched(SchedOptions.defaults().withProcs(1).withDebug("check=1,asyncpreemptoff=1"));
    aThirdInTheRingGetsItsTurns(pair);
  }

  /** Goroutines that respawn each other begin a slice each, so only the count of them helps. */
  @Test
  void theGlobalQueueComesFirstOnEvery61stTick() {
    sched.run(() -> {
      for (int round = 0; round < 20; round++) {
        AtomicBoolean ran = new AtomicBoolean();
        AtomicInteger steps = new AtomicInteger();
        G last = NewProc.prepare(sched, () -> ran.set(true), G.siteOf(() -> {}));
        last.setStatusRelease(G.DEAD, G.RUNNABLE);
        sched.foreignBorn.incrementAndGet();
        sched.globrunqputLocked(last);
        Go.go(() -> respawn(ran, steps));
        while (!ran.get()) {
          Go.sleep(java.time.Duration.ofNanos(1)); // Gosched would join the global queue
        }
        assertTrue(steps.get() <= 62, "after " + steps + " others");
      }
    });
  }

  /** There is always one more in the ring: each time the runnext pushes the next one into it. */
  private static void respawn(AtomicBoolean ran, AtomicInteger steps) {
    if (!ran.get() && steps.incrementAndGet() < 1_000_000) {
      Go.go(() -> respawn(ran, steps));
      Go.go(() -> {});
    }
  }
}
