package dev.gmptrace.bench.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
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
        verdicts.stream().map(v -> v.measure().key()).toList());
    assertEquals(List.of(true, false), verdicts.stream().map(Budget.Verdict::met).toList());
  }

  @Test
  void aLeastIsHeldToo() {
    assertTrue(new Budget("", "analyzer/go/12M/ratio", null, 10.0).judge(MEASURES).get(0).met());
    assertFalse(new Budget("", "analyzer/go/12M/ratio", null, 12.0).judge(MEASURES).get(0).met());
  }

  @Test
  void zeroIsALimitLikeAnyOther() {
    Budget budget = new Budget("", "lost", 0.0, null);
    assertTrue(budget.judge(List.of(measure("lost", 0))).get(0).met());
    assertFalse(budget.judge(List.of(measure("lost", 1))).get(0).met());
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
