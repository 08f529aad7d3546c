package dev.gmptrace.cli.demo;

import dev.gmptrace.runtime.Go;

/**
 * Runs one workload: {@code DemoMain NAME SECONDS}. Everything else, tracing and schedtrace
 * included, comes from the environment, as for any other program on the runtime.
 */
public final class DemoMain {
  private DemoMain() {}

  /** The program; exit code 0 when the workload has ended in good order. */
  public static void main(String[] args) {
    Workload workload = Workloads.create(args[0]);
    double seconds = Double.parseDouble(args[1]);
    if (workload == null) {
      throw new IllegalArgumentException(args[0]);
    }
    Go.run(() -> workload.run(new Stopwatch(seconds)));
    // As in Go, the end of main is the end of the program: goroutines that still wait go with it.
    System.exit(0);
  }
}
