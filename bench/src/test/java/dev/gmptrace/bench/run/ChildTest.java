package dev.gmptrace.bench.run;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class ChildTest {
  @Test
  void theReasonIsWhatSpeaksOfAnErrorAndNotAWarningBeforeIt() {
    assertEquals(
        "Exception in thread \"main\" java.lang.OutOfMemoryError: Java heap space",
        Child.tellingLine(
            List.of(
                "WARNING: A terminally deprecated method in sun.misc.Unsafe has been called",
                "OpenJDK 64-Bit Server VM warning: Option X was deprecated",
                "starting",
                "Exception in thread \"main\" java.lang.OutOfMemoryError: Java heap space",
                "\tat some.Error.thrown(Error.java:1)")));
    assertEquals(
        "gobench: no workload x", Child.tellingLine(List.of("", "gobench: no workload x")));
  }

  @Test
  void withoutOneItIsTheFirstThatIsNoWarning() {
    assertEquals("killed", Child.tellingLine(List.of("Picked up JAVA_TOOL_OPTIONS: -X", "killed")));
    assertEquals("WARNING: only this", Child.tellingLine(List.of("WARNING: only this")));
    assertEquals("no message", Child.tellingLine(List.of()));
  }
}
