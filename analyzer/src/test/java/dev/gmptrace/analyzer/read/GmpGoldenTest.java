package dev.gmptrace.analyzer.read;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Traces that the recorder wrote, with and without losses. */
class GmpGoldenTest {
  @TempDir Path directory;

  private final Map<EventKind, Integer> kinds = new EnumMap<>(EventKind.class);

  static Path file(String name) {
    try {
      return Path.of(
          Objects.requireNonNull(GmpGoldenTest.class.getResource("/gmp-traces/" + name)).toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Reads, and checks that every transition starts from where the one before it ended. */
  private ReadResult read(Path path) {
    kinds.clear();
    Map<Long, GoState> goroutines = new HashMap<>();
    Map<Long, ProcState> procs = new HashMap<>();
    try (TraceReader reader = TraceReader.open(path)) {
      return reader.read(e -> {
        kinds.merge(e.kind(), 1, Integer::sum);
        if (e.kind() != EventKind.STATE_TRANSITION) {
          return;
        }
        if (e.resource() == ResourceKind.GOROUTINE) {
          GoState known = goroutines.put(e.resourceId(), e.goTo());
          if (known != null && e.goFrom() != GoState.UNDETERMINED) {
            assertEquals(known, e.goFrom(), "G " + e.resourceId() + ", event " + e.number());
          }
        } else {
          ProcState known = procs.put(e.resourceId(), e.procTo());
          if (known != null && e.procFrom() != ProcState.UNDETERMINED) {
            assertEquals(known, e.procFrom(), "P " + e.resourceId() + ", event " + e.number());
          }
        }
      });
    }
  }

  private int count(EventKind kind) {
    return kinds.getOrDefault(kind, 0);
  }

  @Test
  void aWholeTraceHasNothingToComplainAbout() {
    ReadResult result = read(file("simulated.bin"));
    assertNull(result.damage());
    assertEquals(0, result.warnings().size(), result.warnings()::toString);
    assertEquals(49, result.generations());
    assertEquals(2625, result.events());
    assertEquals(50, count(EventKind.SYNC));
    assertEquals(24, count(EventKind.STEAL));
    assertEquals(60, count(EventKind.QUEUE_SAMPLE));
    assertEquals(128, count(EventKind.LOG));
    ClockSnapshot clock = result.clock();
    assertNotNull(clock);
    assertEquals(2026, clock.wall().atZone(java.time.ZoneOffset.UTC).getYear());
  }

  @Test
  void lossesAreToldAndTheRestIsRead() {
    ReadResult result = read(file("lossy.bin"));
    assertNull(result.damage());
    assertEquals(5, result.generations());
    assertEquals(6, count(EventKind.LOST));
    String warnings = result.warnings().toString();
    assertTrue(warnings.contains("the recorder lost 1850 events for want of buffers"), warnings);
    assertTrue(warnings.contains("put in order by their times alone"), warnings);
  }

  @Test
  void anyFrameMayBeMissing() throws IOException {
    byte[] whole = Files.readAllBytes(file("simulated.bin"));
    Path path = directory.resolve("holes.bin");
    int frames = 0;
    for (int at = 16; at < whole.length; ) {
      int length = 12 + ((whole[at + 4] & 0xff) | (whole[at + 5] & 0xff) << 8);
      if (frames++ > 0) {
        byte[] holed = whole.clone();
        Arrays.fill(holed, at, at + length, (byte) 0);
        Files.write(path, holed);
        ReadResult result = read(path);
        assertTrue(result.events() > 0, "without frame " + frames);
        assertTrue(result.warnings().size() > 0, "without frame " + frames);
      }
      at += length;
    }
    assertTrue(frames > 15, "only " + frames + " frames");
  }

  @Test
  void cutAnywhere() throws IOException {
    long seed = Seeds.seed("cutAnywhere");
    Random random = new Random(seed);
    byte[] whole = Files.readAllBytes(file("simulated.bin"));
    Path path = directory.resolve("cut.bin");
    int rounds = Seeds.longRun() ? 5000 : 100;
    for (int i = 0; i < rounds; i++) {
      int cut = 200 + random.nextInt(whole.length - 200);
      Files.write(path, Arrays.copyOf(whole, cut));
      assertNotNull(read(path).damage(), "cut at " + cut + ", -Dgmptrace.seed=" + seed);
    }
  }
}
