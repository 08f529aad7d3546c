package dev.gmptrace.cli.demo;

/** One demonstration, run as the main goroutine of a fresh scheduler. */
@FunctionalInterface
public interface Workload {
  /** Works until {@code time} is up, then lets all its goroutines end and returns. */
  void run(Stopwatch time);
}
