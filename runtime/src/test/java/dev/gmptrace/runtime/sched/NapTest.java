package dev.gmptrace.runtime.sched;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gmptrace.runtime.Chan;
import dev.gmptrace.runtime.Go;
import dev.gmptrace.runtime.WaitGroup;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A thief leaves a just-readied runnext alone, but not for ever, and not the rest of the work. */
@Timeout(60)
class NapTest {
  private static final int ROUNDS = 200_000;

  private final Sched sched = new Sched(SchedOptions.defaults().withProcs(2).withDebug("check=1"));

  @AfterEach
  void shutdown() {
    sched.shutdown();
  }

  private static P procNow() {
    M m = M.current();
    if (m == null) {
      throw new AssertionError("not on an M");
    }
    return m.p();
  }

  /**
   * A thief that believed the pointer in runnext instead of the count of its puts moved such a pair
   * some 470 times here, every time. On a busy machine the pair loses its CPU again and again with
   * a runnext that is then rightly taken, so it may try more often.
   */
  @Test
  void twoThatTalkStayTogether() {
    int moves = ROUNDS;
    for (int i = 0; i < 10 && moves >= ROUNDS / 1000; i++) {
      moves = movesOfTwoThatTalk();
    }
    assertTrue(moves < ROUNDS / 1000, moves + " moves in " + ROUNDS + " rounds");
  }

  private int movesOfTwoThatTalk() {
    AtomicInteger moves = new AtomicInteger();
    Go.run(
        sched,
        () -> {
          Chan<Integer> there = Chan.make();
          Chan<Integer> back = Chan.make();
          Go.go(() -> {
            for (int i = 0; i < ROUNDS; i++) {
              back.send(there.take());
            }
          });
          P last = procNow();
          for (int i = 0; i < ROUNDS; i++) {
            there.send(i);
            back.take();
            if (procNow() != last) {
              last = procNow();
              moves.incrementAndGet();
            }
          }
        });
    return moves.get();
  }

  /** The readier never parks, so its P alone would never run the other. */
  @Test
  void aRunnextThatStaysIsTaken() {
    for (int i = 0; i < 200; i++) {
      AtomicBoolean ran = new AtomicBoolean();
      Go.run(
          sched,
          () -> {
            Go.go(() -> ran.set(true));
            while (!ran.get()) {
              Thread.onSpinWait();
            }
          });
    }
  }

  /** While two talk on one P and a thief naps, a burst of others finds the second P. */
  @Test
  void aBurstWakesTheNapper() {
    AtomicBoolean stop = new AtomicBoolean();
    Set<P> used = ConcurrentHashMap.newKeySet();
    Go.run(
        sched,
        () -> {
          Chan<Integer> there = Chan.make();
          Chan<Integer> back = Chan.make();
          Go.go(() -> {
            while (!stop.get()) {
              back.send(there.take());
            }
          });
          for (int burst = 0; burst < 1000 && used.size() < 2; burst++) {
            for (int i = 0; i < 100; i++) {
              there.send(i);
              back.take();
            }
            WaitGroup group = new WaitGroup();
            for (int g = 0; g < 8; g++) {
              group.go(() -> {
                P here = procNow();
                used.add(here);
                for (int spin = 0; spin < 20_000; spin++) {
                  Thread.onSpinWait();
                }
              });
            }
            group.await();
          }
          stop.set(true);
          there.send(0);
          back.take();
        });
    assertTrue(used.size() == 2, "the second P took nothing of 1000 bursts");
  }
}
