package dev.gmptrace.analyzer.stats;

/**
 * How many threads spin, and the bound on them.
 *
 * <p>Threads' streams are ordered against each other by time stamps only, and a stamp is taken a
 * moment before or after the count changes. So more spinning threads than allowed count as a
 * violation only when they stay too many for a while.
 */
final class Spinners {
  private static final long GRACE_NS = 10_000_000;

  private int spinning;
  private long tooManySince = -1;
  private long tooManyEvent;
  private int tooMany;

  void count(int by) {
    spinning += by;
  }

  /** Nothing is known any more. */
  void forget() {
    spinning = 0;
    tooManySince = -1;
  }

  /** After a change of the count, or of what it is bounded by. */
  void check(long gomaxprocs, long number, long now, ContractRule bound) {
    if (gomaxprocs < 0) {
      return;
    }
    // Half rounded up: an M joins while twice the spinners are fewer than the busy processors.
    long most = Math.max(1, (gomaxprocs + 1) / 2);
    if (spinning <= most) {
      end(number, now, bound);
      bound.check(true, number, now, () -> "");
    } else if (tooManySince < 0) {
      tooManySince = now;
      tooManyEvent = number;
      tooMany = spinning;
    }
  }

  /** They are no longer too many, or the trace ends. */
  void end(long number, long now, ContractRule bound) {
    if (tooManySince >= 0) {
      long lasted = now - tooManySince;
      long event = tooManyEvent;
      int most = tooMany;
      bound.check(
          lasted <= GRACE_NS,
          number,
          now,
          () -> most + " threads spin for " + lasted + " ns, since event " + event);
      tooManySince = -1;
    }
  }
}
