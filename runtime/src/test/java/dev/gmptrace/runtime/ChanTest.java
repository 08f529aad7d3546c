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
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a channel does, operation by operation. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ChanTest {
  static void onProcs(int procs, Runnable main) {
    OnProcs.run(procs, main);
  }

  /** Starts a goroutine and returns when it waits for {@code reason}. */
  static G parked(WaitReason reason, Runnable fn) {
    G gp = Go.sched().go(fn);
    while (gp.status() != G.WAITING || gp.waitReason() != reason) {
      Go.gosched();
    }
    return gp;
  }

  @ParameterizedTest
  @CsvSource({"1,0", "2,0", "8,0", "1,1", "2,1", "2,7", "8,128"})
  void valuesArriveInOrder(int procs, int capacity) {
    int n = 10_000;
    onProcs(
        procs,
        () -> {
          Chan<Integer> c = Chan.make(capacity);
          Go.go(() -> {
            for (int i = 0; i < n; i++) {
              c.send(i);
            }
            c.close();
          });
          int want = 0;
          for (int v : c) {
            assertEquals(want++, v);
          }
          assertEquals(n, want);
          assertTrue(c.isDrained());
        });
  }

  @ParameterizedTest
  @CsvSource({"1,0", "2,0", "8,0", "2,3", "8,16"})
  void everyValueArrivesOnceWithManyOfEach(int procs, int capacity) {
    int senders = 8;
    int each = 2_000;
    onProcs(
        procs,
        () -> {
          Chan<Integer> c = Chan.make(capacity);
          WaitGroup sending = new WaitGroup();
          for (int s = 0; s < senders; s++) {
            int base = s * each;
            sending.go(() -> {
              for (int i = 0; i < each; i++) {
                c.send(base + i);
              }
            });
          }
          AtomicInteger[] seen =
              IntStream.range(0, senders * each)
                  .mapToObj(i -> new AtomicInteger())
                  .toArray(AtomicInteger[]::new);
          WaitGroup receiving = new WaitGroup();
          for (int r = 0; r < 5; r++) {
            receiving.go(() -> {
              for (int v : c) {
                seen[v].incrementAndGet();
              }
            });
          }
          sending.await();
          c.close();
          receiving.await();
          for (AtomicInteger a : seen) {
            assertEquals(1, a.get());
          }
        });
  }

  @Test
  void sendersAreServedInTheOrderTheyCame() {
    onProcs(
        2,
        () -> {
          Chan<Integer> c = Chan.make();
          for (int i = 0; i < 20; i++) {
            int v = i;
            G _ = parked(WaitReason.CHAN_SEND, () -> c.send(v));
          }
          for (int i = 0; i < 20; i++) {
            assertEquals(i, c.receive());
          }
        });
  }

  @Test
  void receiversAreServedInTheOrderTheyCame() {
    onProcs(
        2,
        () -> {
          Chan<Integer> c = Chan.make();
          int[] got = new int[20];
          WaitGroup wg = new WaitGroup();
          for (int i = 0; i < 20; i++) {
            int at = i;
            wg.add(1);
            G _ =
                parked(
                    WaitReason.CHAN_RECEIVE,
                    () -> {
                      got[at] = c.take();
                      wg.done();
                    });
          }
          for (int i = 0; i < 20; i++) {
            c.send(i);
          }
          wg.await();
          for (int i = 0; i < 20; i++) {
            assertEquals(i, got[i]);
          }
        });
  }

  @Test
  void senderBehindAFullBufferKeepsItsPlace() {
    onProcs(
        2,
        () -> {
          Chan<Integer> c = Chan.make(2);
          c.send(1);
          c.send(2);
          G _ = parked(WaitReason.CHAN_SEND, () -> c.send(3));
          G _ = parked(WaitReason.CHAN_SEND, () -> c.send(4));
          assertEquals(2, c.length());
          assertEquals(1, c.receive());
          assertEquals(2, c.length());
          assertEquals(2, c.receive());
          assertEquals(3, c.receive());
          assertEquals(4, c.receive());
          assertEquals(0, c.length());
        });
  }

  @Test
  void lengthAndCapacity() {
    Chan<String> c = Chan.make(3);
    assertEquals(0, c.length());
    assertEquals(3, c.capacity());
    c.send("a");
    assertEquals(1, c.length());
    assertEquals("Chan(1/3)", c.toString());
    assertEquals(0, Chan.make().capacity());
    assertEquals(
        "makechan: size out of range", assertThrows(Panic.class, () -> Chan.make(-1)).getMessage());
  }

  @Test
  void tryOperationsNeverWait() {
    Chan<String> rendezvous = Chan.make();
    assertFalse(rendezvous.trySend("a"));
    assertNull(rendezvous.tryReceive());
    assertFalse(rendezvous.isDrained());
    Chan<String> c = Chan.make(1);
    assertTrue(c.trySend("a"));
    assertFalse(c.trySend("b"));
    assertEquals("a", c.tryReceive());
    assertNull(c.tryReceive());
  }

  @Test
  void tryOperationsMeetAPartnerThatWaits() {
    onProcs(
        2,
        () -> {
          Chan<String> c = Chan.make();
          G _ = parked(WaitReason.CHAN_SEND, () -> c.send("from a sender"));
          assertEquals("from a sender", c.tryReceive());
          Chan<String> out = Chan.make(1);
          G _ = parked(WaitReason.CHAN_RECEIVE, () -> out.send(c.take()));
          assertTrue(c.trySend("to a receiver"));
          assertEquals("to a receiver", out.receive());
        });
  }

  @Test
  void nullIsNoValue() {
    Chan<String> c = Chan.make(1);
    @SuppressWarnings("NullAway")
    NullPointerException e = assertThrows(NullPointerException.class, () -> c.send(null));
    assertEquals("null cannot be sent on a channel", e.getMessage());
  }

  @Test
  void closedChannelGivesWhatItHasAndThenNull() {
    Chan<Integer> c = Chan.make(2);
    c.send(1);
    c.send(2);
    c.close();
    assertTrue(c.isClosed());
    assertFalse(c.isDrained());
    assertEquals(1, c.receive());
    assertEquals(2, c.tryReceive());
    assertTrue(c.isDrained());
    assertNull(c.receive());
    assertNull(c.receive(Duration.ofDays(1)));
    assertNull(c.tryReceive());
    assertThrows(NoSuchElementException.class, c::take);
    assertFalse(c.iterator().hasNext());
    assertThrows(NoSuchElementException.class, () -> c.iterator().next());
  }

  @Test
  void panicsHaveGosTexts() {
    Chan<Integer> c = Chan.make(1);
    c.close();
    assertEquals("panic: send on closed channel", panic(() -> c.send(1)));
    assertEquals("panic: send on closed channel", panic(() -> c.trySend(1)));
    assertEquals("panic: send on closed channel", panic(() -> c.send(1, Duration.ofSeconds(1))));
    assertEquals("panic: close of closed channel", panic(c::close));
    assertEquals("panic: close of nil channel", panic(() -> Chan.nil().close()));
  }

  static String panic(Runnable r) {
    return assertThrows(Panic.class, r::run).toString();
  }

  @Test
  void closeWakesAllWhoWait() {
    onProcs(
        2,
        () -> {
          Chan<Integer> c = Chan.make();
          AtomicInteger nulls = new AtomicInteger();
          WaitGroup wg = new WaitGroup();
          for (int i = 0; i < 10; i++) {
            wg.add(1);
            G _ =
                parked(
                    WaitReason.CHAN_RECEIVE,
                    () -> {
                      if (c.receive() == null) {
                        nulls.incrementAndGet();
                      }
                      wg.done();
                    });
          }
          c.close();
          wg.await();
          assertEquals(10, nulls.get());

          Chan<Integer> d = Chan.make();
          AtomicInteger panics = new AtomicInteger();
          for (int i = 0; i < 10; i++) {
            wg.add(1);
            boolean timed = i % 2 == 0;
            G _ =
                parked(
                    WaitReason.CHAN_SEND,
                    () -> {
                      try {
                        if (timed) {
                          boolean _ = d.send(1, Duration.ofHours(1));
                        } else {
                          d.send(1);
                        }
                      } catch (Panic p) {
                        panics.incrementAndGet();
                      }
                      wg.done();
                    });
          }
          d.close();
          wg.await();
          assertEquals(10, panics.get());
        });
  }

  @Test
  void nilChannelBlocksForEver() {
    onProcs(
        2,
        () -> {
          Chan<Integer> nil = Chan.nil();
          G _ = parked(WaitReason.CHAN_RECEIVE_NIL, nil::receive);
          G _ = parked(WaitReason.CHAN_SEND_NIL, () -> nil.send(1));
          assertFalse(nil.trySend(1));
          assertNull(nil.tryReceive());
          assertFalse(nil.send(1, Duration.ofMillis(1)));
          assertNull(nil.receive(Duration.ofMillis(1)));
          assertEquals("Chan(nil)", nil.toString());
        });
  }

  /** There is one nil channel, and whoever waits on it waits alone. */
  @Test
  void strangersDoNotMeetOnTheNilChannel() {
    onProcs(
        2,
        () -> {
          Chan<String> results = Chan.make(2);
          Duration long1 = Duration.ofMillis(20);
          G to = Go.sched().go(() -> results.send("" + Chan.<String>nil().receive(long1)));
          G from = Go.sched().go(() -> results.send("" + Chan.<String>nil().send("x", long1)));
          while (to.status() != G.WAITING && from.status() != G.WAITING) {
            Go.gosched();
          }
          assertFalse(Chan.<String>nil().trySend("y"));
          assertNull(Chan.<String>nil().tryReceive());
          assertFalse(Chan.<String>nil().send("z", Duration.ofMillis(1)));
          assertNull(Chan.<String>nil().receive(Duration.ofMillis(1)));
          Select both = new Select();
          Select.Case _ = both.receive(Chan.<String>nil());
          Select.Case _ = both.send(Chan.<String>nil(), "s");
          assertNull(both.tryNow());
          assertNull(both.await(Duration.ofMillis(1)));
          List<String> got = new ArrayList<>(List.of(results.take(), results.take()));
          got.sort(null);
          assertEquals(List.of("false", "null"), got);
          G _ = parked(WaitReason.CHAN_RECEIVE_NIL, () -> Chan.nil().receive(Duration.ofHours(1)));
          G _ = parked(WaitReason.CHAN_SEND_NIL, () -> Chan.nil().send(1, Duration.ofHours(1)));
        });
    assertNull(Chan.nil().receive(Duration.ofMillis(1))); // on a thread that is no goroutine
    assertFalse(Chan.nil().send(1, Duration.ofMillis(1)));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void timeoutsEndAWaitThatNobodyElseEnds(int procs) {
    onProcs(
        procs,
        () -> {
          Chan<Integer> c = Chan.make();
          for (int i = 0; i < 5; i++) {
            assertNull(c.receive(Duration.ofMillis(2)));
            assertFalse(c.send(1, Duration.ofMillis(2)));
            assertNull(c.receive(Duration.ZERO));
            assertFalse(c.send(1, Duration.ofMillis(-1)));
          }
          // Nothing is left behind in the queues.
          assertFalse(c.trySend(1));
          assertNull(c.tryReceive());
          Go.go(() -> c.send(7));
          assertEquals(7, c.receive(Duration.ofSeconds(50)));
          Go.go(() -> assertNotNull(c.receive()));
          assertTrue(c.send(8, Duration.ofSeconds(50)));
        });
  }

  /** A time-out and a partner at the same moment: either both see the hand-over, or neither. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void timeoutRacesWithAPartner(int procs) {
    onProcs(
        procs,
        () -> {
          Chan<Integer> c = Chan.make();
          AtomicLong sent = new AtomicLong();
          AtomicLong received = new AtomicLong();
          WaitGroup wg = new WaitGroup();
          for (int g = 0; g < 4; g++) {
            int seed = g;
            wg.go(() -> {
              for (int i = 1; i <= 400; i++) {
                if (c.send(i, Duration.ofNanos((i * 7919L + seed) % 40_000))) {
                  sent.addAndGet(i);
                }
              }
            });
            wg.go(() -> {
              for (int i = 1; i <= 400; i++) {
                Integer v = c.receive(Duration.ofNanos((i * 104729L + seed) % 40_000));
                if (v != null) {
                  received.addAndGet(v);
                }
              }
            });
          }
          wg.await();
          assertEquals(sent.get(), received.get());
          assertNull(c.tryReceive());
          assertFalse(c.trySend(1));
        });
  }

  @Test
  void threadsThatAreNoGoroutinesTakePart() throws InterruptedException {
    Chan<Integer> there = Chan.make();
    Chan<Integer> back = Chan.make();
    Go.go(() -> {
      for (int v : there) {
        back.send(v + 1);
      }
      back.close();
    });
    List<Throwable> failed = new ArrayList<>();
    Thread virtual =
        Thread.ofVirtual()
            .start(() -> {
              try {
                for (int i = 0; i < 20; i++) {
                  there.send(i);
                  assertEquals(i + 1, back.receive());
                }
              } catch (Throwable t) {
                failed.add(t);
              }
            });
    virtual.join();
    assertEquals(List.of(), failed);
    for (int i = 0; i < 20; i++) {
      there.send(i);
      assertEquals(i + 1, back.receive(Duration.ofSeconds(50)));
    }
    there.close();
    assertNull(back.receive());
  }

  @Test
  void oneWayViewsAreTheChannelItself() {
    Chan<String> c = Chan.make(1);
    SendChan<String> in = c;
    ReceiveChan<String> out = c;
    in.send("through");
    assertEquals("through", out.take());
  }

  @Test
  void concurrentClosesLetOneWin() {
    onProcs(
        4,
        () -> {
          for (int round = 0; round < 200; round++) {
            Chan<Integer> c = Chan.make();
            AtomicInteger closed = new AtomicInteger();
            AtomicInteger panics = new AtomicInteger();
            WaitGroup wg = new WaitGroup();
            for (int i = 0; i < 4; i++) {
              wg.go(() -> {
                try {
                  c.close();
                  closed.incrementAndGet();
                } catch (Panic p) {
                  panics.incrementAndGet();
                }
              });
              wg.go(() -> assertNull(c.receive()));
            }
            wg.await();
            assertEquals(1, closed.get());
            assertEquals(3, panics.get());
          }
        });
  }
}
