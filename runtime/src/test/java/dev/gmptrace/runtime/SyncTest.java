package dev.gmptrace.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gmptrace.runtime.sched.FatalError;
import dev.gmptrace.runtime.sched.G;
import dev.gmptrace.runtime.sched.WaitReason;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** RWMutex, Cond, Once, Semaphore, ErrGroup. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SyncTest {
  // ---- RWMutex ----------------------------------------------------------------------------------

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 8})
  void writersAreAloneAndReadersAreNot(int procs) {
    ChanTest.onProcs(
        procs,
        () -> {
          RWMutex mu = new RWMutex();
          AtomicInteger readers = new AtomicInteger();
          AtomicInteger most = new AtomicInteger();
          int[] value = new int[2];
          WaitGroup wg = new WaitGroup();
          for (int g = 0; g < 4; g++) {
            wg.go(() -> {
              for (int i = 0; i < 500; i++) {
                mu.lock();
                assertEquals(0, readers.get());
                value[0]++;
                Go.gosched();
                value[1]++;
                mu.unlock();
              }
            });
            wg.go(() -> {
              for (int i = 0; i < 500; i++) {
                mu.rLock();
                most.accumulateAndGet(readers.incrementAndGet(), Math::max);
                assertEquals(value[0], value[1]);
                Go.gosched();
                readers.decrementAndGet();
                mu.rUnlock();
              }
            });
          }
          wg.await();
          assertEquals(2_000, value[0]);
          assertTrue(most.get() > 1, "readers were never together");
        });
  }

  @Test
  void waitingWriterKeepsNewReadersOut() {
    ChanTest.onProcs(
        2,
        () -> {
          RWMutex mu = new RWMutex();
          Chan<String> order = Chan.make(4);
          mu.rLock();
          G _ =
              ChanTest.parked(
                  WaitReason.SYNC_RWMUTEX_LOCK,
                  () -> {
                    mu.lock();
                    order.send("writer");
                    mu.unlock();
                  });
          assertFalse(mu.tryRLock());
          G _ =
              ChanTest.parked(
                  WaitReason.SYNC_RWMUTEX_RLOCK,
                  () -> {
                    mu.rLock();
                    order.send("reader");
                    mu.rUnlock();
                  });
          mu.rUnlock();
          assertEquals("writer", order.receive());
          assertEquals("reader", order.receive());
        });
  }

  @Test
  void rwMutexMisuseIsFatal() {
    RWMutex mu = new RWMutex();
    assertEquals(
        "fatal error: sync: Unlock of unlocked RWMutex",
        assertThrows(FatalError.class, mu::unlock).getMessage());
    assertEquals(
        "fatal error: sync: RUnlock of unlocked RWMutex",
        assertThrows(FatalError.class, mu::rUnlock).getMessage());
    assertTrue(mu.tryLock());
    assertFalse(mu.tryLock());
    assertFalse(mu.tryRLock());
    mu.unlock();
    Locker reading = mu.rLocker();
    reading.lock();
    assertTrue(mu.tryRLock());
    reading.unlock();
    mu.rUnlock();
    mu.lock(); // from a platform thread
    mu.unlock();
  }

  // ---- Cond -------------------------------------------------------------------------------------

  @Test
  void signalWakesInOrderAndBroadcastAll() {
    ChanTest.onProcs(
        2,
        () -> {
          Mutex mu = new Mutex();
          Cond cond = new Cond(mu);
          Chan<Integer> woken = Chan.make(20);
          for (int i = 0; i < 10; i++) {
            int who = i;
            G _ =
                ChanTest.parked(
                    WaitReason.SYNC_COND_WAIT,
                    () -> {
                      mu.lock();
                      cond.await();
                      woken.send(who);
                      mu.unlock();
                    });
          }
          for (int i = 0; i < 5; i++) {
            cond.signal();
            assertEquals(i, woken.receive());
          }
          cond.broadcast();
          int sum = 0;
          for (int i = 0; i < 5; i++) {
            sum += woken.take();
          }
          assertEquals(5 + 6 + 7 + 8 + 9, sum);
          cond.signal();
          cond.broadcast();
        });
  }

  @Test
  void awaitWithoutTheLockLeavesNobodyInLine() {
    ChanTest.onProcs(
        2,
        () -> {
          Mutex mu = new Mutex();
          Cond cond = new Cond(mu);
          assertThrows(FatalError.class, cond::await);
          Chan<Boolean> woken = Chan.make(1);
          G _ =
              ChanTest.parked(
                  WaitReason.SYNC_COND_WAIT,
                  () -> {
                    mu.with(cond::await);
                    woken.send(true);
                  });
          cond.signal(); // for the one who waits, and not for the one who could not
          assertEquals(true, woken.receive());
        });
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void boundedBufferWithTwoConds(int procs) {
    ChanTest.onProcs(
        procs,
        () -> {
          Mutex mu = new Mutex();
          Cond notFull = new Cond(mu);
          Cond notEmpty = new Cond(mu);
          List<Integer> buffer = new ArrayList<>();
          AtomicInteger sum = new AtomicInteger();
          WaitGroup wg = new WaitGroup();
          for (int g = 0; g < 3; g++) {
            wg.go(() -> {
              for (int i = 1; i <= 500; i++) {
                mu.lock();
                while (buffer.size() == 2) {
                  notFull.await();
                }
                buffer.add(i);
                notEmpty.signal();
                mu.unlock();
              }
            });
            wg.go(() -> {
              for (int i = 1; i <= 500; i++) {
                mu.lock();
                while (buffer.isEmpty()) {
                  notEmpty.await();
                }
                sum.addAndGet(buffer.removeFirst());
                notFull.signal();
                mu.unlock();
              }
            });
          }
          wg.await();
          assertEquals(3 * 500 * 501 / 2, sum.get());
        });
  }

  // ---- Once -------------------------------------------------------------------------------------

  @Test
  void onceRunsOnceAndTheOthersWaitForIt() {
    ChanTest.onProcs(
        4,
        () -> {
          for (int round = 0; round < 100; round++) {
            Once once = new Once();
            AtomicInteger runs = new AtomicInteger();
            int[] result = new int[1];
            WaitGroup wg = new WaitGroup();
            for (int g = 0; g < 8; g++) {
              wg.go(() -> {
                once.run(() -> {
                  Go.gosched();
                  runs.incrementAndGet();
                  result[0] = 42;
                });
                assertEquals(42, result[0]);
              });
            }
            wg.await();
            assertEquals(1, runs.get());
          }
        });
  }

  @Test
  void onceThatThrowsCountsAsDone() {
    Once once = new Once();
    assertThrows(
        IllegalStateException.class,
        () ->
            once.run(() -> {
              throw new IllegalStateException();
            }));
    once.run(() -> {
      throw new AssertionError("ran again");
    });
    AtomicInteger asked = new AtomicInteger();
    Supplier<Integer> value = Once.value(asked::incrementAndGet);
    assertEquals(1, value.get());
    assertEquals(1, value.get());
    Supplier<Integer> failing =
        Once.value(() -> {
          throw new IllegalArgumentException("no " + asked.incrementAndGet());
        });
    Exception first = assertThrows(IllegalArgumentException.class, failing::get);
    assertSame(first, assertThrows(IllegalArgumentException.class, failing::get));
  }

  // ---- Semaphore --------------------------------------------------------------------------------

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void neverMoreThanItHas(int procs) {
    ChanTest.onProcs(
        procs,
        () -> {
          Semaphore sem = new Semaphore(5);
          AtomicInteger in = new AtomicInteger();
          WaitGroup wg = new WaitGroup();
          for (int g = 0; g < 10; g++) {
            int weight = 1 + g % 3;
            wg.go(() -> {
              for (int i = 0; i < 200; i++) {
                if (i % 4 == 0) {
                  sem.acquire(Context.background().withCancel(), weight);
                } else {
                  sem.acquire(weight);
                }
                assertTrue(in.addAndGet(weight) <= 5);
                Go.gosched();
                in.addAndGet(-weight);
                sem.release(weight);
              }
            });
          }
          wg.await();
          assertTrue(sem.tryAcquire(5));
          assertFalse(sem.tryAcquire(1));
          sem.release(5);
          assertEquals(
              "panic: semaphore: released more than held", ChanTest.panic(() -> sem.release()));
        });
  }

  @Test
  void bigRequestIsNotPassedBySmallOnes() {
    ChanTest.onProcs(
        2,
        () -> {
          Semaphore sem = new Semaphore(3);
          Chan<String> order = Chan.make(3);
          sem.acquire(2);
          G _ =
              ChanTest.parked(
                  WaitReason.SEMACQUIRE,
                  () -> {
                    sem.acquire(3);
                    order.send("big");
                    sem.release(3);
                  });
          assertFalse(sem.tryAcquire(1));
          G _ =
              ChanTest.parked(
                  WaitReason.SEMACQUIRE,
                  () -> {
                    sem.acquire();
                    order.send("small");
                    sem.release();
                  });
          sem.release(2);
          assertEquals("big", order.receive());
          assertEquals("small", order.receive());
        });
  }

  @Test
  void cancelledRequestLetsTheNextOneIn() {
    ChanTest.onProcs(
        2,
        () -> {
          Semaphore sem = new Semaphore(2);
          sem.acquire(1);
          CancelContext ctx = Context.background().withCancel();
          Chan<String> order = Chan.make(2);
          G _ =
              ChanTest.parked(
                  WaitReason.SELECT,
                  () -> {
                    try {
                      sem.acquire(ctx, 2);
                    } catch (CancelledException e) {
                      order.send(String.valueOf(e.getMessage()));
                    }
                  });
          G _ =
              ChanTest.parked(
                  WaitReason.SEMACQUIRE,
                  () -> {
                    sem.acquire(1);
                    order.send("next");
                  });
          ctx.cancel();
          List<String> both = new ArrayList<>(List.of(order.take(), order.take()));
          both.sort(null);
          assertEquals(List.of("context canceled", "next"), both);
          assertThrows(CancelledException.class, () -> sem.acquire(ctx, 1));
        });
  }

  /** More than there is: never served, so never in the way of those who can be. */
  @Test
  void impossibleRequestIsInNobodysWay() {
    ChanTest.onProcs(
        2,
        () -> {
          Semaphore sem = new Semaphore(2);
          CancelContext ctx = Context.background().withCancel();
          Chan<String> ended = Chan.make(1);
          G _ = ChanTest.parked(WaitReason.CHAN_RECEIVE_NIL, () -> sem.acquire(3));
          G _ =
              ChanTest.parked(
                  WaitReason.CHAN_RECEIVE,
                  () -> {
                    try {
                      sem.acquire(ctx, 3);
                    } catch (CancelledException e) {
                      ended.send(String.valueOf(e.getMessage()));
                    }
                  });
          assertTrue(sem.tryAcquire(2));
          sem.release(2);
          ctx.cancel();
          assertEquals("context canceled", ended.receive());
        });
  }

  /** On one P the waiter runs only when both have happened. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void requestThatIsGrantedAndCancelledAtOnceTakesNothing(boolean grantedFirst) {
    ChanTest.onProcs(
        1,
        () -> {
          Semaphore sem = new Semaphore(2);
          sem.acquire(2);
          CancelContext ctx = Context.background().withCancel();
          Chan<String> ended = Chan.make(1);
          G _ =
              ChanTest.parked(
                  WaitReason.SELECT,
                  () -> {
                    try {
                      sem.acquire(ctx, 2);
                      ended.send("taken");
                    } catch (CancelledException e) {
                      ended.send("cancelled");
                    }
                  });
          if (grantedFirst) {
            sem.release(2);
            ctx.cancel();
          } else {
            ctx.cancel();
            sem.release(2);
          }
          assertEquals("cancelled", ended.receive());
          assertTrue(sem.tryAcquire(2));
        });
  }

  // ---- ErrGroup ---------------------------------------------------------------------------------

  @Test
  void firstFailureCancelsAndComesOut() {
    ChanTest.onProcs(
        2,
        () -> {
          ErrGroup g = new ErrGroup(Context.background());
          g.go(() -> {
            throw new IOException("disk on fire");
          });
          g.go(() -> assertSame(null, g.context().done().receive()));
          CompletionException e = assertThrows(CompletionException.class, g::await);
          assertEquals("disk on fire", assertNotNull2(e.getCause()).getMessage());
          CancelledException why = g.context().err();
          assertNotNull(why);
          assertEquals("disk on fire", assertNotNull2(why.getCause()).getMessage());
        });
  }

  private static Throwable assertNotNull2(@org.jspecify.annotations.Nullable Throwable t) {
    if (t == null) {
      throw new AssertionError("no cause");
    }
    return t;
  }

  @Test
  void limitIsKept() {
    ChanTest.onProcs(
        4,
        () -> {
          ErrGroup g = new ErrGroup().limit(3);
          AtomicInteger running = new AtomicInteger();
          AtomicInteger most = new AtomicInteger();
          for (int i = 0; i < 50; i++) {
            g.go(() -> {
              most.accumulateAndGet(running.incrementAndGet(), Math::max);
              Go.gosched();
              running.decrementAndGet();
            });
          }
          g.await();
          assertTrue(most.get() <= 3, "ran " + most);
          Chan<Integer> hold = Chan.make();
          ErrGroup h = new ErrGroup().limit(1);
          h.go(hold::receive);
          assertFalse(h.tryGo(() -> {}));
          hold.close();
          h.await();
          assertTrue(h.tryGo(() -> {}));
          h.await();
          assertFalse(new ErrGroup().limit(0).tryGo(() -> {}));
          ErrGroup free = new ErrGroup().limit(1).limit(-1);
          Chan<Integer> all = Chan.make();
          for (int i = 0; i < 10; i++) {
            assertTrue(free.tryGo(all::receive));
          }
          all.close();
          free.await();
          ErrGroup busy = new ErrGroup().limit(2);
          Chan<Integer> until = Chan.make();
          busy.go(until::receive);
          assertEquals(
              "panic: errgroup: modify limit while 1 goroutines in the group are still active",
              ChanTest.panic(() -> busy.limit(3)));
          until.close();
          busy.await();
        });
  }
}
