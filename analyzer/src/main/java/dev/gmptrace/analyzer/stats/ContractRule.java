package dev.gmptrace.analyzer.stats;

import dev.gmptrace.analyzer.stats.Validation.Check;
import dev.gmptrace.analyzer.stats.Validation.Violation;
import java.util.ArrayList;
import java.util.List;

/** One rule of the contract: how often it was put to the test, and the first times it failed. */
final class ContractRule {
  private static final int MAX_SHOWN = 5;

  private final String id;
  private final String what;
  private long checked;
  private long violations;
  private final List<Violation> first = new ArrayList<>();

  /** Made only for a rule that fails. */
  interface Text {
    String get();
  }

  ContractRule(String id, String what) {
    this.id = id;
    this.what = what;
  }

  /** Whether it holds at event {@code number}, which was at {@code now}. */
  void check(boolean holds, long number, long now, Text text) {
    checked++;
    if (!holds) {
      violations++;
      if (first.size() < MAX_SHOWN) {
        first.add(new Violation(number, now, text.get()));
      }
    }
  }

  Check result() {
    return new Check(id, what, checked, violations, List.copyOf(first));
  }
}
