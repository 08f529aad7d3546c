package dev.gmptrace.bench.report;

import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a figure should be. The key may hold {@code *} for one part of a measure's key; then every
 * measure that fits has to be within it.
 *
 * @param what in words
 * @param key of the measures
 * @param max the most it may be, or null
 * @param min the least it may be, or null
 */
public record Budget(String what, String key, @Nullable Double max, @Nullable Double min) {
  /**
   * A budget held against one measure.
   *
   * @param margin how far the median is inside (above 0) or outside (below 0), as a share of the
   *     limit
   */
  public record Verdict(Budget budget, Measure measure, boolean met, double margin) {}

  /** One verdict for each measure that the key fits; none when it was not measured. */
  public List<Verdict> judge(List<Measure> measures) {
    Pattern pattern =
        Pattern.compile(Pattern.quote(key).replace("*", "\\E[^/]+\\Q").replace("\\Q\\E", ""));
    return measures.stream()
        .filter(m -> pattern.matcher(m.key()).matches())
        .map(this::verdict)
        .toList();
  }

  private Verdict verdict(Measure measure) {
    double value = measure.value().median();
    double margin = Double.MAX_VALUE;
    if (max != null) {
      margin = max == 0 ? -value : (max - value) / max;
    }
    if (min != null) {
      margin = Math.min(margin, (value - min) / min);
    }
    return new Verdict(this, measure, margin >= 0, margin);
  }

  /** {@code at most 1.25}. */
  public String limit() {
    return max != null ? "at most " + plain(max) : min != null ? "at least " + plain(min) : "";
  }

  private static String plain(double value) {
    return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
  }
}
