package dev.gmptrace.bench.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.gmptrace.bench.report.Budget.Outcome;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class BudgetTest {
  private static final List<Measure> MEASURES =
      List.of(
          measure("sched/pingpong/p1/gmp:go/wall", 1.2),
          measure("sched/pingpong/p2/gmp:go/wall", 1.3),
          measure("sched/pingpong/p2/gmp:go/cpu", 9),
          measure("analyzer/go/12M/ratio", 11));

  @Test
  void aStarStandsForOnePartOfTheKey() {
    List<Budget.Verdict> verdicts =
        new Budget("", "sched/pingpong/*/gmp:go/wall", 1.25, null).judge(MEASURES);
    assertEquals(
        List.of("sched/pingpong/p1/gmp:go/wall", "sched/pingpong/p2/gmp:go/wall"),
        verdicts.stream().map(v -> Objects.requireNonNull(v.measure()).key()).toList());
    assertEquals(
        List.of(Outcome.MET, Outcome.NOT_MET),
        verdicts.stream().map(Budget.Verdict::outcome).toList());
  }

  @Test
  void aLeastIsHeldToo() {
    assertEquals(Outcome.MET, outcome(new Budget("", "k", null, 10.0), 11));
    assertEquals(Outcome.NOT_MET, outcome(new Budget("", "k", null, 12.0), 11));
  }

  @Test
  void aSpreadAcrossTheLimitLeavesItOpenOnWhicheverSideTheMedianIs() {
    Budget most = new Budget("", "k", 1.0, null);
    assertEquals(Outcome.MET, outcome(most, 0.8, 0.9, 1.0));
    assertEquals(Outcome.OPEN, outcome(most, 0.8, 0.9, 1.1));
    assertEquals(Outcome.OPEN, outcome(most, 0.8, 1.1, 1.2));
    assertEquals(Outcome.NOT_MET, outcome(most, 1.1, 1.2, 1.3));
    assertEquals(Outcome.OPEN, outcome(new Budget("", "k", null, 10.0), 9, 11, 12));
  }

  @Test
  void whereNothingIsAllowedTheWorstRoundCounts() {
    Budget none = new Budget("", "k", 0.0, null);
    assertEquals(Outcome.MET, outcome(none, 0, 0, 0));
    assertEquals(Outcome.NOT_MET, outcome(none, 0, 0, 1));
  }

  @Test
  void aBudgetWithoutAFigureSaysSo() {
    Budget.Verdict verdict = new Budget("", "other", 1.0, null).judge(MEASURES).getFirst();
    assertEquals(Outcome.NOT_MEASURED, verdict.outcome());
    assertNull(verdict.measure());
  }

  private static Outcome outcome(Budget budget, double... values) {
    return budget.judge(List.of(new Measure("k", "x", Spread.of(values)))).getFirst().outcome();
  }

  @Test
  void everyBudgetInTheFileHasALimit() throws IOException {
    List<Budget> budgets = Results.budgets(Path.of("budgets.json"));
    assertFalse(budgets.isEmpty());
    for (Budget b : budgets) {
      assertFalse(b.limit().isEmpty(), b.what());
    }
  }

  private static Measure measure(String key, double value) {
    return new Measure(key, "x", Spread.of(value));
  }
}
