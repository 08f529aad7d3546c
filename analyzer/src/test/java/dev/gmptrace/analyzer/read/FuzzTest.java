package dev.gmptrace.analyzer.read;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.fail;

import dev.gmptrace.analyzer.index.GoroutineFilter;
import dev.gmptrace.analyzer.index.LaneInfo;
import dev.gmptrace.analyzer.index.LaneKind;
import dev.gmptrace.analyzer.index.Trace;
import dev.gmptrace.analyzer.model.PointKind;
import dev.gmptrace.analyzer.stats.Findings;
import dev.gmptrace.analyzer.stats.GoroutineReport;
import dev.gmptrace.analyzer.stats.Mmu;
import dev.gmptrace.analyzer.stats.Profile;
import dev.gmptrace.analyzer.stats.ProfileType;
import dev.gmptrace.analyzer.stats.RegionReport;
import dev.gmptrace.analyzer.stats.SchedTimeline;
import dev.gmptrace.analyzer.stats.Stats;
import dev.gmptrace.analyzer.stats.TaskReport;
import dev.gmptrace.analyzer.stats.Validation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Bad files of all kinds, and every question asked of those that open at all: a file is refused in
 * one line, or everything about it has an answer. Nothing else is thrown, nothing hangs, and the
 * heap the tests run in is enough.
 *
 * <p>The profile {@code fuzz} runs it for a minute; {@code -Dgmptrace.seed=N} repeats a run, and a
 * failure keeps the file that caused it.
 */
class FuzzTest {
  private static final int SECONDS = Integer.getInteger("gmptrace.fuzz.seconds", 2);
  private static final Duration HANG = Duration.ofMinutes(2);

  /** A round should be short, so that there are many; the bigger traces add nothing but bytes. */
  private static final int MAX_BYTES = 400_000;

  @TempDir Path directory;

  @Test
  void everyFileIsRefusedInALineOrAnswers() throws IOException {
    long seed = Seeds.seed("everyFileIsRefusedInALineOrAnswers");
    Random random = new Random(seed);
    List<byte[]> originals = originals();
    Path file = directory.resolve("fuzzed");
    long end = System.nanoTime() + SECONDS * 1_000_000_000L;
    int opened = 0;
    int round = 0;
    for (; System.nanoTime() < end; round++) {
      byte[] bytes =
          switch (random.nextInt(8)) {
            case 0 -> MutationTest.noise(random);
            case 1, 2 -> GmpReaderTest.randomTrace(random);
            default -> MutationTest.mutant(originals.get(random.nextInt(originals.size())), random);
          };
      Files.write(file, bytes);
      try {
        opened += assertTimeoutPreemptively(HANG, () -> ask(file)) ? 1 : 0;
      } catch (RuntimeException | Error e) {
        Path kept = Files.createTempFile("fuzzed", ".trace");
        Files.write(kept, bytes);
        fail("round " + round + ", -Dgmptrace.seed=" + seed + ", file " + kept, e);
      }
    }
    System.out.println(round + " files, of which " + opened + " opened");
  }

  private static List<byte[]> originals() throws IOException {
    List<byte[]> list = new ArrayList<>();
    for (String name : GoldenTraces.names()) {
      byte[] bytes = GoldenTraces.bytes(name);
      if (bytes.length <= MAX_BYTES) {
        list.add(bytes);
      }
    }
    list.add(GmpReaderTest.twoThreads().finish());
    for (String name : List.of("simulated.bin", "lossy.bin")) {
      list.add(Files.readAllBytes(GmpGoldenTest.file(name)));
    }
    return list;
  }

  /** Asks all there is to ask; false when the file is refused. */
  private static boolean ask(Path file) {
    Trace trace;
    try {
      trace = Trace.open(file);
    } catch (TraceFormatException e) {
      assertFalse(String.valueOf(e.getMessage()).contains("\n"), e::getMessage);
      return false;
    }
    long all = trace.info().durationNs();
    for (LaneKind kind : LaneKind.values()) {
      for (LaneInfo lane : trace.index().lanes(kind)) {
        trace.index().query(lane.id(), 0, all, 50);
        trace.index().span(lane.id(), lane.firstNs());
      }
    }
    trace.index().counters().forEach(c -> trace.index().counter(c.name(), 0, all, 50));
    trace.index().points(EnumSet.allOf(PointKind.class), 0, all, 50, 100);
    trace.index().ranges(0, all, null, 100);
    trace.index().select(0, all, GoroutineFilter.all());
    Stats.of(trace);
    Findings.of(trace);
    GoroutineReport.of(trace, GoroutineFilter.all());
    for (ProfileType type : ProfileType.values()) {
      Profile.of(trace, type);
    }
    TaskReport.of(trace);
    RegionReport.of(trace);
    SchedTimeline.of(trace);
    Mmu.of(trace);
    Validation.check(file);
    return true;
  }
}
