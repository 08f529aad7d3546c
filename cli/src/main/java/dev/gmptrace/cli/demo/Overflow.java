package dev.gmptrace.cli.demo;

import dev.gmptrace.runtime.Go;
import dev.gmptrace.runtime.WaitGroup;
import java.time.Duration;

/** More goroutines at once than a local ring holds: half of it moves to the global queue. */
final class Overflow implements Workload {
  private static final int FLOOD = 1500;

  @Override
  public void run(Stopwatch time) {
    while (time.running()) {
      WaitGroup flood = new WaitGroup();
      for (int i = 0; i < FLOOD; i++) {
        flood.go(() -> Work.spin(20));
      }
      flood.await();
      Go.sleep(Duration.ofMillis(20));
    }
  }
}
