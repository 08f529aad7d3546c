package dev.gmptrace.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A channel is closed in the middle of everything. */
@Timeout(60)
class ChanCloseTest {
  /**
   * Senders and receivers of every kind and one who closes. A send that returned was received, one
   * that panicked was not, and everybody learns of the close.
   */
  @ParameterizedTest
  @CsvSource({"1, 0", "2, 0", "4, 0", "1, 3", "4, 3"})
  void whatWasSentIsReceivedAndTheRestPanics(int procs, int capacity) {
    for (int round = 0; round < 4; round++) {
      int pairs = 6;
      int after = round;
      AtomicInteger sent = new AtomicInteger();
      AtomicInteger received = new AtomicInteger();
      AtomicInteger panics = new AtomicInteger();
      ChanTest.onProcs(
          procs,
          () -> {
            Chan<Integer> c = Chan.make(capacity);
            WaitGroup all = new WaitGroup();
            for (int i = 0; i < pairs; i++) {
              int kind = i % 3;
              all.go(() -> {
                try {
                  for (; ; ) {
                    sent.addAndGet(send(c, kind) ? 1 : 0);
                    Go.checkPreempt();
                  }
                } catch (Panic p) {
                  assertEquals("panic: send on closed channel", p.toString());
                  panics.incrementAndGet();
                }
              });
              all.go(() -> {
                while (!c.isDrained()) {
                  received.addAndGet(receive(c, kind) ? 1 : 0);
                }
              });
            }
            for (int i = 0; i < after; i++) {
              Go.gosched();
            }
            c.close();
            all.await();
            assertTrue(c.isDrained() && c.length() == 0);
          });
      assertEquals(sent.get(), received.get());
      assertEquals(pairs, panics.get());
    }
  }

  private static boolean send(Chan<Integer> c, int kind) {
    if (kind == 0) {
      c.send(1);
      return true;
    }
    if (kind == 1) {
      return c.send(1, Duration.ofNanos(5_000));
    }
    Select s = new Select();
    Select.Send<Integer> _ = s.send(c, 1);
    Select.Send<Integer> _ = s.send(c, 1);
    Select.Case _ = s.await();
    return true;
  }

  private static boolean receive(Chan<Integer> c, int kind) {
    if (kind == 0) {
      return c.receive() != null;
    }
    if (kind == 1) {
      return c.receive(Duration.ofNanos(5_000)) != null;
    }
    Select s = new Select();
    Select.Receive<Integer> a = s.receive(c);
    Select.Receive<Integer> b = s.receive(c);
    return (s.await() == a ? a : b).ok();
  }
}
