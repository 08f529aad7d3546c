package dev.gmptrace.runtime.sched;

/**
 * How a scheduler is made.
 *
 * @param name first part of its threads' names
 * @param procs GOMAXPROCS at the start
 * @param check verify the invariants at every transition (GMPDEBUG=check=1)
 * @param seed of the order in which victims are tried
 */
public record SchedOptions(String name, int procs, boolean check, long seed) {
  /** Checks that the numbers make sense. */
  public SchedOptions {
    if (procs < 1 || procs > Sched.MAX_PROCS) {
      throw new IllegalArgumentException(
          "GOMAXPROCS is " + procs + ", must be from 1 to " + Sched.MAX_PROCS);
    }
  }

  /** As many Ps as the machine has CPUs. */
  public static SchedOptions defaults() {
    return new SchedOptions(
        "gmp", Runtime.getRuntime().availableProcessors(), false, System.nanoTime());
  }

  /** The same with another number of Ps. */
  public SchedOptions withProcs(int n) {
    return new SchedOptions(name, n, check, seed);
  }

  /** The same with the checks on or off. */
  public SchedOptions withCheck(boolean on) {
    return new SchedOptions(name, procs, on, seed);
  }

  /** The same with a seed. */
  public SchedOptions withSeed(long s) {
    return new SchedOptions(name, procs, check, s);
  }

  /** The same with a name. */
  public SchedOptions withName(String s) {
    return new SchedOptions(s, procs, check, seed);
  }
}
