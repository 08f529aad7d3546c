package dev.gmptrace.bench.report;

import java.util.Arrays;
import java.util.List;

/**
 * Several measurements of one thing.
 *
 * @param median the one to quote
 * @param min the best
 * @param max the worst
 * @param count how many there were
 */
public record Spread(double median, double min, double max, int count) {
  /** Of at least one value. */
  public static Spread of(double... values) {
    if (values.length == 0) {
      throw new IllegalArgumentException("a spread of nothing");
    }
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int n = sorted.length;
    double median = n % 2 == 1 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
    return new Spread(median, sorted[0], sorted[n - 1], n);
  }

  /** Of at least one value. */
  public static Spread of(List<Double> values) {
    return of(values.stream().mapToDouble(Double::doubleValue).toArray());
  }

  /** {@code 0.51x (0.48–0.60)}, or without the parentheses when there was one measurement. */
  public String asRatio() {
    return count == 1 ? "%.2fx".formatted(median) : "%.2fx (%.2f–%.2f)".formatted(median, min, max);
  }
}
