package dev.gmptrace.bench.report;

import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.DoubleBinaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * One figure of a process that was started in several rounds. A round in which it failed has no
 * value, and the others keep their numbers: a ratio is formed of what was measured side by side.
 */
public final class Rounds {
  private final SortedMap<Integer, Double> values = new TreeMap<>();

  /** The value of that round. */
  public void put(int round, double value) {
    values.put(round, value);
  }

  /** Whether no round has a value. */
  public boolean isEmpty() {
    return values.isEmpty();
  }

  /** The values there are. */
  public Collection<Double> values() {
    return List.copyOf(values.values());
  }

  /** Of the values there are; at least one. */
  public Spread spread() {
    return Spread.of(List.copyOf(values.values()));
  }

  /** What becomes of the rounds that both have. */
  public Rounds with(Rounds other, DoubleBinaryOperator operator) {
    Rounds result = new Rounds();
    values.forEach((round, value) -> {
      Double its = other.values.get(round);
      if (its != null) {
        result.put(round, operator.applyAsDouble(value, its));
      }
    });
    return result;
  }

  /**
   * The ratio to {@code other} within each round: what disturbs the machine in a round disturbs
   * both, and so falls out. Null when no round has both.
   */
  public @Nullable Spread over(Rounds other) {
    Rounds ratios = with(other, (a, b) -> a / b);
    return ratios.isEmpty() ? null : ratios.spread();
  }
}
