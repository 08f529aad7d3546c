package dev.gmptrace.runtime.sched;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gmptrace.runtime.Go;
import dev.gmptrace.runtime.OnProcs;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.Pipe;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Waits for the poller that end otherwise: by deadlines and by closing. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PollDescTest {
  private static final long HOUR = 3_600_000_000_000L;

  /** A goroutine that waits to read what never comes. */
  private static final class Reader {
    final AtomicReference<PollDesc.Wait> ended = new AtomicReference<>();
    final G gp;

    Reader(PollDesc pd) {
      gp = Go.sched().go(() -> ended.set(pd.waitRead(Objects.requireNonNull(Proc.getg()))));
      while (gp.status() != G.WAITING) {
        Proc.gosched();
      }
    }

    PollDesc.Wait await() {
      while (ended.get() == null) {
        Proc.gosched();
      }
      return ended.get();
    }
  }

  private static void onPipe(int procs, Consumer<PollDesc> test) {
    OnProcs.run(
        procs,
        () -> {
          try {
            Pipe pipe = Pipe.open();
            pipe.source().configureBlocking(false);
            PollDesc pd = Go.sched().netpoll().open(pipe.source());
            test.accept(pd);
            pd.close();
            pipe.sink().close();
            pipe.source().close();
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }

  @Test
  void firingForADeadlineThatWasMovedEndsNoWait() {
    onPipe(
        2,
        pd -> {
          pd.setReadDeadline(Sched.nanotime() + HOUR);
          Reader r = new Reader(pd);
          pd.expire(true, Sched.nanotime());
          assertTrue(pd.waits(r.gp));
          pd.setReadDeadline(1);
          assertEquals(PollDesc.Wait.TIMEOUT, r.await());
        });
  }

  @Test
  void nobodyWaitsForWhatIsClosed() {
    onPipe(
        2,
        pd -> {
          Reader r = new Reader(pd);
          pd.evict();
          assertEquals(PollDesc.Wait.CLOSED, r.await());
          G me = Objects.requireNonNull(Proc.getg());
          assertEquals(PollDesc.Wait.CLOSED, pd.waitRead(me));
          assertEquals(PollDesc.Wait.CLOSED, pd.waitWrite(me));
        });
  }

  /**
   * Whichever of several deadlines remains, the timer is set for that one. While the heaps of
   * timers are locked all get as far as the timer; then they set it in any order.
   */
  @Test
  void deadlinesThatAreSetAtOnceLeaveTheTimerOfTheOneThatRemains() {
    onPipe(
        4,
        pd -> {
          P[] all = Go.sched().allp;
          for (int round = 0; round < 100; round++) {
            pd.setReadDeadline(Sched.nanotime() + HOUR);
            Reader r = new Reader(pd);
            long soon = Sched.nanotime() + 5_000_000;
            AtomicInteger begun = new AtomicInteger();
            AtomicInteger set = new AtomicInteger();
            AtomicBoolean locked = new AtomicBoolean();
            Thread holder =
                Thread.ofPlatform()
                    .start(() -> { // no goroutine, which must not be switched with a lock held
                      for (P p : all) {
                        p.timers.lock.lock();
                      }
                      locked.set(true);
                      while (begun.get() < 3 && Sched.nanotime() < soon) {
                        Thread.onSpinWait();
                      }
                      LockSupport.parkNanos(1_000_000); // until all are at the timer, most often
                      for (P p : all) {
                        p.timers.lock.unlock();
                      }
                    });
            while (!locked.get()) {
              Proc.gosched();
            }
            for (int i = 0; i < 3; i++) {
              long when = i == 1 ? soon : soon + i * HOUR + HOUR;
              G _ =
                  Go.sched()
                      .go(() -> {
                        begun.incrementAndGet();
                        pd.setReadDeadline(when);
                        set.incrementAndGet();
                      });
            }
            while (set.get() < 3 || Sched.nanotime() < soon || holder.isAlive()) {
              Proc.gosched();
            }
            if (!pd.readTimedOut()) {
              pd.setReadDeadline(1);
            }
            assertEquals(PollDesc.Wait.TIMEOUT, r.await());
          }
        });
  }
}
