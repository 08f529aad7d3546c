package dev.gmptrace.runtime.sched;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gmptrace.runtime.Go;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** gopark, goready, the JDK's own parking, and what a goroutine can see of itself. */
@Timeout(60)
class ParkTest {
  /** A hand-over of one value between two goroutines, as a channel would do it. */
  static final class Slot {
    private final RuntimeMutex lock = new RuntimeMutex();
    private @Nullable G receiver;
    private @Nullable G sender;
    private @Nullable Object value;

    void send(Object v) {
      lock.lock();
      G r = receiver;
      if (r != null) {
        receiver = null;
        r.param = v;
        lock.unlock();
        Proc.goready(r);
        return;
      }
      G gp = current();
      sender = gp;
      value = v;
      Proc.goparkunlock(gp, lock, WaitReason.CHAN_SEND);
    }

    @Nullable Object receive() {
      lock.lock();
      G s = sender;
      if (s != null) {
        sender = null;
        Object v = value;
        lock.unlock();
        Proc.goready(s);
        return v;
      }
      G gp = current();
      receiver = gp;
      Proc.goparkunlock(gp, lock, WaitReason.CHAN_RECEIVE);
      return gp.param;
    }
  }

  static G current() {
    G gp = Proc.getg();
    if (gp == null) {
      throw new AssertionError("not in a goroutine");
    }
    return gp;
  }

  private static Sched sched(int procs) {
    return new Sched(SchedOptions.defaults().withProcs(procs).withDebug("check=1"));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 8})
  void pingPongKeepsItsOrder(int procs) {
    Sched s = sched(procs);
    int n = 20_000;
    Go.run(
        s,
        () -> {
          Slot a = new Slot();
          Slot b = new Slot();
          Go.go(() -> {
            for (int i = 0; i < n; i++) {
              b.send(java.util.Objects.requireNonNull(a.receive()));
            }
          });
          for (int i = 0; i < n; i++) {
            a.send(i);
            assertEquals(i, b.receive());
          }
        });
    s.shutdown();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 8})
  void everySpawnedGoroutineRunsOnce(int procs) throws InterruptedException {
    Sched s = sched(procs);
    int n = 20_000;
    AtomicInteger ran = new AtomicInteger();
    CountDownLatch done = new CountDownLatch(n);
    Go.run(
        s,
        () -> {
          for (int i = 0; i < n; i++) {
            Go.go(() -> {
              ran.incrementAndGet();
              done.countDown();
            });
          }
        });
    done.await();
    assertEquals(n, ran.get());
    s.shutdown();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 8})
  void jdkParkingWorksInsideGoroutines(int procs) {
    Sched s = sched(procs);
    int n = 5_000;
    Go.run(
        s,
        () -> {
          SynchronousQueue<Integer> q = new SynchronousQueue<>();
          Go.go(() -> {
            for (int i = 0; i < n; i++) {
              try {
                q.put(i);
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
            }
          });
          for (int i = 0; i < n; i++) {
            try {
              assertEquals(i, q.poll(30, TimeUnit.SECONDS));
            } catch (InterruptedException e) {
              throw new IllegalStateException(e);
            }
          }
        });
    s.shutdown();
  }

  /**
   * A thread that is held up between an unpark, or the end of a thread dump, and the submission may
   * find the goroutine in quite another wait, which is not the JDK's to end. It looked at {@code
   * leaving} before that wait began.
   */
  @Test
  void lateSubmissionOfTheJdkEndsNoWaitOfOurs() {
    Sched s = sched(1);
    Runnable cont = () -> {};
    G gp = new G(s);
    gp.cont = cont;
    for (int status : new int[] {G.WAITING, G.WAITING | G.JDK}) {
      assertTrue(gp.casStatus(gp.statusWithBits(), status));
      gp.leaving = G.STAYS;
      gp.execute(cont);
      assertEquals(status == G.WAITING ? G.WAITING : G.RUNNABLE, gp.statusWithBits());
      s.shutdown(); // nobody is to run what the second one queues
    }
    assertEquals(1, s.runqsize);
  }

  @Test
  void platformThreadIsNoGoroutine() {
    assertNull(Proc.getg());
    Go.run(() -> assertNotNull(Proc.getg()));
  }

  @Test
  void nullTaskIsGosFatalError() {
    @SuppressWarnings("NullAway")
    FatalError e = assertThrows(FatalError.class, () -> Go.go(null));
    assertEquals("fatal error: go of nil func value", e.getMessage());
  }

  @Test
  void unlockFunctionThatRefusesLetsTheGoroutineRunOn() {
    Go.run(() -> {
      for (int i = 0; i < 1000; i++) {
        Proc.gopark(current(), (gp, lock) -> false, null, WaitReason.SEMACQUIRE);
      }
    });
  }

  @Test
  void timersFireInOrder() {
    Sched s = sched(1);
    s.run(() -> {
      List<Integer> order = Collections.synchronizedList(new ArrayList<>());
      CountDownLatch done = new CountDownLatch(3);
      for (int i : new int[] {60, 20, 40}) {
        Timer t =
            new Timer(
                s,
                (arg, seq, now) -> {
                  order.add(i);
                  done.countDown();
                },
                null);
        t.start(i * 10_000_000L);
      }
      try {
        done.await();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
      assertEquals(List.of(20, 40, 60), order);
    });
    s.shutdown();
  }

  @Test
  void exceptionOfMainComesOut() {
    assertThrows(
        IllegalStateException.class,
        () ->
            Go.run(() -> {
              throw new IllegalStateException("from main");
            }));
  }
}
