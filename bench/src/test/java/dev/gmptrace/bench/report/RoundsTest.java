package dev.gmptrace.bench.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;

class RoundsTest {
  @Test
  void ratiosAreFormedWithinARound() {
    // Twice as slow in both rounds, though the second round is ten times slower for both.
    assertEquals(new Spread(2, 2, 2, 2), rounds(0, 20, 1, 200).over(rounds(0, 10, 1, 100)));
  }

  @Test
  void aRoundInWhichOneFailedShiftsNoOther() {
    Rounds ours = rounds(1, 200, 2, 30);
    Rounds theirs = rounds(0, 10, 1, 100, 2, 10);
    assertEquals(Spread.of(2, 3), ours.over(theirs));
    assertEquals(2, ours.spread().count());
  }

  @Test
  void withoutARoundInCommonThereIsNoRatio() {
    assertNull(rounds(0, 1).over(rounds(1, 1)));
  }

  private static Rounds rounds(double... pairs) {
    Rounds rounds = new Rounds();
    for (int i = 0; i < pairs.length; i += 2) {
      rounds.put((int) pairs[i], pairs[i + 1]);
    }
    return rounds;
  }
}
