package dev.gmptrace.cli.demo;

import dev.gmptrace.runtime.Chan;
import dev.gmptrace.runtime.Go;
import java.time.Duration;

/** Two goroutines hand a ball to and fro: each send wakes the other through {@code runnext}. */
final class PingPong implements Workload {
  private static final int ROUNDS = 500;

  @Override
  public void run(Stopwatch time) {
    Chan<Integer> ping = Chan.make();
    Chan<Integer> pong = Chan.make();
    Go.go(() -> {
      for (int ball : ping) {
        pong.send(ball + 1);
      }
      pong.close();
    });
    int ball = 0;
    while (time.running()) {
      for (int i = 0; i < ROUNDS; i++) {
        ping.send(ball);
        ball = pong.take();
      }
      Go.sleep(Duration.ofMillis(10));
    }
    ping.close();
    pong.receive();
  }
}
