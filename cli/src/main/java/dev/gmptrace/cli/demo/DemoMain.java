package dev.gmptrace.cli.demo;

import dev.gmptrace.runtime.Go;
import dev.gmptrace.runtime.config.ConfigException;

/**
 * Runs one workload: {@code DemoMain NAME SECONDS}. Everything else, tracing and schedtrace
 * included, comes from the environment, as for any other program on the runtime.
 */
public final class DemoMain {
  private DemoMain() {}

  /** The program; exit code 0 when the workload has ended in good order, 2 for a bad GMPDEBUG. */
  public static void main(String[] args) {
    Workload workload = Workloads.create(args[0]);
    double seconds = Double.parseDouble(args[1]);
    if (workload == null) {
      throw new IllegalArgumentException(args[0]);
    }
    try {
      Go.run(() -> workload.run(new Stopwatch(seconds)));
    } catch (ConfigException e) {
      System.err.println("gmptrace: " + e.getMessage());
      System.exit(2);
    }
    // As in Go, the end of main is the end of the program: goroutines that still wait go with it.
    System.exit(0);
  }
}
