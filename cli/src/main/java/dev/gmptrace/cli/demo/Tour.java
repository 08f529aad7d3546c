package dev.gmptrace.cli.demo;

import dev.gmptrace.runtime.Go;
import dev.gmptrace.runtime.Trace;
import java.time.Duration;
import java.util.List;

/** A little of most of the others, one after the other, each a region of the main goroutine. */
final class Tour implements Workload {
  /** All but those that change the number of Ps, leave goroutines behind or need a web server. */
  private static final List<String> STOPS =
      List.of(
          "fanout",
          "pingpong",
          "steal",
          "overflow",
          "syscalls",
          "netecho",
          "mutex",
          "timers",
          "preempt",
          "lockthread",
          "gc",
          "pipeline");

  @Override
  public void run(Stopwatch time) {
    for (String stop : STOPS) {
      Workload workload = Workloads.create(stop);
      if (workload != null) {
        try (var _ = Trace.region(stop)) {
          workload.run(time.share(1.0 / STOPS.size()));
        }
        Go.sleep(Duration.ofMillis(5));
      }
    }
  }
}
