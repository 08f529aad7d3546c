package dev.gmptrace.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.gmptrace.runtime.sched.G;
import dev.gmptrace.runtime.sched.WaitReason;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Counting goroutines down. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class WaitGroupTest {
  @Test
  @SuppressWarnings("NullAway")
  void noFunctionIsRefusedAndNotCounted() {
    WaitGroup wg = new WaitGroup();
    assertThrows(NullPointerException.class, () -> wg.go(null));
    wg.await();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 8})
  void waitsForAll(int procs) {
    ChanTest.onProcs(
        procs,
        () -> {
          for (int round = 0; round < 50; round++) {
            WaitGroup wg = new WaitGroup();
            AtomicInteger ran = new AtomicInteger();
            for (int i = 0; i < 100; i++) {
              wg.go(ran::incrementAndGet);
            }
            wg.await();
            assertEquals(100, ran.get());
          }
        });
  }

  @Test
  void wakesAllWhoWait() {
    ChanTest.onProcs(
        2,
        () -> {
          WaitGroup wg = new WaitGroup();
          wg.add(1);
          WaitGroup woken = new WaitGroup();
          for (int i = 0; i < 10; i++) {
            woken.add(1);
            G _ =
                ChanTest.parked(
                    WaitReason.SYNC_WAITGROUP_WAIT,
                    () -> {
                      wg.await();
                      woken.done();
                    });
          }
          assertEquals("WaitGroup(1, 10 waiting)", wg.toString());
          wg.done();
          woken.await();
        });
  }

  @Test
  void negativeCounterIsAPanic() {
    assertEquals(
        "panic: sync: negative WaitGroup counter", ChanTest.panic(() -> new WaitGroup().done()));
  }

  @Test
  void goroutineThatThrowsIsDoneToo() {
    ChanTest.onProcs(
        1,
        () -> {
          WaitGroup wg = new WaitGroup();
          wg.go(() -> {
            Thread.currentThread().setUncaughtExceptionHandler((t, e) -> {});
            throw new IllegalStateException("on purpose");
          });
          wg.await();
        });
  }

  @Test
  void canBeUsedFromAPlatformThread() {
    WaitGroup wg = new WaitGroup();
    for (int i = 0; i < 10; i++) {
      wg.go(Go::gosched);
    }
    wg.await();
    assertThrows(Panic.class, wg::done);
  }
}
