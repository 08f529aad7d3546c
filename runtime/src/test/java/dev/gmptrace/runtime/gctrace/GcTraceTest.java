package dev.gmptrace.runtime.gctrace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class GcTraceTest {
  @Test
  void lineSaysWhenHowLongAndHowMuch() {
    assertEquals(
        "gc 3 @0.412s 2%: 2 ms (G1 Young Generation, G1 Evacuation Pause), 26->4 MB, 246 MB heap,"
            + " 2 P",
        GcTrace.line(
            3,
            412,
            9,
            2,
            "G1 Young Generation, G1 Evacuation Pause",
            26 << 20,
            4 << 20,
            246 << 20,
            2));
  }

  @Test
  void printsACollectionThatHappens() {
    var bytes = new ByteArrayOutputStream();
    try (var _ = GcTrace.start(new PrintStream(bytes, true, StandardCharsets.UTF_8), () -> 4)) {
      System.gc();
      assertTimeoutPreemptively(
          Duration.ofSeconds(30),
          () -> {
            while (!bytes.toString(StandardCharsets.UTF_8).contains("System.gc()")) {
              Thread.sleep(5);
            }
          });
    }
    String text = bytes.toString(StandardCharsets.UTF_8);
    assertTrue(
        text.lines()
            .allMatch(l ->
                l.matches(
                    "gc \\d+ @\\d+\\.\\d{3}s \\d+%: \\d+ ms \\(.*\\), \\d+->\\d+ MB, \\d+ MB"
                        + " heap, 4 P")),
        text);
  }
}
