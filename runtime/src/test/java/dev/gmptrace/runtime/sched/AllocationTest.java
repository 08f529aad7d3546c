package dev.gmptrace.runtime.sched;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import dev.gmptrace.runtime.Chan;
import dev.gmptrace.runtime.Go;
import dev.gmptrace.runtime.Mutex;
import dev.gmptrace.runtime.Select;
import dev.gmptrace.runtime.WaitGroup;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What an operation allocates in steady state, over all Ms. */
@Timeout(120)
class AllocationTest {
  private static final int OPS = 50_000;
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private final Sched s = new Sched(SchedOptions.defaults().withName("alloc").withProcs(2));

  @AfterEach
  void end() {
    s.shutdown();
  }

  /** Allocated by Ms so far; goroutines allocate on the thread they are mounted on. */
  private long allocated() {
    long sum = 0;
    for (M m = s.allm; m != null; m = m.alllink) {
      Thread t = m.thread;
      if (t != null) {
        sum += THREADS.getThreadAllocatedBytes(t.threadId());
      }
    }
    return sum;
  }

  /** Bytes an operation, the least of some rounds: compilers and new Ms come and go. */
  private double bytesPerOp(String what, Runnable ops) {
    double[] best = {Double.MAX_VALUE};
    s.run(() -> {
      for (int i = 0; i < 6; i++) {
        long before = allocated();
        ops.run();
        best[0] = Math.min(best[0], (allocated() - before) / (double) OPS);
      }
    });
    System.out.printf("%s: %.3f B/op%n", what, best[0]);
    return best[0];
  }

  private void free(String what, Runnable ops) {
    double bytes = bytesPerOp(what, ops);
    // No object is smaller than 8 bytes, so one in every fourth operation would show.
    assertTrue(bytes < 2, what + " allocates " + bytes + " bytes an operation");
  }

  @Test
  void bufferedChannel() {
    Chan<Integer> c = Chan.make(8);
    free(
        "send and receive, buffered",
        () -> {
          for (int i = 0; i < OPS; i++) {
            c.send(7);
            c.take();
          }
        });
  }

  @Test
  void mutex() {
    Mutex mu = new Mutex();
    free(
        "lock and unlock",
        () -> {
          for (int i = 0; i < OPS; i++) {
            mu.lock();
            mu.unlock();
          }
        });
  }

  @Test
  void selectThatFindsSomething() {
    Chan<Integer> a = Chan.make(1);
    Chan<Integer> b = Chan.make(1);
    Select select = new Select();
    Select.Case _ = select.receive(a);
    Select.Case _ = select.receive(b);
    free(
        "select",
        () -> {
          for (int i = 0; i < OPS; i++) {
            (i % 2 == 0 ? a : b).send(7);
            Select.Case _ = select.await();
          }
        });
  }

  @Test
  void gosched() {
    free(
        "Gosched",
        () -> {
          for (int i = 0; i < OPS; i++) {
            Go.gosched();
          }
        });
  }

  @Test
  void rendezvous() {
    Chan<Integer> there = Chan.make();
    Chan<Integer> back = Chan.make();
    free(
        "ping-pong",
        () -> {
          Go.go(() -> {
            for (int i = 0; i < OPS; i++) {
              back.send(there.take());
            }
          });
          for (int i = 0; i < OPS; i++) {
            there.send(7);
            back.take();
          }
        });
  }

  @Test
  void selectThatWaits() {
    Chan<Integer> a = Chan.make();
    Chan<Integer> b = Chan.make();
    Chan<Integer> never = Chan.make();
    free(
        "select that waits",
        () -> {
          Go.go(() -> {
            Select other = new Select();
            Select.Receive<Integer> _ = other.receive(a);
            Select.Receive<Integer> _ = other.receive(never);
            for (int i = 0; i < OPS; i++) {
              Select.Case _ = other.await();
              b.send(7);
            }
          });
          for (int i = 0; i < OPS; i++) {
            a.send(7);
            b.take();
          }
        });
  }

  @Test
  void contendedMutex() {
    Mutex mu = new Mutex();
    free(
        "contended mutex",
        () -> {
          WaitGroup wg = new WaitGroup();
          for (int g = 0; g < 4; g++) {
            wg.go(() -> {
              for (int i = 0; i < OPS / 4; i++) {
                mu.lock();
                Go.gosched();
                mu.unlock();
              }
            });
          }
          wg.await();
        });
  }

  /** A goroutine is a virtual thread, and that is made anew each time. */
  @Test
  void spawn() {
    double bytes =
        bytesPerOp(
            "spawn",
            () -> {
              WaitGroup wg = new WaitGroup();
              for (int i = 0; i < OPS; i++) {
                wg.go(() -> {});
                if (i % 64 == 0) {
                  wg.await();
                }
              }
              wg.await();
            });
    assertTrue(bytes > 0 && bytes < 2_000, bytes + " bytes a goroutine");
  }
}
