package dev.gmptrace.analyzer.index;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gmptrace.analyzer.model.SpanState;
import dev.gmptrace.analyzer.read.TraceFormatException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Damaged files open as far as they go or are refused with a sentence; nothing else happens. */
class OpenFuzzTest {
  private static final long SEED = Long.getLong("gmptrace.seed", 7);
  private static final int ROUNDS =
      "long".equals(System.getProperty("gmptrace.stress")) ? 20_000 : 300;
  private static final String[] NAMES = {
    "go122-annotations", "idle-go1.26", "leak-go1.22", "coro-go1.23", "cpu-go1.26"
  };

  @TempDir Path dir;

  @Test
  void everyDamagedFileIsRefusedOrAnswers() throws IOException {
    Random random = new Random(SEED);
    Path file = dir.resolve("damaged.trace");
    for (int i = 0; i < ROUNDS; i++) {
      byte[] bytes = Files.readAllBytes(GoldenTraces.path(NAMES[random.nextInt(NAMES.length)]));
      int flips = 1 + random.nextInt(8);
      for (int k = 0; k < flips; k++) {
        bytes[16 + random.nextInt(bytes.length - 16)] = (byte) random.nextInt();
      }
      Files.write(file, bytes);
      String what = "seed " + SEED + " round " + i;
      org.junit.jupiter.api.Assertions.assertTimeoutPreemptively(
          Duration.ofSeconds(60), () -> ask(file, what), what);
    }
  }

  private static void ask(Path file, String what) {
    Trace t;
    try {
      t = Trace.open(file);
    } catch (TraceFormatException e) {
      assertTrue(e.getMessage() != null && !e.getMessage().contains("\n"), what);
      return;
    }
    for (LaneKind kind : LaneKind.values()) {
      for (LaneInfo lane : t.index().lanes(kind)) {
        t.index().query(lane.id(), 0, t.info().durationNs(), 50);
        t.index().span(lane.id(), lane.firstNs());
      }
    }
    long[] sums = t.index().select(0, Long.MAX_VALUE, GoroutineFilter.all()).gTimeByState();
    assertTrue(sums.length == SpanState.COUNT, what);
  }
}
