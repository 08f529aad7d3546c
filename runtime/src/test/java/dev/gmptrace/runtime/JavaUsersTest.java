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
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
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
    List<Long> fired = Collections.synchronizedList(new ArrayList<>(n));
    sched.gomaxprocs(1);
    sched.run(() -> {
      CountDownLatch done = new CountDownLatch(n);
      java.util.SplittableRandom random = new java.util.SplittableRandom(7);
      for (int i = 0; i < n; i++) {
        long in = 300_000_000L + random.nextInt(200_000_000);
        long[] when = new long[1];
        Timer t =
            new Timer(
                sched,
                (arg, seq, now) -> {
                  fired.add(when[0]);
                  done.countDown();
                },
                null);
        when[0] = Sched.nanotime() + in;
        t.start(when[0] - Sched.nanotime());
        when[0] = t.when();
      }
      try {
        done.await();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    });
    assertEquals(n, fired.size());
    for (int i = 1; i < n; i++) {
      assertTrue(fired.get(i - 1) <= fired.get(i), "out of order at " + i);
    }
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
