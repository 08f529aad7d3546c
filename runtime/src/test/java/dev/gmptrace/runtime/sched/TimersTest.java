package dev.gmptrace.runtime.sched;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gmptrace.runtime.Chan;
import dev.gmptrace.runtime.Select;
import dev.gmptrace.runtime.WaitGroup;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Timers that are fired, moved, stopped and reset at the same time, some by threads without an M.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TimersTest {
  private static final long HOUR = 3_600_000_000_000L;
  private static final int ROUNDS = 100_000;

  private static Sched scheduler(int procs) {
    return new Sched(SchedOptions.defaults().withProcs(procs).withCheck(true));
  }

  /** Goroutines that go through the scheduler all the time, so that their Ps fire timers. */
  private static void busy(Sched s, int goroutines, AtomicBoolean end) {
    for (int i = 0; i < goroutines; i++) {
      G _ =
          s.go(() -> {
            while (!end.get()) {
              Proc.gosched();
            }
          });
    }
  }

  private static void spin(int times) {
    for (int i = 0; i < times; i++) {
      Thread.onSpinWait();
    }
  }

  private static int pending(Sched s) {
    int n = 0;
    for (P p : s.allp) {
      n += p.timers.size();
    }
    return n;
  }

  private static Timer tick(Sched s) {
    return new Timer(s, (arg, seq, now) -> {}, null);
  }

  /** Between two of its ticks too: else a reset puts it into a heap where it is already. */
  @Test
  void timerThatTicksIsPendingWhenItIsReset() {
    Sched s = scheduler(2);
    AtomicBoolean end = new AtomicBoolean();
    try {
      busy(s, 2, end);
      Timer t = tick(s);
      boolean _ = t.reset(1, 1);
      for (int i = 0; i < ROUNDS; i++) {
        spin(i % 100);
        assertTrue(t.reset(1, 1), "not pending at reset " + i);
      }
      assertTrue(t.stop());
      assertEquals(0, pending(s));
    } finally {
      end.set(true);
      s.shutdown();
    }
  }

  /** Else each would stay in the heap until its time, with the goroutine it belongs to. */
  @Test
  void waitThatEndsBeforeItsTimeLeavesNoTimer() {
    Sched s = scheduler(2);
    try {
      s.run(() -> {
        Chan<Integer> c = Chan.make();
        Chan<Integer> d = Chan.make();
        Duration hour = Duration.ofHours(1);
        Select select = new Select();
        Select.Case _ = select.receive(c);
        Select.Case _ = select.receive(d);
        for (Runnable wait :
            List.<Runnable>of(
                () -> select.await(hour), () -> c.receive(hour), () -> d.send(1, hour))) {
          WaitGroup over = new WaitGroup();
          over.add(1);
          G gp =
              s.go(() -> {
                wait.run();
                over.done();
              });
          while (gp.status() != G.WAITING || pending(s) != 1) {
            Proc.gosched();
          }
          if (!c.trySend(1)) {
            assertEquals(1, d.tryReceive());
          }
          over.await();
          assertEquals(0, pending(s));
        }
      });
    } finally {
      s.shutdown();
    }
  }

  /** Else it stays in the heap, ticking for nobody. */
  @Test
  void timerThatTicksIsPendingWhenItIsStopped() {
    Sched s = scheduler(2);
    AtomicBoolean end = new AtomicBoolean();
    try {
      busy(s, 2, end);
      Timer t = tick(s);
      for (int i = 0; i < ROUNDS; i++) {
        boolean _ = t.reset(1, 1);
        spin(i % 100);
        assertTrue(t.stop(), "not pending at stop " + i);
      }
      assertEquals(0, pending(s));
    } finally {
      end.set(true);
      s.shutdown();
    }
  }

  /** The Ps whose timers move are stopped; this thread, which has none, is not. */
  @Test
  void timerIsPendingWhileItMovesToAnotherP() {
    Sched s = scheduler(2);
    try {
      for (int round = 0; round < 200; round++) {
        s.gomaxprocs(4);
        List<Timer> timers = new ArrayList<>();
        for (int i = 0; i < 3_000; i++) {
          timers.add(tick(s));
        }
        for (int p = 1; p < 4; p++) {
          // As if goroutines had started them there, which would be there only mostly.
          for (int i = p; i < timers.size(); i += 3) {
            Timer t = timers.get(i);
            t.when = Sched.nanotime() + HOUR + i;
            s.allp[p].timers.add(t);
          }
        }
        G _ =
            s.go(() -> {
              int _ = s.gomaxprocs(1);
            });
        while (!s.gcwaiting && s.gomaxprocs() != 1) {
          Thread.onSpinWait();
        }
        for (int i = timers.size() - 1; i > 0; i--) {
          Timer t = timers.get(i);
          if (i % 2 == 0) {
            assertTrue(t.stop(), "not pending at stop " + i);
          } else {
            assertTrue(t.reset(HOUR, 0), "not pending at reset " + i);
            assertTrue(t.stop());
          }
        }
        while (s.gomaxprocs() != 1) {
          Thread.onSpinWait();
        }
        assertEquals(0, pending(s));
      }
    } finally {
      s.shutdown();
    }
  }
}
