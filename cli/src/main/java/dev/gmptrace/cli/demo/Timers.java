package dev.gmptrace.cli.demo;

import dev.gmptrace.runtime.Go;
import dev.gmptrace.runtime.Time;
import dev.gmptrace.runtime.WaitGroup;
import java.time.Duration;

/** Sleepers with different periods and a ticker; the timeline shows how late each one wakes. */
final class Timers implements Workload {
  private static final int SLEEPERS = 50;

  @Override
  public void run(Stopwatch time) {
    WaitGroup all = new WaitGroup();
    for (int i = 1; i <= SLEEPERS; i++) {
      Duration period = Duration.ofNanos(i * 400_000L);
      all.go(() -> {
        while (time.running()) {
          Go.sleep(period);
          Work.spin(20);
        }
      });
    }
    var ticker = Time.newTicker(Duration.ofMillis(10));
    int ticks = 0;
    while (time.running()) {
      ticker.channel().receive();
      ticks++;
    }
    ticker.stop();
    all.await();
    Report.line("%d sleepers, %d ticks of 10 ms".formatted(SLEEPERS, ticks));
  }
}
