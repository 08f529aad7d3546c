package dev.gmptrace.analyzer.read;

import java.util.Random;

/** Randomness that can be had again: every test prints its seed, and takes it from outside. */
final class Seeds {
  private Seeds() {}

  /** The seed of {@code -Dgmptrace.seed}, or a new one; printed either way. */
  static long seed(String test) {
    Long given = Long.getLong("gmptrace.seed");
    long seed = given != null ? given : new Random().nextLong();
    System.out.println(test + ": -Dgmptrace.seed=" + seed);
    return seed;
  }

  /** Whether the long variants of tests are asked for. */
  static boolean longRun() {
    return "long".equals(System.getProperty("gmptrace.stress"));
  }
}
