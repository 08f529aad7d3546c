package dev.gmptrace.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gmptrace.runtime.sched.G;
import dev.gmptrace.runtime.sched.WaitReason;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.CountDownLatch;
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

  /** Waits until a timer has fired, and leaves the time where it is. */
  private static void awaitFired(ReceiveChan<Instant> c) {
    HChan<Instant> ch = (HChan<Instant>) c;
    for (boolean fired = false; !fired; ) {
      Time.sleep(Duration.ofNanos(100_000));
      ch.lock();
      fired = ch.hasBuffered();
      ch.unlock();
    }
  }

  @Test
  void bufferOfATimerCannotBeSeen() {
    ChanTest.onProcs(
        2,
        () -> {
          ReceiveChan<Instant> c = Time.after(Duration.ofNanos(1));
          assertEquals(0, c.capacity());
          awaitFired(c);
          assertEquals(0, c.length());
          assertNotNull(c.tryReceive());
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
          awaitFired(t.channel());
          assertTrue(t.stop());
          assertNull(t.channel().tryReceive());
        });
  }

  @Test
  void resetTakesBackWhatNobodyTook() {
    ChanTest.onProcs(
        2,
        () -> {
          Time.Timer t = Time.newTimer(Duration.ofNanos(1));
          awaitFired(t.channel());
          assertTrue(t.reset(Duration.ofHours(1)));
          assertNull(t.channel().tryReceive());
        });
  }

  /** It was taken off the heap, and before it could send the timer was started anew or stopped. */
  @Test
  void firingThatComesAfterAResetSendsNothing() {
    ChanTest.onProcs(
        2,
        () -> {
          Time.TimeChan t = new Time.TimeChan();
          boolean _ = t.start(3_600_000_000_000L, 0);
          boolean _ = t.start(3_600_000_000_000L, 0);
          t.fire(1);
          assertNull(t.c.tryReceive());
          t.fire(2);
          assertNotNull(t.c.tryReceive());
          assertTrue(t.stop());
          t.fire(2);
          assertNull(t.c.tryReceive());
        });
  }

  @Test
  void afterFuncOfBothClassesIsTheSame() throws InterruptedException {
    Duration forever = ChronoUnit.FOREVER.getDuration();
    assertTrue(Go.afterFunc(forever, () -> {}).stop());
    assertTrue(Time.afterFunc(forever, () -> {}).stop());
    CountDownLatch ran = new CountDownLatch(2);
    Time.FuncTimer _ = Go.afterFunc(Duration.ofNanos(1), ran::countDown);
    Time.FuncTimer _ = Time.afterFunc(Duration.ofNanos(-1), ran::countDown);
    ran.await();
  }

  @Test
  @SuppressWarnings("NullAway")
  void noFunctionIsRefusedAtTheCall() {
    assertThrows(
        NullPointerException.class, () -> Time.afterFunc(Duration.ofHours(1), null).stop());
    assertThrows(NullPointerException.class, () -> Go.afterFunc(Duration.ofHours(1), null).stop());
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
            awaitFired(t.channel());
            Time.sleep(Duration.ofMillis(5));
            Instant waiting = t.channel().take();
            Instant next = t.channel().take(); // ticks do not pile up
            assertFalse(next.isBefore(waiting.plusMillis(4)), waiting + " and " + next);
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
