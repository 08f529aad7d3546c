package dev.gmptrace.bench.section;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class GrowthTest {
  @Test
  void theFloorOfAStartIsNotInIt() {
    // Half a second and 100 MB whatever the size, then 100 ns and 10 bytes an event.
    assertEquals(
        List.of(new Growth(1_000_000, 12_000_000, 100, 10)),
        Growth.between(List.of(point(1_000_000), point(12_000_000))));
    assertEquals("1M-12M", Growth.span(1_000_000, 12_000_000));
  }

  @Test
  void oneSizeGrowsNothing() {
    assertEquals(List.of(), Growth.between(List.of(point(1_000_000))));
  }

  private static Growth.Point point(long events) {
    return new Growth.Point(events, events, 500 + events * 100 / 1e6, 1e8 + events * 10);
  }
}
