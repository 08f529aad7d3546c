package dev.gmptrace.runtime.sched;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gmptrace.runtime.Go;
import dev.gmptrace.runtime.jdk.Jdk;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who runs on which thread: migration, locking, pinning, blocking, threads of others. */
@Timeout(60)
class ThreadsTest {
  private Sched sched = new Sched(SchedOptions.defaults().withProcs(1).withDebug("check=1"));

  private Sched procs(int n) {
    sched.shutdown();
    sched = new Sched(SchedOptions.defaults().withProcs(n).withDebug("check=1"));
    return sched;
  }

  @AfterEach
  void end() {
    sched.shutdown();
  }

  @Test
  void monitorLockAndThreadLocalSurviveMigration() throws InterruptedException {
    procs(4);
    ThreadLocal<Integer> local = new ThreadLocal<>();
    AtomicInteger migrations = new AtomicInteger();
    CountDownLatch done = new CountDownLatch(8);
    AtomicReference<Throwable> failure = new AtomicReference<>();
    for (int i = 0; i < 8; i++) {
      int me = i;
      G _ =
          sched.go(() -> {
            try {
              Object monitor = new Object();
              ReentrantLock lock = new ReentrantLock();
              local.set(me);
              synchronized (monitor) {
                lock.lock();
                try {
                  for (int k = 0; k < 2000; k++) {
                    Thread before = Jdk.currentCarrierThread();
                    if (k % 50 == 0) {
                      LockSupport.parkNanos(1); // comes back by the global queue, to anybody
                    } else {
                      Go.gosched();
                    }
                    if (!before.equals(Jdk.currentCarrierThread())) {
                      migrations.incrementAndGet();
                    }
                    assertTrue(Thread.holdsLock(monitor));
                    assertTrue(lock.isHeldByCurrentThread());
                    assertEquals(me, local.get());
                  }
                } finally {
                  lock.unlock();
                }
              }
            } catch (Throwable t) {
              failure.set(t);
            } finally {
              done.countDown();
            }
          });
    }
    done.await();
    if (failure.get() != null) {
      throw new AssertionError(failure.get());
    }
    assertTrue(migrations.get() > 0, "nobody moved, so nothing was tested");
  }

  @Test
  void lockedGoroutineStaysAndItsPServesOthersMeanwhile() {
    procs(1)
        .run(() -> {
          Go.lockOSThread();
          Go.lockOSThread();
          Thread mine = Jdk.currentCarrierThread();
          AtomicInteger others = new AtomicInteger();
          for (int i = 0; i < 100; i++) {
            Go.go(others::incrementAndGet);
            Go.gosched();
            assertSame(mine, Jdk.currentCarrierThread());
          }
          while (others.get() < 100) {
            Go.sleep(Duration.ofMillis(1));
            assertSame(mine, Jdk.currentCarrierThread());
          }
          Go.unlockOSThread();
          Go.gosched();
          assertSame(mine, Jdk.currentCarrierThread(), "locked twice, unlocked once");
          Go.unlockOSThread();
        });
  }

  @Test
  void threadEndsWithAGoroutineThatNeverUnlockedIt() {
    procs(2)
        .run(() -> {
          AtomicReference<Thread> thread = new AtomicReference<>();
          Go.go(() -> {
            Go.lockOSThread();
            thread.set(Jdk.currentCarrierThread());
          });
          while (thread.get() == null || thread.get().isAlive()) {
            Go.sleep(Duration.ofMillis(1));
          }
        });
  }

  @Test
  void pinnedGoroutineParksWithoutHoldingItsP() {
    procs(1)
        .run(() -> {
          ParkTest.Slot slot = new ParkTest.Slot();
          AtomicInteger turns = new AtomicInteger();
          Go.go(() -> {
            for (int i = 0; i < 50; i++) {
              slot.send(i);
              turns.incrementAndGet();
            }
          });
          AtomicInteger got = new AtomicInteger();
          withNativeFrame(() -> {
            while (got.get() < 50) {
              assertEquals(got.getAndIncrement(), slot.receive());
              Go.gosched();
            }
          });
          assertEquals(50, got.get());
          Go.gosched();
        });
  }

  /** Runs {@code body} under a native frame: as the comparator of the C library's qsort. */
  @SuppressWarnings("restricted")
  private static void withNativeFrame(Runnable body) {
    try (Arena arena = Arena.ofConfined()) {
      Linker linker = Linker.nativeLinker();
      MethodHandle qsort =
          linker.downcallHandle(
              linker.defaultLookup().find("qsort").orElseThrow(),
              FunctionDescriptor.ofVoid(
                  ValueLayout.ADDRESS,
                  ValueLayout.JAVA_LONG,
                  ValueLayout.JAVA_LONG,
                  ValueLayout.ADDRESS));
      AtomicBoolean once = new AtomicBoolean();
      AtomicReference<Throwable> thrown = new AtomicReference<>();
      Runnable guarded =
          () -> {
            if (once.compareAndSet(false, true)) {
              try {
                body.run();
              } catch (Throwable t) {
                thrown.set(t);
              }
            }
          };
      MethodHandle compare =
          MethodHandles.lookup()
              .findStatic(
                  ThreadsTest.class,
                  "compare",
                  MethodType.methodType(
                      int.class, Runnable.class, MemorySegment.class, MemorySegment.class))
              .bindTo(guarded);
      MemorySegment stub =
          linker.upcallStub(
              compare,
              FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS),
              arena);
      MemorySegment array = arena.allocate(ValueLayout.JAVA_INT, 2);
      qsort.invokeExact(array, 2L, 4L, stub);
      if (thrown.get() != null) {
        throw new AssertionError(thrown.get());
      }
    } catch (Throwable t) {
      throw new AssertionError(t);
    }
  }

  @SuppressWarnings("UnusedMethod") // the comparator above
  private static int compare(Runnable body, MemorySegment a, MemorySegment b) {
    body.run();
    return Long.compare(a.address(), b.address());
  }

  @Test
  void pOfAnAnnouncedSyscallServesOthers() {
    procs(1)
        .run(() -> {
          AtomicBoolean others = new AtomicBoolean();
          Go.go(() -> others.set(true));
          blockUntil(others, true);
        });
  }

  @Test
  void pOfAThreadThatBlocksUnannouncedServesOthers() {
    org.junit.jupiter.api.Assumptions.assumeTrue(
        System.getProperty("os.name").equals("Linux"), "only Linux tells whether a thread sleeps");
    procs(1)
        .run(() -> {
          AtomicBoolean others = new AtomicBoolean();
          Go.go(() -> others.set(true));
          blockUntil(others, false);
          // Back, and without a P: the next call of the runtime finds one or gives way.
          Go.gosched();
          G gp = ParkTest.current();
          assertEquals(G.RUNNING, gp.status());
          assertNotNull(java.util.Objects.requireNonNull(gp.m).p);
        });
  }

  /** Blocks the thread, not the goroutine, until {@code flag}. */
  private static void blockUntil(AtomicBoolean flag, boolean announce) {
    if (announce) {
      Syscalls.entersyscall();
    }
    for (int i = 0; i < 20_000 && !flag.get(); i++) {
      Jdk.sleepCarrier(2_000_000);
    }
    if (announce) {
      Syscalls.exitsyscall();
    }
    assertTrue(flag.get(), "nobody else ran while this thread was blocked");
  }

  @Test
  void jdkParkInsideASyscallEndsIt() {
    procs(2)
        .run(() -> {
          CountDownLatch latch = new CountDownLatch(1);
          Go.go(() -> {
            Go.sleep(Duration.ofMillis(2));
            latch.countDown();
          });
          try {
            int _ =
                Go.syscall(() -> {
                  latch.await();
                  Go.go(() -> {});
                  return 1;
                });
          } catch (Exception e) {
            throw new AssertionError(e);
          }
          assertEquals(G.RUNNING, ParkTest.current().status());
        });
  }

  @Test
  void foreignThreadRunsAGoroutineItselfAndGoesItsWay() {
    procs(2);
    Thread me = Thread.currentThread();
    for (int i = 0; i < 20; i++) {
      AtomicReference<Thread> carrier = new AtomicReference<>();
      Foreign.call(
          sched,
          () -> {
            assertNotSame(me, Thread.currentThread());
            carrier.set(Jdk.currentCarrierThread());
            ParkTest.Slot slot = new ParkTest.Slot();
            G _ = sched.go(() -> slot.send("x"));
            assertEquals("x", slot.receive());
            assertSame(carrier.get(), Jdk.currentCarrierThread());
          });
      assertSame(me, carrier.get());
    }
    assertEquals(0, sched.nmextra);
    assertThrows(
        IllegalStateException.class,
        () ->
            Foreign.call(
                sched,
                () -> {
                  throw new IllegalStateException();
                }));
  }

  @Test
  void virtualThreadStartedInAGoroutineIsAGoroutine() {
    procs(2)
        .run(() -> {
          long mine = Go.goid();
          java.util.concurrent.atomic.AtomicLong theirs =
              new java.util.concurrent.atomic.AtomicLong();
          Thread t =
              Thread.startVirtualThread(() -> {
                theirs.set(Go.goid());
                Go.sleep(Duration.ofMillis(1));
              });
          try {
            t.join();
          } catch (InterruptedException e) {
            throw new AssertionError(e);
          }
          assertTrue(theirs.get() != 0 && theirs.get() != mine);
        });
    while (!sched.adopted.isEmpty()) { // its M forgets it a moment after the join
      Thread.onSpinWait();
    }
  }

  @Test
  void longRunnerGivesWayAtACheck() {
    procs(1)
        .run(() -> {
          AtomicBoolean other = new AtomicBoolean();
          Go.go(() -> other.set(true));
          while (!other.get()) {
            Go.checkPreempt();
            Thread.onSpinWait();
          }
        });
  }

  /** The thread that is one too many may be wanted in the middle of some goroutine's go. */
  @Test
  void whoCatchesThatTheThreadsAreUsedUpCannotGoOn() {
    procs(2);
    int _ = sched.setMaxThreads(2);
    AtomicBoolean caught = new AtomicBoolean();
    FatalError e =
        assertThrows(
            FatalError.class,
            () ->
                sched.run(() -> {
                  for (; ; ) {
                    try {
                      Go.go(() -> {
                        Go.lockOSThread();
                        Go.sleep(Duration.ofSeconds(30));
                      });
                    } catch (FatalError | IllegalStateException t) {
                      caught.set(true);
                      Go.sleep(Duration.ofSeconds(30));
                    }
                    Thread.onSpinWait();
                  }
                }));
    assertEquals("fatal error: thread exhaustion", e.getMessage());
    assertTrue(caught.get() || sched.shutdown);
  }

  @Test
  void tooManyThreadsIsGosFatalError() {
    procs(1);
    int _ = sched.setMaxThreads(3);
    FatalError e =
        assertThrows(
            FatalError.class,
            () ->
                sched.run(() -> {
                  for (int i = 0; i < 8; i++) {
                    Go.go(() -> {
                      Go.lockOSThread();
                      Go.sleep(Duration.ofSeconds(30));
                    });
                  }
                  Go.sleep(Duration.ofSeconds(30));
                }));
    assertEquals("fatal error: thread exhaustion", e.getMessage());
  }
}
