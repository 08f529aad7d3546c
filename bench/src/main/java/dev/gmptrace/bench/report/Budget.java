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
  /** What can be said of a budget. */
  public enum Outcome {
    /** Every round is within the limit. */
    MET("met"),
    /** Some rounds are within it and some are not, so that another run may say otherwise. */
    OPEN("open"),
    /** No round is within it. */
    NOT_MET("NOT MET"),
    /** This run had no figure for it. */
    NOT_MEASURED("not measured");

    private final String shown;

    Outcome(String shown) {
      this.shown = shown;
    }

    /** In a table. */
    public String shown() {
      return shown;
    }
  }

  /**
   * A budget held against one measure.
   *
   * @param measure null when there was none
   * @param margin how far the figure is inside (above 0) or outside (below 0), as a share of the
   *     limit; of the median, but of the most where nothing at all is allowed
   */
  public record Verdict(Budget budget, @Nullable Measure measure, Outcome outcome, double margin) {}

  /** Whether that measure's key is one of those that the budget is for. */
  public boolean fits(String measured) {
    return Pattern.compile(Pattern.quote(key).replace("*", "\\E[^/]+\\Q").replace("\\Q\\E", ""))
        .matcher(measured)
        .matches();
  }

  /** One verdict for each measure that the key fits; one that says so when there is none. */
  public List<Verdict> judge(List<Measure> measures) {
    List<Verdict> verdicts =
        measures.stream().filter(m -> fits(m.key())).map(this::verdict).toList();
    return verdicts.isEmpty()
        ? List.of(new Verdict(this, null, Outcome.NOT_MEASURED, Double.MAX_VALUE))
        : verdicts;
  }

  private Verdict verdict(Measure measure) {
    Spread value = measure.value();
    if (max != null && max == 0) {
      // Of what must never happen, once is too often.
      return new Verdict(
          this, measure, value.max() <= 0 ? Outcome.MET : Outcome.NOT_MET, -value.max());
    }
    boolean least = margin(value.min()) >= 0;
    boolean most = margin(value.max()) >= 0;
    Outcome outcome = least && most ? Outcome.MET : least || most ? Outcome.OPEN : Outcome.NOT_MET;
    return new Verdict(this, measure, outcome, margin(value.median()));
  }

  private double margin(double value) {
    double margin = Double.MAX_VALUE;
    if (max != null) {
      margin = (max - value) / max;
    }
    if (min != null) {
      margin = Math.min(margin, (value - min) / min);
    }
    return margin;
  }

  /** {@code at most 1.25}. */
  public String limit() {
    return max != null ? "at most " + plain(max) : min != null ? "at least " + plain(min) : "";
  }

  private static String plain(double value) {
    return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
  }
}
