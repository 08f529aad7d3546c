package dev.gmptrace.runtime.sched;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gmptrace.analyzer.stats.Validation;
import dev.gmptrace.runtime.Time;
import dev.gmptrace.runtime.jdk.Jdk;
import dev.gmptrace.runtime.net.Conn;
import dev.gmptrace.runtime.net.Listener;
import dev.gmptrace.runtime.net.Net;
import dev.gmptrace.tracer.record.Recording;
import dev.gmptrace.tracer.record.TraceTotals;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
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
                .withDebug("check=1,tracepool=512M,seed=" + (seed & 0x7fffffff))));
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
    List<Thread> threads = new CopyOnWriteArrayList<>();
    for (int i = 0; i < workers; i++) {
      SplittableRandom random = new SplittableRandom(seed + i);
      s.go(() -> {
        threads.add(Thread.currentThread());
        for (int k = 0; k < 120 * Seed.effort(); k++) {
          switch (random.nextInt(12)) {
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
            case 9 -> {
              if (random.nextInt(8) == 0) {
                Jdk.sleepCarrier(random.nextInt(3_000_000)); // without a word
              }
            }
            case 10 -> {
              try (Time.Ticker ticker = Time.newTicker(Duration.ofNanos(50_000))) {
                for (int tick = random.nextInt(4); tick > 0; tick--) {
                  var _ = ticker.channel().take();
                  ticker.reset(Duration.ofNanos(20_000 + random.nextInt(100_000)));
                }
              }
            }
            default -> Proc.checkPreempt();
          }
        }
        working.decrementAndGet();
      });
    }
    lockedReads(s, 10 * Seed.effort());
    List<Thread> outside = new ArrayList<>();
    outside.add(
        beside(
            s,
            () -> {
              for (Thread t : threads) {
                StackTraceElement[] _ = t.getStackTrace();
              }
            },
            working));
    for (int i = 0; i < 2; i++) {
      SplittableRandom random = new SplittableRandom(seed - i - 1);
      outside.add(
          beside(
              s,
              () ->
                  Foreign.call(
                      s.sched,
                      () -> {
                        Proc.gosched();
                        Naps.sleep(random.nextInt(200_000));
                      }),
              working));
    }
    s.go(() -> {
      SplittableRandom random = new SplittableRandom(seed ^ 77);
      while (working.get() > 0) {
        int _ = s.sched.gomaxprocs(1 + random.nextInt(Math.max(procs, 4)));
        Naps.sleep(200_000);
      }
    });
    for (Thread t : outside) {
      t.join();
    }
    s.await();
    assertEquals(increments.get(), guarded[0]);
  }

  /** A thread that is no goroutine and does something again and again while the storm lasts. */
  private static Thread beside(Storm s, Runnable body, AtomicInteger working) {
    return Thread.ofPlatform()
        .daemon()
        .start(() -> {
          try {
            while (working.get() > 0 && s.sched.failure == null) {
              body.run();
              LockSupport.parkNanos(100_000);
            }
          } catch (Throwable t) {
            s.fail(t);
          }
        });
  }

  /** Two that talk over the network, one of them tied to its thread. */
  private static void lockedReads(Storm s, int rounds) {
    s.go(() -> {
      try (Listener l = Net.listen("127.0.0.1:0")) {
        String address = l.address();
        s.go(() -> {
          Proc.lockOSThread();
          try (Conn c = Net.dial(address)) {
            byte[] b = new byte[1];
            for (int i = 0; i < rounds; i++) {
              c.write(new byte[] {(byte) i});
              if (c.read(b) != 1 || b[0] != (byte) i) {
                throw new AssertionError("read something else");
              }
            }
          }
          Proc.unlockOSThread();
        });
        try (Conn c = l.accept()) {
          byte[] b = new byte[1];
          while (c.read(b) > 0) {
            c.write(b);
          }
        }
      }
    });
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
