package dev.gmptrace.runtime.sched;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.gmptrace.runtime.jdk.Jdk;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A stop of the world does not wait for those who block their threads. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class WorldTest {
  private final AtomicBoolean release = new AtomicBoolean();
  private Sched sched = procs(1);

  private static Sched procs(int n) {
    return new Sched(SchedOptions.defaults().withProcs(n).withDebug("check=1"));
  }

  @AfterEach
  void end() {
    release.set(true);
    sched.shutdown();
  }

  private void block() {
    while (!release.get()) {
      Jdk.sleepCarrier(2_000_000);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void whoBlocksUnannouncedIsNotWaitedFor(int n) throws InterruptedException {
    assumeTrue(
        System.getProperty("os.name").equals("Linux"), "only Linux tells whether a thread sleeps");
    sched = procs(n);
    CountDownLatch blocks = new CountDownLatch(1);
    G _ =
        sched.go(() -> {
          blocks.countDown();
          block();
        });
    blocks.await();
    assertEquals(n, sched.gomaxprocs(n + 1));
    assertFalse(release.get(), "the world was stopped while it blocked");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void whoEntersASyscallDuringTheStopIsNotWaitedFor(int n) throws InterruptedException {
    sched = procs(n);
    CountDownLatch runs = new CountDownLatch(1);
    G _ =
        sched.go(() -> {
          runs.countDown();
          while (!sched.gcwaiting) {
            Thread.onSpinWait();
          }
          Syscalls.entersyscall();
          block();
          Syscalls.exitsyscall();
        });
    runs.await();
    assertEquals(n, sched.gomaxprocs(n + 1));
    assertFalse(release.get(), "the world was stopped while it blocked");
  }
}
