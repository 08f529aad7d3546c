package dev.gmptrace.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gmptrace.runtime.config.ConfigException;
import dev.gmptrace.runtime.sched.FatalError;
import dev.gmptrace.runtime.sched.Sched;
import dev.gmptrace.runtime.sched.SchedOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The keys of {@code GMPDEBUG} that change how a scheduler behaves do so. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DebugKeysTest {
  private static Sched sched(int procs, String debug) {
    return new Sched(SchedOptions.defaults().withProcs(procs).withDebug(debug));
  }

  /** Which of three ready cases 200 selects choose. */
  private static List<Integer> choices(String debug) {
    Sched s = sched(1, debug);
    List<Integer> chosen = new ArrayList<>();
    try {
      Go.run(
          s,
          () -> {
            List<Chan<Integer>> chans = List.of(Chan.make(200), Chan.make(200), Chan.make(200));
            for (int i = 0; i < 200; i++) {
              Select select = new Select();
              for (int c = 0; c < chans.size(); c++) {
                int index = c;
                select.send(chans.get(c), i, () -> chosen.add(index));
              }
              select.run();
            }
          });
    } finally {
      s.shutdown();
    }
    return chosen;
  }

  @Test
  void seedMakesTheChoiceOfSelectRepeatable() {
    assertEquals(choices("seed=7"), choices("seed=7"));
    assertNotEquals(choices("seed=7"), choices("seed=8"));
    assertNotEquals(choices("check=0"), choices("check=0"), "without a seed it is not repeatable");
  }

  @Test
  void maxthreadsEndsAProgramThatBlocksThreadAfterThread() {
    Sched s = sched(2, "maxthreads=5");
    var release = new CountDownLatch(1);
    FatalError error =
        assertThrows(
            FatalError.class,
            () ->
                Go.run(
                    s,
                    () -> {
                      for (int i = 0; i < 20; i++) {
                        Go.go(() -> blockThread(release));
                      }
                      Chan.make().take();
                    }));
    release.countDown();
    assertEquals("fatal error: thread exhaustion", error.getMessage());
  }

  private static void blockThread(CountDownLatch release) {
    try {
      boolean _ =
          Go.syscall(() -> {
            // Keeps its thread, as native code would.
            while (release.getCount() > 0) {
              Thread.onSpinWait();
            }
            return true;
          });
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /** Whether another goroutine got its turn while a greedy one held the only P. */
  private static boolean gaveWay(String debug, boolean untilItDid) {
    Sched s = sched(1, debug);
    var ran = new AtomicBoolean();
    var inTime = new AtomicBoolean();
    try {
      Go.run(
          s,
          () -> {
            Go.gosched(); // a new slice: what came before may have used this one up
            Go.go(() -> ran.set(true));
            long end = System.nanoTime() + 60_000_000;
            while (untilItDid ? !ran.get() : System.nanoTime() < end) {
              Go.checkPreempt();
            }
            inTime.set(ran.get());
          });
    } finally {
      s.shutdown();
    }
    return inTime.get();
  }

  @Test
  void asyncpreemptoffLeavesAGreedyGoroutineAlone() {
    boolean gaveWay = true; // a thread that the machine puts to sleep loses its P all the same
    for (int i = 0; i < 10 && gaveWay; i++) {
      gaveWay = gaveWay("asyncpreemptoff=1", false);
    }
    assertFalse(gaveWay);
    assertTrue(gaveWay("asyncpreemptoff=0", true));
  }

  @Test
  void aTraceThatCannotBeWrittenIsNamedBeforeAnythingStarts(@TempDir Path dir) {
    Path file = dir.resolve("missing/t.bin");
    for (String debug : List.of("trace=" + file, "traceflight=1M,trace=" + file)) {
      ConfigException e = assertThrows(ConfigException.class, () -> sched(1, debug));
      assertEquals(
          "GMPDEBUG: trace=" + file + ": " + file.getParent() + " is no directory", e.getMessage());
    }
    assertThrows(ConfigException.class, () -> sched(1, "trace=" + dir));
  }
}
