package dev.gmptrace.cli.demo;

import dev.gmptrace.runtime.Chan;
import dev.gmptrace.runtime.Go;
import dev.gmptrace.runtime.Trace;
import dev.gmptrace.runtime.WaitGroup;

/** One dispatcher, eight workers on the same channel, one collector. */
final class FanOut implements Workload {
  private static final int WORKERS = 8;

  @Override
  public void run(Stopwatch time) {
    Chan<Integer> jobs = Chan.make(16);
    Chan<Integer> results = Chan.make();
    WaitGroup workers = new WaitGroup();
    for (int w = 0; w < WORKERS; w++) {
      workers.go(() -> {
        for (int job : jobs) {
          try (var _ = Trace.region("job")) {
            Work.spin(50 + job % 7 * 20);
          }
          results.send(job);
        }
      });
    }
    Go.go(() -> {
      for (int job = 0; time.running(); job++) {
        jobs.send(job);
      }
      jobs.close();
      workers.await();
      results.close();
    });
    long done = 0;
    for (int _ : results) {
      done++;
    }
    Report.line("%d jobs by %d workers".formatted(done, WORKERS));
  }
}
