package dev.gmptrace.cli.demo;

import dev.gmptrace.runtime.Go;
import dev.gmptrace.runtime.WaitGroup;
import java.time.Duration;

/** The number of Ps goes up and down under load; each change stops the world for a moment. */
final class Procs implements Workload {
  private static final int[] STEPS = {1, 2, 4, 8, 4, 2};

  @Override
  public void run(Stopwatch time) {
    int before = Go.sched().gomaxprocs();
    WaitGroup load = new WaitGroup();
    for (int i = 0; i < 8; i++) {
      load.go(() -> {
        while (time.running()) {
          Work.spin(200);
          Go.gosched();
        }
      });
    }
    for (int i = 0; time.running(); i++) {
      Go.sched().gomaxprocs(STEPS[i % STEPS.length]);
      Go.sleep(Duration.ofNanos(Math.max(10_000_000, time.nanos() / 12)));
    }
    load.await();
    Go.sched().gomaxprocs(before);
  }
}
