package dev.gmptrace.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gmptrace.runtime.sched.G;
import dev.gmptrace.runtime.sched.WaitReason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Choice, fairness, and that nothing is delivered twice. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SelectTest {
  @Test
  void takesWhatIsReady() {
    Chan<String> a = Chan.make(1);
    Chan<String> b = Chan.make(1);
    b.send("b");
    Select select = new Select();
    Select.Receive<String> fromA = select.receive(a);
    Select.Receive<String> fromB = select.receive(b);
    assertSame(fromB, select.await());
    assertEquals("b", fromB.value());
    assertTrue(fromB.ok());
    assertNull(select.tryNow());
    a.send("a");
    assertSame(fromA, select.await(Duration.ofSeconds(50)));
    assertEquals("a", fromA.value());
  }

  @Test
  void handlersRunForTheChosenCase() {
    Chan<Integer> a = Chan.make(1);
    Chan<Integer> b = Chan.make(1);
    List<String> seen = new ArrayList<>();
    Select select =
        new Select().receive(a, v -> seen.add("got " + v)).send(b, 5, () -> seen.add("sent"));
    select.run();
    assertEquals(List.of("sent"), seen);
    assertFalse(select.tryRun());
    a.send(4);
    assertTrue(select.run(Duration.ofSeconds(1)));
    assertEquals(List.of("sent", "got 4"), seen);
    assertEquals(5, b.receive());
    assertEquals("Select(2 cases)", select.toString());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 8})
  void waitsForTheFirstPartner(int procs) {
    ChanTest.onProcs(
        procs,
        () -> {
          Chan<Integer> a = Chan.make();
          Chan<Integer> b = Chan.make();
          Chan<Integer> out = Chan.make(1);
          Select select = new Select();
          Select.Receive<Integer> fromA = select.receive(a);
          Select.Send<Integer> toB = select.send(b, 0);
          for (int i = 0; i < 300; i++) {
            int v = i;
            toB.value(v);
            if (i % 2 == 0) {
              Go.go(() -> a.send(v));
              assertSame(fromA, select.await());
              assertEquals(v, fromA.value());
            } else {
              Go.go(() -> out.send(b.take()));
              assertSame(toB, select.await());
              assertEquals(v, out.receive());
            }
          }
        });
  }

  @Test
  void choosesEvenlyAmongTheReady() {
    int channels = 4;
    int rounds = 40_000;
    List<Chan<Integer>> chans = new ArrayList<>();
    Select select = new Select();
    List<Select.Case> cases = new ArrayList<>();
    for (int i = 0; i < channels; i++) {
      Chan<Integer> c = Chan.make(1);
      c.send(i);
      chans.add(c);
      cases.add(select.receive(c));
      cases.add(select.receive(Chan.<Integer>make())); // never ready, in between
    }
    int[] hits = new int[channels];
    for (int r = 0; r < rounds; r++) {
      int which = cases.indexOf(select.await()) / 2;
      hits[which]++;
      chans.get(which).send(which);
    }
    // Six standard deviations around an even share.
    double share = (double) rounds / channels;
    double sigma = Math.sqrt(rounds * (1.0 / channels) * (1 - 1.0 / channels));
    for (int h : hits) {
      assertEquals(share, h, 6 * sigma);
    }
  }

  @Test
  void sameChannelInSeveralCases() {
    ChanTest.onProcs(
        2,
        () -> {
          Chan<Integer> c = Chan.make();
          Select select = new Select();
          Select.Receive<Integer> first = select.receive(c);
          Select.Receive<Integer> second = select.receive(c);
          Select.Send<Integer> third = select.send(c, 9);
          // It does not pair with itself.
          assertNull(select.tryNow());
          assertNull(select.await(Duration.ofMillis(2)));
          AtomicInteger firsts = new AtomicInteger();
          for (int i = 0; i < 200; i++) {
            int v = i;
            G _ = ChanTest.parked(WaitReason.CHAN_SEND, () -> c.send(v));
            Select.Case got = select.await();
            assertNotSame(third, got);
            if (got == first) {
              firsts.incrementAndGet();
              assertEquals(v, first.value());
            } else {
              assertEquals(v, second.value());
            }
          }
          assertTrue(firsts.get() > 20 && firsts.get() < 180, "first chosen " + firsts);
          G _ = ChanTest.parked(WaitReason.CHAN_RECEIVE, () -> assertEquals(9, c.receive()));
          assertSame(third, select.await());
        });
  }

  @Test
  void closedChannelIsReady() {
    Chan<Integer> c = Chan.make();
    c.close();
    Select select = new Select();
    Select.Receive<Integer> r = select.receive(c);
    assertSame(r, select.await());
    assertNull(r.value());
    assertFalse(r.ok());
    Select sending = new Select();
    Select.Send<Integer> _ = sending.send(c, 1);
    assertEquals("panic: send on closed channel", ChanTest.panic(sending::await));
    assertEquals("panic: send on closed channel", ChanTest.panic(sending::tryNow));
  }

  @Test
  void closeWakesASelect() {
    ChanTest.onProcs(
        2,
        () -> {
          Chan<Integer> c = Chan.make();
          Chan<Integer> other = Chan.make();
          Chan<Boolean> closed = Chan.make(1);
          G _ =
              ChanTest.parked(
                  WaitReason.SELECT,
                  () -> {
                    Select s = new Select();
                    Select.Receive<Integer> r = s.receive(c);
                    Select.Receive<Integer> _ = s.receive(other);
                    closed.send(s.await() == r && !r.ok());
                  });
          c.close();
          assertEquals(true, closed.receive());

          Chan<Integer> d = Chan.make();
          Chan<String> text = Chan.make(1);
          G _ =
              ChanTest.parked(
                  WaitReason.SELECT,
                  () -> {
                    Select s = new Select();
                    Select.Send<Integer> _ = s.send(d, 1);
                    Select.Receive<Integer> _ = s.receive(other);
                    text.send(ChanTest.panic(s::await));
                  });
          d.close();
          assertEquals("panic: send on closed channel", text.receive());
          assertFalse(other.trySend(1)); // nothing left behind
        });
  }

  @Test
  void nilCasesNeverHappen() {
    ChanTest.onProcs(
        2,
        () -> {
          Chan<Integer> c = Chan.make(1);
          Select select = new Select();
          Select.Receive<Integer> off = select.receive((Chan<Integer>) null);
          Select.Receive<Integer> nil = select.receive(Chan.<Integer>nil());
          Select.Send<Integer> send = select.send((Chan<Integer>) null, null);
          assertNull(select.tryNow());
          assertNull(select.await(Duration.ofMillis(1)));
          c.send(1);
          off.channel(c);
          assertSame(off, select.await());
          off.channel(null);
          c.send(2);
          assertNull(select.tryNow());
          nil.channel(c);
          assertSame(nil, select.await());
          nil.channel(null);
          send.channel(c);
          assertThrows(NullPointerException.class, select::tryNow);
          send.value(3);
          assertSame(send, select.await());
          G _ = ChanTest.parked(WaitReason.SELECT_NO_CASES, () -> new Select().run());
          G _ =
              ChanTest.parked(
                  WaitReason.SELECT, () -> new Select().receive(Chan.nil(), v -> {}).run());
        });
  }

  /** Two selects that want the same channels in opposite order, and each other. */
  @ParameterizedTest
  @ValueSource(ints = {2, 4})
  void selectsMeetSelects(int procs) {
    ChanTest.onProcs(
        procs,
        () -> {
          Chan<Integer> a = Chan.make();
          Chan<Integer> b = Chan.make();
          int n = 3_000;
          AtomicLong sent = new AtomicLong();
          AtomicLong received = new AtomicLong();
          WaitGroup wg = new WaitGroup();
          for (int g = 0; g < 4; g++) {
            boolean flip = g % 2 == 0;
            wg.go(() -> {
              Select s = new Select();
              Select.Send<Integer> one = s.send(flip ? a : b, 0);
              Select.Send<Integer> two = s.send(flip ? b : a, 0);
              for (int i = 1; i <= n; i++) {
                one.value(i);
                two.value(i * 2);
                sent.addAndGet(s.await() == one ? i : i * 2);
              }
            });
            wg.go(() -> {
              Select s = new Select();
              Select.Receive<Integer> one = s.receive(flip ? b : a);
              Select.Receive<Integer> two = s.receive(flip ? a : b);
              for (int i = 1; i <= n; i++) {
                Integer v = s.await() == one ? one.value() : two.value();
                received.addAndGet(v == null ? 0 : v);
              }
            });
          }
          wg.await();
          assertEquals(sent.get(), received.get());
        });
  }

  /** Time-outs, cancellation and partners all at once: nothing lost, nothing twice. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void cancellationRaces(int procs) {
    ChanTest.onProcs(
        procs,
        () -> {
          Chan<Integer> c = Chan.make();
          Chan<Integer> d = Chan.make(1);
          AtomicLong sent = new AtomicLong();
          AtomicLong received = new AtomicLong();
          CancelContext ctx = Context.background().withCancel();
          WaitGroup wg = new WaitGroup();
          for (int g = 0; g < 3; g++) {
            int seed = g;
            wg.go(() -> {
              Select s = new Select();
              Select.Send<Integer> toC = s.send(c, 1);
              Select.Send<Integer> toD = s.send(d, 1);
              Select.Case stop = s.receive(ctx.done());
              for (int i = 1; ; i++) {
                toC.value(i);
                toD.value(i);
                Select.Case got = s.await(Duration.ofNanos((i * 7919L + seed) % 30_000));
                if (got == stop) {
                  return;
                }
                if (got != null) {
                  sent.addAndGet(i);
                }
              }
            });
            wg.go(() -> {
              Select s = new Select();
              Select.Receive<Integer> fromC = s.receive(c);
              Select.Receive<Integer> fromD = s.receive(d);
              Select.Case stop = s.receive(ctx.done());
              for (int i = 1; ; i++) {
                Select.Case got = s.await(Duration.ofNanos((i * 104729L + seed) % 30_000));
                if (got == stop) {
                  return;
                }
                Integer v = got == fromC ? fromC.value() : got == fromD ? fromD.value() : null;
                if (v != null) {
                  received.addAndGet(v);
                }
              }
            });
          }
          Time.sleep(Duration.ofMillis(150));
          ctx.cancel();
          wg.await();
          Integer left = d.tryReceive();
          assertEquals(sent.get(), received.get() + (left == null ? 0 : left));
          assertTrue(sent.get() > 0);
        });
  }

  @Test
  void onePersonAtATime() {
    ChanTest.onProcs(
        2,
        () -> {
          Chan<Integer> c = Chan.make();
          Select s = new Select();
          Select.Receive<Integer> r = s.receive(c);
          G _ = ChanTest.parked(WaitReason.SELECT, s::await);
          assertThrows(IllegalStateException.class, s::tryNow);
          assertThrows(IllegalStateException.class, () -> r.channel(null));
          c.send(1);
        });
  }

  @Test
  void threadsThatAreNoGoroutinesSelectToo() {
    Chan<Integer> c = Chan.make();
    Select s = new Select();
    Select.Receive<Integer> r = s.receive(c);
    assertNull(s.await(Duration.ofNanos(1)));
    Go.go(() -> {
      Time.sleep(Duration.ofMillis(5));
      c.send(3);
    });
    assertSame(r, s.await());
    assertEquals(3, r.value());
  }
}
