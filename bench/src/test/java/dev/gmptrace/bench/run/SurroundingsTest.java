package dev.gmptrace.bench.run;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import org.junit.jupiter.api.Test;

class SurroundingsTest {
  @Test
  void ofAKernelOnlyItsVersionIsKept() {
    assertEquals("Linux 6.18", Surroundings.system("Linux", "6.18.44-somewhere-v1"));
    assertEquals("Mac OS X 15.1", Surroundings.system("Mac OS X", "15.1"));
    assertEquals("Plan9", Surroundings.system("Plan9", "fourth"));
  }

  @Test
  void goRunsOnItsDefaultUnlessTheEnvironmentSaysOtherwise() {
    assertEquals("GOGC=100", Surroundings.goSettings(Map.of()));
    assertEquals(
        "GOGC=off GOMEMLIMIT=4GiB",
        Surroundings.goSettings(Map.of("GOGC", "off", "GOMEMLIMIT", "4GiB")));
  }
}
