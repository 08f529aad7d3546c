package dev.gmptrace.analyzer.read;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Our text of every golden trace equals, to the byte, what {@code go tool trace -d=parsed} prints.
 */
class GoGoldenTest {
  static List<String> names() {
    return GoldenTraces.names();
  }

  @Test
  void allGoldenTracesAreThere() {
    assertEquals(25, names().size());
  }

  @ParameterizedTest
  @MethodSource("names")
  void printsWhatGoPrints(String name) {
    GoldenTraces.Printed printed = GoldenTraces.print(GoldenTraces.file(name));
    assertSameText(GoldenTraces.expectedText(name), printed.text());
    if (!name.equals(GoldenTraces.BROKEN)) {
      assertNull(printed.result().damage());
      assertEquals(List.of(), printed.result().warnings());
    }
  }

  @Test
  void namesTheImpossibleEvent() {
    ReadResult result = GoldenTraces.print(GoldenTraces.file(GoldenTraces.BROKEN)).result();
    TraceWarning damage = result.damage();
    assertNotNull(damage);
    assertTrue(damage.message().contains("expected a proc but didn't have one"), damage.message());
    assertTrue(damage.message().contains("impossible event GoSyscallEnd"), damage.message());
    assertTrue(damage.offset() > 0);
  }

  private static void assertSameText(String expected, String actual) {
    if (expected.equals(actual)) {
      return;
    }
    String[] want = expected.split("\n", -1);
    String[] have = actual.split("\n", -1);
    for (int i = 0; i < Math.min(want.length, have.length); i++) {
      assertEquals(want[i], have[i], "line " + (i + 1) + " of " + want.length);
    }
    assertEquals(want.length, have.length, "lines");
  }
}
