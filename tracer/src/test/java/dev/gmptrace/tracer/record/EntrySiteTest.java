package dev.gmptrace.tracer.record;

import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class EntrySiteTest {
  /** In a JVM of its own, since names are for good. */
  @Test
  void namesWithoutEndAreOneGroup() throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Names.class.getName())
            .inheritIO()
            .start();
    assertTrue(process.waitFor(50, TimeUnit.SECONDS));
    assertTrue(process.exitValue() == 0);
  }

  /** What runs there. */
  static final class Names {
    private Names() {}

    public static void main(String[] args) {
      EntrySite first = EntrySite.named("first");
      for (int i = 0; i < 50_000; i++) {
        EntrySite.named("request " + i);
      }
      assertTrue(EntrySite.all().size() < EntrySite.MAX_NAMES + 100);
      assertSame(EntrySite.OTHER, EntrySite.named("one more"));
      assertSame(first, EntrySite.named("first"));
    }
  }

  @Test
  void numbersOfThreadsAreLeftOut() {
    assertSame(EntrySite.named("pool"), EntrySite.ofThreadNamed("pool-17"));
  }
}
