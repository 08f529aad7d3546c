package dev.gmptrace.runtime.sched;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gmptrace.analyzer.stats.Validation;
import dev.gmptrace.runtime.jdk.Jdk;
import dev.gmptrace.tracer.record.Recording;
import dev.gmptrace.tracer.record.TraceTotals;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Everything at once, with the invariants checked at every transition. In the end every goroutine
 * is accounted for: none lost, none run twice.
 */
@Timeout(120)
@SuppressWarnings({"LockNotBeforeTry", "ReferenceEquality"})
class StormTest {
  /** One goroutine of a storm: must run exactly once. */
  private static final class Once implements Runnable {
    private final Storm storm;
    private final Runnable body;
    private final AtomicInteger runs = new AtomicInteger();

    Once(Storm storm, Runnable body) {
      this.storm = storm;
      this.body = body;
    }

    @Override
    public void run() {
      if (runs.incrementAndGet() != 1) {
        storm.fail(new AssertionError("run twice"));
      }
      try {
        body.run();
      } catch (Throwable t) {
        storm.fail(t);
      } finally {
        storm.ended.incrementAndGet();
        if (storm.open.decrementAndGet() == 0) {
          storm.done.countDown();
        }
      }
    }
  }

  /** Counts goroutines in and out. */
  private static final class Storm {
    final Sched sched;
    final AtomicInteger started = new AtomicInteger();
    final AtomicInteger ended = new AtomicInteger();
    final AtomicInteger open = new AtomicInteger();
    final CountDownLatch done = new CountDownLatch(1);
    final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

    final Path file;
    final Recording recording;

    Storm(Sched sched) {
      this.sched = sched;
      try {
        file = Files.createTempFile("storm-", ".bin");
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      recording = sched.tracer().start(file);
    }

    void go(Runnable body) {
      open.incrementAndGet();
      started.incrementAndGet();
      G _ = sched.go(new Once(this, body));
    }

    void fail(Throwable t) {
      failure.compareAndSet(null, t);
    }

    void await() throws InterruptedException {
      boolean ended = false;
      for (int i = 0; i < 1000 && !ended && sched.failure == null; i++) {
        ended = done.await(100, TimeUnit.MILLISECONDS);
      }
      Throwable t = failure.get();
      if (t == null) {
        t = sched.failure;
      }
      if (t != null) {
        throw new AssertionError(t);
      }
      if (!ended) {
        throw new AssertionError(
            "hangs: "
                + open.get()
                + " of "
                + started.get()
                + " goroutines left, "
                + Snapshots.take(sched, 0, true)
                + "\n"
                + sched.dump());
      }
      assertEquals(started.get(), this.ended.get());
      for (int i = 0; i < 1000 && sched.numGoroutine() > 0; i++) {
        Thread.sleep(5);
      }
      assertEquals(0, sched.numGoroutine(), "goroutines left over");
      assertTrue(sched.adopted.isEmpty());
      sched.shutdown();
      validate();
    }

    /** The same contract, re-enacted from outside over the recording. */
    private void validate() {
      TraceTotals totals = recording.stop();
      System.out.println(totals);
      Validation v = Validation.check(file);
      if (!v.ok() || !v.warnings().isEmpty()) {
        throw new AssertionError(file + "\n" + v.text() + v.warnings());
      }
      assertEquals(0, totals.lostEvents(), "lost events");
      assertEquals(0, totals.resyncs(), "resyncs");
      assertEquals(0, sched.tracer().nestedSections(), "nested sections");
      assertTrue(v.events() > started.get());
      try {
        Files.delete(file);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private static Storm storm(String name, int procs, long seed) {
    return new Storm(
        new Sched(
            SchedOptions.defaults()
                .withName(name)
                .withProcs(procs)
                .withDebug("check=1,seed=" + (seed & 0x7fffffff))));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7, 16, 64})
  void spawnStorm(int procs) throws InterruptedException {
    spawnStorm(procs, Seed.of("spawnStorm"));
  }

  private static void spawnStorm(int procs, long seed) throws InterruptedException {
    Storm s = storm("spawn", procs, seed);
    s.go(() -> tree(s, 12 + Seed.effort() / 10));
    s.await();
  }

  private static void tree(Storm s, int depth) {
    if (depth > 0) {
      s.go(() -> tree(s, depth - 1));
      s.go(() -> tree(s, depth - 1));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7, 16, 64})
  void pingPongWeb(int procs) throws InterruptedException {
    pingPongWeb(procs, Seed.of("pingPongWeb"));
  }

  private static void pingPongWeb(int procs, long seed) throws InterruptedException {
    Storm s = storm("web", procs, seed);
    int nodes = 40;
    int rounds = 300 * Seed.effort();
    ParkTest.Slot[] slots = new ParkTest.Slot[nodes];
    for (int i = 0; i < nodes; i++) {
      slots[i] = new ParkTest.Slot();
    }
    // A ring with half as many tokens as nodes.
    for (int i = 0; i < nodes; i++) {
      int me = i;
      s.go(() -> {
        boolean token = me % 2 == 0;
        for (int r = 0; r < rounds; r++) {
          if (token) {
            slots[(me + 1) % nodes].send(r);
            token = false;
          } else {
            slots[me].receive();
            token = true;
          }
        }
      });
    }
    s.await();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7, 16, 64})
  void syscallStorm(int procs) throws InterruptedException {
    syscallStorm(procs, Seed.of("syscallStorm"));
  }

  private static void syscallStorm(int procs, long seed) throws InterruptedException {
    Storm s = storm("sys", procs, seed);
    for (int i = 0; i < 30; i++) {
      SplittableRandom random = new SplittableRandom(seed + i);
      s.go(() -> {
        for (int k = 0; k < 60 * Seed.effort(); k++) {
          Syscalls.entersyscall();
          if (random.nextInt(4) == 0) {
            Jdk.sleepCarrier(random.nextInt(400_000));
          }
          Syscalls.exitsyscall();
          if (random.nextInt(8) == 0) {
            Proc.gosched();
          }
        }
      });
    }
    s.await();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7, 16, 64})
  void mixedStormWhileProcsFlap(int procs) throws InterruptedException {
    mixedStormWhileProcsFlap(procs, Seed.of("mixedStormWhileProcsFlap"));
  }

  private static void mixedStormWhileProcsFlap(int procs, long seed) throws InterruptedException {
    Storm s = storm("mixed", procs, seed);
    Semaphore permits = new Semaphore(2);
    ReentrantLock lock = new ReentrantLock();
    Object monitor = new Object();
    int[] guarded = new int[1];
    AtomicInteger increments = new AtomicInteger();
    int workers = 24;
    AtomicInteger working = new AtomicInteger(workers);
    for (int i = 0; i < workers; i++) {
      SplittableRandom random = new SplittableRandom(seed + i);
      s.go(() -> {
        for (int k = 0; k < 120 * Seed.effort(); k++) {
          switch (random.nextInt(10)) {
            case 0 -> s.go(Proc::gosched);
            case 1 -> Proc.gosched();
            case 2 -> {
              permits.acquireUninterruptibly();
              Proc.gosched();
              permits.release();
            }
            case 3 -> {
              synchronized (monitor) {
                guarded[0]++;
                increments.incrementAndGet();
                Proc.gosched();
              }
            }
            case 4 -> {
              lock.lock();
              Thread.yield();
              lock.unlock();
            }
            case 5 -> {
              Syscalls.entersyscall();
              Jdk.sleepCarrier(random.nextInt(100_000));
              Syscalls.exitsyscall();
            }
            case 6 -> {
              Proc.lockOSThread();
              Thread at = Jdk.currentCarrierThread();
              Proc.gosched();
              if (Jdk.currentCarrierThread() != at) {
                throw new AssertionError("locked goroutine moved");
              }
              Proc.unlockOSThread();
            }
            case 7 -> Naps.sleep(random.nextInt(200_000));
            case 8 -> {
              Thread t = Thread.startVirtualThread(Thread::yield); // adopted
              try {
                t.join();
              } catch (InterruptedException e) {
                throw new AssertionError(e);
              }
            }
            default -> Proc.checkPreempt();
          }
        }
        working.decrementAndGet();
      });
    }
    s.go(() -> {
      SplittableRandom random = new SplittableRandom(seed ^ 77);
      while (working.get() > 0) {
        int _ = s.sched.gomaxprocs(1 + random.nextInt(Math.max(procs, 4)));
        Naps.sleep(200_000);
      }
    });
    s.await();
    assertEquals(increments.get(), guarded[0]);
  }

  /**
   * All of them with one seed after the other: once around, or for as many seconds as {@code
   * -Dgmptrace.storm.seconds} says. The profile "storm" runs this for three minutes.
   */
  @Test
  @Timeout(3600)
  void allOfThemOverManySeeds() throws InterruptedException {
    long seconds = Long.getLong("gmptrace.storm.seconds", 0);
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    long first = Seed.of("allOfThemOverManySeeds");
    int seeds = 0;
    do {
      long seed = first + seeds++;
      SplittableRandom random = new SplittableRandom(seed);
      int procs = 1 + random.nextInt(random.nextInt(64) + 1);
      System.out.println("seed " + seed + ", " + procs + " Ps");
      spawnStorm(procs, seed);
      pingPongWeb(procs, seed);
      syscallStorm(procs, seed);
      mixedStormWhileProcsFlap(procs, seed);
    } while (System.nanoTime() - end < 0);
    System.out.println(seeds + " seeds");
  }

  /** Sleeping on the scheduler's own timers. */
  static final class Naps {
    private Naps() {}

    static void sleep(long nanos) {
      dev.gmptrace.runtime.Go.sleep(java.time.Duration.ofNanos(nanos));
    }
  }
}
