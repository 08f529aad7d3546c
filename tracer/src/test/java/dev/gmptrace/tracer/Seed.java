package dev.gmptrace.tracer;

import java.util.Random;

/** Random numbers that can be had again: {@code -Dgmptrace.seed=N}. */
public final class Seed {
  private Seed() {}

  /** A generator whose seed has been printed. */
  public static Random random(String test) {
    long seed = Long.getLong("gmptrace.seed", System.nanoTime());
    System.out.println(test + ": seed " + seed + " (repeat with -Dgmptrace.seed=" + seed + ")");
    return new Random(seed);
  }
}
