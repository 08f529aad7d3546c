package dev.gmptrace.cli.demo;

import dev.gmptrace.runtime.Chan;
import dev.gmptrace.runtime.Go;
import java.time.Duration;

/**
 * The classic leak: a request is given up after a time-out, and the goroutine that was to answer it
 * waits for ever to send to a channel nobody reads any more.
 */
final class Leak implements Workload {
  @Override
  public void run(Stopwatch time) {
    int leaked = 0;
    while (time.running()) {
      Chan<String> answer = Chan.make();
      Go.go(() -> {
        Go.sleep(Duration.ofMillis(8));
        answer.send("too late");
      });
      if (answer.receive(Duration.ofMillis(5)) == null) {
        leaked++;
      }
    }
    Report.line("%d goroutines will never wake".formatted(leaked));
  }
}
