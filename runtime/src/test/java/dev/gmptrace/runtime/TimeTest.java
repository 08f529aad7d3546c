package dev.gmptrace.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gmptrace.runtime.sched.G;
import dev.gmptrace.runtime.sched.WaitReason;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sleeping, timers, tickers. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TimeTest {
  @Test
  void sleepIsNotShorterThanAsked() {
    ChanTest.onProcs(
        2,
        () -> {
          for (int i = 0; i < 20; i++) {
            long t = System.nanoTime();
            Time.sleep(Duration.ofMillis(1));
            assertTrue(System.nanoTime() - t >= 1_000_000);
          }
          Time.sleep(Duration.ZERO);
          Time.sleep(Duration.ofSeconds(-1));
          G _ =
              ChanTest.parked(
                  WaitReason.SLEEP, () -> Time.sleep(Duration.ofSeconds(Long.MAX_VALUE)));
        });
    Time.sleep(Duration.ofMillis(1)); // on a thread that is no goroutine
  }

  @Test
  void afterGivesTheTimeOnce() {
    ChanTest.onProcs(
        2,
        () -> {
          ReceiveChan<Instant> c = Time.after(Duration.ofMillis(2));
          assertNotNull(c.receive());
          assertNull(c.receive(Duration.ofMillis(5)));
        });
  }

  @Test
  void stoppedTimerDoesNotFireAndResetDoes() {
    ChanTest.onProcs(
        2,
        () -> {
          Time.Timer t = Time.newTimer(Duration.ofHours(1));
          assertTrue(t.stop());
          assertFalse(t.stop());
          assertFalse(t.reset(Duration.ofMillis(1)));
          assertNotNull(t.channel().receive());
          assertFalse(t.stop());
          // Fired, but nobody took it: stop takes it back, as in Go since 1.23.
          assertFalse(t.reset(Duration.ofNanos(1)));
          while (t.channel().length() == 0) {
            Time.sleep(Duration.ofNanos(100_000));
          }
          assertTrue(t.stop());
          assertNull(t.channel().tryReceive());
        });
  }

  /** Stop and fire at the same moment: stop says "stopped" exactly when nothing comes. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void stopRacesWithFire(int procs) {
    ChanTest.onProcs(
        procs,
        () -> {
          for (int i = 0; i < 500; i++) {
            Chan<Boolean> ran = Chan.make(1);
            Time.FuncTimer t =
                Time.afterFunc(Duration.ofNanos(i * 37 % 20_000), () -> ran.send(true));
            if (i % 3 == 0) {
              Go.gosched();
            }
            if (t.stop()) {
              assertNull(ran.tryReceive());
            } else {
              assertEquals(true, ran.receive());
            }
          }
        });
  }

  @Test
  void tickerTicksUntilStopped() {
    ChanTest.onProcs(
        2,
        () -> {
          try (Time.Ticker t = Time.newTicker(Duration.ofMillis(1))) {
            Instant last = Instant.MIN;
            for (int i = 0; i < 5; i++) {
              Instant tick = t.channel().take();
              assertTrue(tick.isAfter(last));
              last = tick;
            }
            while (t.channel().length() == 0) {
              Time.sleep(Duration.ofMillis(1));
            }
            Time.sleep(Duration.ofMillis(5));
            assertEquals(1, t.channel().length()); // ticks do not pile up
            t.stop();
            assertNull(t.channel().receive(Duration.ofMillis(5)));
            t.reset(Duration.ofMillis(1));
            assertNotNull(t.channel().receive());
          }
          assertNotNull(Time.tick(Duration.ofMillis(1)).receive());
          assertEquals(
              "panic: non-positive interval for NewTicker",
              ChanTest.panic(() -> Time.newTicker(Duration.ZERO)));
        });
  }

  @Test
  void manySleepersAllWake() {
    ChanTest.onProcs(
        4,
        () -> {
          AtomicInteger woken = new AtomicInteger();
          WaitGroup wg = new WaitGroup();
          for (int i = 0; i < 5_000; i++) {
            int nanos = i * 7919 % 5_000_000;
            wg.go(() -> {
              Time.sleep(Duration.ofNanos(nanos));
              woken.incrementAndGet();
            });
          }
          wg.await();
          assertEquals(5_000, woken.get());
        });
  }
}
