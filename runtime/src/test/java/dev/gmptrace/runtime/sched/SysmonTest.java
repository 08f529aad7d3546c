package dev.gmptrace.runtime.sched;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gmptrace.runtime.jdk.Jdk;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What sysmon does for those who cannot help themselves. */
@Timeout(60)
class SysmonTest {
  private static final long BORED = 200_000_000;

  /**
   * Each syscall is over before a sysmon that sleeps 10 ms looks again, so it never sees the same
   * one twice unless it looks again soon.
   */
  @Test
  void syscallsOfAMillisecondLoseTheirPThoughSysmonSleepsLong() {
    Sched sched = new Sched(SchedOptions.defaults().withProcs(1).withDebug("check=1"));
    int[] calls = new int[1];
    boolean[] served = new boolean[1];
    try {
      sched.run(() -> {
        for (long begin = System.nanoTime(); System.nanoTime() - begin < BORED; ) {
          Thread.onSpinWait();
        }
        while (!served[0] && calls[0] < 100) {
          calls[0]++;
          AtomicBoolean otherRan = new AtomicBoolean();
          G _ = sched.go(() -> otherRan.set(true));
          Syscalls.entersyscall();
          Jdk.sleepCarrier(1_000_000);
          served[0] = otherRan.get(); // not when it gives way afterwards, its slice being over
          Syscalls.exitsyscall();
        }
      });
    } finally {
      sched.shutdown();
    }
    assertTrue(served[0], "a goroutine starved through " + calls[0] + " syscalls");
  }
}
