package dev.gmptrace.bench.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;

class SpreadTest {
  @Test
  void medianOfAnEvenNumberLiesBetweenTheMiddleTwo() {
    assertEquals(new Spread(2.5, 1, 9, 4), Spread.of(9, 1, 3, 2));
    assertEquals(new Spread(3, 1, 9, 3), Spread.of(9, 1, 3));
  }

  @Test
  void ratiosAreFormedWithinARound() {
    // Twice as slow in both rounds, though the second round is ten times slower for both.
    Spread ratio = Spread.ofRatios(List.of(20.0, 200.0), List.of(10.0, 100.0));
    assertEquals(new Spread(2, 2, 2, 2), ratio);
    assertEquals("2.00x (2.00–2.00)", ratio.asRatio());
  }

  @Test
  void nothingHasNoSpread() {
    assertThrows(IllegalArgumentException.class, Spread::of);
  }
}
