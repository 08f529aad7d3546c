package dev.gmptrace.cli.demo;

/** How long a workload may go on. */
public final class Stopwatch {
  private final long start = System.nanoTime();
  private final long nanos;

  /** Starts now. */
  public Stopwatch(double seconds) {
    nanos = (long) (seconds * 1e9);
  }

  /** Whether there is time left. */
  public boolean running() {
    return System.nanoTime() - start < nanos;
  }

  /** The whole time, in nanoseconds. */
  public long nanos() {
    return nanos;
  }

  /** A part of the whole time, beginning now. */
  public Stopwatch share(double part) {
    return new Stopwatch(nanos * part / 1e9);
  }
}
