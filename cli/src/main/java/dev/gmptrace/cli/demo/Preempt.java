package dev.gmptrace.cli.demo;

import dev.gmptrace.runtime.Go;
import dev.gmptrace.runtime.WaitGroup;
import java.time.Duration;

/**
 * Greedy goroutines, one more than there are Ps, and a polite one that wants to run every
 * millisecond. After 10 ms sysmon asks a greedy one to yield, and it does at its next check.
 */
final class Preempt implements Workload {
  @Override
  public void run(Stopwatch time) {
    WaitGroup all = new WaitGroup();
    for (int i = 0; i <= Go.sched().gomaxprocs(); i++) {
      all.go(() -> {
        while (time.running()) {
          Work.spin(20);
          Go.checkPreempt();
        }
      });
    }
    int turns = 0;
    while (time.running()) {
      Go.sleep(Duration.ofMillis(1));
      turns++;
    }
    all.await();
    Report.line("the polite goroutine ran %d times".formatted(turns));
  }
}
