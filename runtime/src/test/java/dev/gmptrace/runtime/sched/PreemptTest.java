package dev.gmptrace.runtime.sched;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gmptrace.runtime.Go;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Time slices: sysmon asks a goroutine that runs for too long to give way, unless told not to. */
@Timeout(60)
class PreemptTest {
  private static final int ATTEMPTS = 5;

  /**
   * Runs until sysmon has come by when the slice was long over, with another goroutine waiting for
   * the only P.
   *
   * @return whether the other got it meanwhile
   */
  private static boolean isPreempted(String debug) {
    Sched s = new Sched(SchedOptions.defaults().withProcs(1).withDebug("check=1," + debug));
    AtomicBoolean other = new AtomicBoolean();
    AtomicBoolean preempted = new AtomicBoolean();
    s.run(() -> {
      Go.gosched(); // a new slice: what came before may have used this one up
      G _ = s.go(() -> other.set(true));
      P pp = s.allp[0];
      // sysmon notes here when it will look again, a slice of 10 ms or less after it looked last.
      while (pp.sysmonLook < 80_000_000 && !other.get()) {
        Go.checkPreempt();
        Thread.onSpinWait();
      }
      preempted.set(other.get());
    });
    s.shutdown();
    return preempted.get();
  }

  @Test
  void sliceEndsForWhoeverRunsTooLong() {
    boolean preempted = false;
    for (int i = 0; i < ATTEMPTS && !preempted; i++) {
      preempted = isPreempted("asyncpreemptoff=0");
    }
    assertTrue(preempted);
  }

  /**
   * A thread that the machine itself put to sleep loses its P all the same, so it may try again.
   */
  @Test
  void asyncpreemptoffLetsItRun() {
    boolean preempted = true;
    for (int i = 0; i < ATTEMPTS && preempted; i++) {
      preempted = isPreempted("asyncpreemptoff=1");
    }
    assertTrue(!preempted);
  }
}
