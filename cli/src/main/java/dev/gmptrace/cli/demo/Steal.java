package dev.gmptrace.cli.demo;

import dev.gmptrace.runtime.Go;
import dev.gmptrace.runtime.WaitGroup;
import java.time.Duration;

/**
 * One goroutine fills the queue of its own P; the other Ps find nothing of theirs and steal half.
 */
final class Steal implements Workload {
  private static final int FLOOD = 200;

  @Override
  public void run(Stopwatch time) {
    while (time.running()) {
      WaitGroup flood = new WaitGroup();
      for (int i = 0; i < FLOOD; i++) {
        flood.go(() -> Work.spin(100));
      }
      flood.await();
      Go.sleep(Duration.ofMillis(5));
    }
  }
}
