package dev.gmptrace.bench.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class SpreadTest {
  @Test
  void medianOfAnEvenNumberLiesBetweenTheMiddleTwo() {
    assertEquals(new Spread(2.5, 1, 9, 4), Spread.of(9, 1, 3, 2));
    assertEquals(new Spread(3, 1, 9, 3), Spread.of(9, 1, 3));
  }

  @Test
  void aRatioShowsItsSpreadWhenThereIsOne() {
    assertEquals("2.00x (1.00–3.00)", Spread.of(1, 2, 3).asRatio());
    assertEquals("2.00x", Spread.of(2).asRatio());
  }

  @Test
  void nothingHasNoSpread() {
    assertThrows(IllegalArgumentException.class, Spread::of);
  }
}
