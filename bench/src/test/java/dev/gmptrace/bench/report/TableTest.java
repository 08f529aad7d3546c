package dev.gmptrace.bench.report;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class TableTest {
  @Test
  void columnsLineUpAndMarkdownReadsThem() {
    assertEquals(
        """
        | what | ns |
        |:-----|---:|
        | a    | 12 |
        """,
        new Table(List.of("what", "ns")).row(List.of("a", "12")).toString());
  }
}
