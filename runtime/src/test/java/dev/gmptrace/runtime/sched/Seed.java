package dev.gmptrace.runtime.sched;

/** The seed of a test run: printed, and set again with {@code -Dgmptrace.seed=N}. */
final class Seed {
  private Seed() {}

  static long of(String test) {
    long seed = Long.getLong("gmptrace.seed", System.nanoTime());
    System.out.println(test + ": seed " + seed + " (again with -Dgmptrace.seed=" + seed + ")");
    return seed;
  }

  /** How much longer than usual: 1, or more with {@code -Dgmptrace.stress=long}. */
  static int effort() {
    return "long".equals(System.getProperty("gmptrace.stress")) ? 20 : 1;
  }
}
