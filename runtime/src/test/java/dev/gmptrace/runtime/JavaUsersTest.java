package dev.gmptrace.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gmptrace.runtime.sched.Proc;
import dev.gmptrace.runtime.sched.Sched;
import dev.gmptrace.runtime.sched.SchedOptions;
import dev.gmptrace.runtime.sched.Timer;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import javax.management.ObjectName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What Java code that knows nothing of goroutines gets: executors, threads, metrics, timers. */
@Timeout(60)
class JavaUsersTest {
  private final Sched sched =
      new Sched(SchedOptions.defaults().withName("java-users").withProcs(2).withDebug("check=1"));

  @AfterEach
  void end() {
    sched.shutdown();
  }

  @Test
  void executorRunsTasksAsGoroutines() throws Exception {
    List<Future<Boolean>> futures = new ArrayList<>();
    try (ExecutorService executor =
        Executors.newThreadPerTaskExecutor(GoThreadFactory.on(sched).named("task-"))) {
      for (int i = 0; i < 200; i++) {
        futures.add(executor.submit(() -> Proc.getg() != null));
      }
    } // waits
    for (Future<Boolean> f : futures) {
      assertTrue(f.get());
    }
  }

  @Test
  void shutdownNowInterrupts() throws Exception {
    ExecutorService executor = Executors.newThreadPerTaskExecutor(GoThreadFactory.on(sched));
    AtomicBoolean interrupted = new AtomicBoolean();
    CountDownLatch asleep = new CountDownLatch(1);
    Future<?> f =
        executor.submit(() -> {
          asleep.countDown();
          try {
            Thread.sleep(60_000);
          } catch (InterruptedException e) {
            interrupted.set(true);
          }
        });
    asleep.await();
    executor.shutdownNow();
    executor.close();
    assertTrue(f.isDone() && interrupted.get());
  }

  @Test
  void uncaughtExceptionGoesToTheHandler() throws Exception {
    AtomicReference<Throwable> seen = new AtomicReference<>();
    Thread t =
        GoThreadFactory.on(sched)
            .uncaught((thread, e) -> seen.set(e))
            .newThread(() -> {
              throw new IllegalStateException("uncaught");
            });
    t.start();
    t.join();
    assertEquals("java.lang.IllegalStateException: uncaught", String.valueOf(seen.get()));
  }

  @Test
  void uncaughtExceptionOfAPlainGoroutineGoesToTheDefaultHandler() throws Exception {
    AtomicReference<Throwable> seen = new AtomicReference<>();
    CountDownLatch handled = new CountDownLatch(1);
    Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
    Thread.setDefaultUncaughtExceptionHandler((thread, e) -> {
      seen.set(e);
      handled.countDown();
    });
    try {
      var _ =
          sched.go(() -> {
            throw new IllegalStateException("of a goroutine");
          });
      handled.await();
    } finally {
      Thread.setDefaultUncaughtExceptionHandler(before);
    }
    assertEquals("java.lang.IllegalStateException: of a goroutine", String.valueOf(seen.get()));
    sched.run(() -> {}); // and the scheduler goes on
  }

  /** What Java can interrupt is interrupted; what is Go's goes on, with the flag set. */
  @Test
  void interruptsReachWhatJavaWaitsFor() throws Exception {
    Object monitor = new Object();
    List<Callable<Object>> waits =
        List.of(
            () -> {
              Thread.sleep(60_000);
              return "slept";
            },
            () -> {
              synchronized (monitor) {
                while (true) {
                  monitor.wait(60_000);
                }
              }
            },
            () -> new java.util.concurrent.LinkedBlockingQueue<>().take(),
            () -> new java.util.concurrent.Semaphore(0).tryAcquire(1, TimeUnit.MINUTES));
    for (Callable<Object> wait : waits) {
      AtomicReference<Object> how = new AtomicReference<>();
      CountDownLatch begun = new CountDownLatch(1);
      Thread t =
          GoThreadFactory.on(sched)
              .newThread(() -> {
                begun.countDown();
                try {
                  how.set(wait.call());
                } catch (Exception e) {
                  how.set(e.getClass());
                }
              });
      t.start();
      begun.await();
      t.interrupt();
      t.join();
      assertEquals(InterruptedException.class, how.get());
    }
    Chan<Integer> c = Chan.make();
    AtomicReference<Object> got = new AtomicReference<>();
    AtomicBoolean flag = new AtomicBoolean();
    Thread t =
        GoThreadFactory.on(sched)
            .newThread(() -> {
              got.set(c.receive());
              flag.set(Thread.currentThread().isInterrupted());
            });
    t.start();
    t.interrupt();
    c.send(7);
    t.join();
    assertEquals(7, got.get());
    assertTrue(flag.get());
  }

  /** A scheduler that is shut down leaves its goroutines where they are; its threads end. */
  @Test
  void shutdownOfTheSchedulerAbandons() throws Exception {
    Sched other = new Sched(SchedOptions.defaults().withName("abandoned").withProcs(2));
    CountDownLatch asleep = new CountDownLatch(1);
    AtomicBoolean went = new AtomicBoolean();
    Thread t =
        GoThreadFactory.on(other)
            .newThread(() -> {
              asleep.countDown();
              Chan.<Integer>make().receive();
              went.set(true);
            });
    t.start();
    asleep.await();
    other.shutdown();
    while (Thread.getAllStackTraces().keySet().stream()
        .anyMatch(p -> p.getName().startsWith("abandoned-"))) {
      Thread.sleep(5);
    }
    assertTrue(t.isAlive() && !went.get());
  }

  @Test
  void threadThatIsNeverStartedIsNoGoroutine() {
    int before = sched.numGoroutine();
    Thread unused = GoThreadFactory.on(sched).newThread(() -> {});
    assertEquals(Thread.State.NEW, unused.getState());
    assertEquals(before, sched.numGoroutine());
  }

  @Test
  void metricsHaveGosNamesAndJmxShowsThem() throws Exception {
    sched.run(() -> {
      Metrics m = Metrics.read(sched);
      assertTrue(m.goroutines() >= 1 && m.running() >= 1);
      assertEquals(2L, m.byName().get("/sched/gomaxprocs:threads"));
    });
    Go.registerInJmx(sched);
    Object n =
        ManagementFactory.getPlatformMBeanServer()
            .getAttribute(
                new ObjectName("dev.gmptrace:type=Scheduler,name=\"java-users\""), "Gomaxprocs");
    assertEquals(2, n);
  }

  @Test
  void hundredThousandTimersFireInOrderAndNoneIsLost() {
    int n = 100_000;
    sched.gomaxprocs(1);
    List<Long> fired = new ArrayList<>();
    sched.run(() -> {
      // There is an order to check only if all were set before the first was due.
      for (long lead = 300_000_000L; fired.isEmpty(); lead *= 2) {
        fired.addAll(fireAll(n, lead));
      }
    });
    assertEquals(n, fired.size());
    for (int i = 1; i < n; i++) {
      assertTrue(fired.get(i - 1) <= fired.get(i), "out of order at " + i);
    }
  }

  /**
   * Sets {@code n} timers and lets them fire.
   *
   * @param lead until the first is due
   * @return when each was due, in the order of firing; nothing when setting them took too long
   */
  private List<Long> fireAll(int n, long lead) {
    List<Long> fired = Collections.synchronizedList(new ArrayList<>(n));
    List<Timer> timers = new ArrayList<>(n);
    CountDownLatch done = new CountDownLatch(n);
    java.util.SplittableRandom random = new java.util.SplittableRandom(7);
    long first = Sched.nanotime() + lead;
    for (int i = 0; i < n; i++) {
      long[] when = new long[1];
      Timer t =
          new Timer(
              sched,
              (arg, seq, now) -> {
                fired.add(when[0]);
                done.countDown();
              },
              null);
      timers.add(t);
      t.start(first + random.nextInt(200_000_000) - Sched.nanotime());
      when[0] = t.when();
    }
    if (Sched.nanotime() >= first) {
      timers.forEach(Timer::stop);
      return List.of();
    }
    try {
      done.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    return fired;
  }

  @Test
  void eachTimerIsEitherStoppedOrFires() throws Exception {
    int n = 20_000;
    AtomicInteger fired = new AtomicInteger();
    AtomicInteger stopped = new AtomicInteger();
    sched.run(() -> {
      List<Timer> timers = new ArrayList<>();
      for (int i = 0; i < n; i++) {
        Timer t = new Timer(sched, (arg, seq, now) -> fired.incrementAndGet(), null);
        t.start(i % 40 * 100_000L);
        timers.add(t);
      }
      Go.go(() -> {});
      for (Timer t : timers) {
        if (t.stop()) {
          stopped.incrementAndGet();
        }
        Go.checkPreempt();
      }
    });
    for (int i = 0; i < 2000 && fired.get() + stopped.get() != n; i++) {
      Thread.sleep(5);
    }
    assertEquals(n, fired.get() + stopped.get());
  }
}
