package dev.gmptrace.analyzer.read;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gmptrace.analyzer.index.LaneId;
import dev.gmptrace.analyzer.index.LaneInfo;
import dev.gmptrace.analyzer.index.LaneKind;
import dev.gmptrace.analyzer.index.SpanDetail;
import dev.gmptrace.analyzer.index.Trace;
import dev.gmptrace.analyzer.model.SpanState;
import dev.gmptrace.tracer.wire.EventType;
import dev.gmptrace.tracer.wire.FileFormat;
import dev.gmptrace.tracer.wire.GoStatus;
import dev.gmptrace.tracer.wire.ProcStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where events were lost, nobody knows from the first lost one on, whoever tells it and when. */
class LossTest {
  private static final int M = 3;
  private static final long TICK = 8;

  @TempDir Path directory;

  /** G 1 runs on P 0 and M 3 from tick 1000 on. */
  private static GmpTraceBuilder running() {
    return new GmpTraceBuilder()
        .strings("main", "main.java", "chan receive")
        .stack(1, 1, 2, 7)
        .segment(M, 0, 1000)
        .event(EventType.PROC_STATUS_INFO, 0, 0, ProcStatus.RUNNING, M)
        .event(EventType.GO_STATUS_INFO, 0, 1, M, GoStatus.RUNNING, 0, 0)
        .event(EventType.GO_LABEL, 100, 1);
  }

  private Trace open(GmpTraceBuilder b) {
    return Trace.open(GmpTraceBuilder.write(directory, b.finish()));
  }

  private static String states(Trace t, long tick) {
    List<String> list = new ArrayList<>();
    for (LaneId lane : List.of(LaneId.g(1), LaneId.p(0), LaneId.m(M))) {
      SpanDetail span = t.index().span(lane, (tick - 1000) * TICK + 3);
      assertNotNull(span, lane + " at " + tick);
      list.add(span.state().label());
      if (span.state() == SpanState.UNKNOWN) {
        assertEquals(
            "Events were lost here: the recorder had no room and says so.", span.unknownWhy());
      }
    }
    return String.join(", ", list);
  }

  private static void assertGapFrom1200To1900(Trace t) {
    assertEquals(17, t.info().eventsLost());
    assertEquals("running, running, running", states(t, 1199));
    assertEquals("unknown, unknown, unknown", states(t, 1202));
    assertEquals("unknown, unknown, unknown", states(t, 1899));
    assertEquals("waiting: sync, scheduling, scheduling", states(t, 2002));
  }

  @Test
  void theRecorderTellsItAtTheEndOfAGeneration() {
    GmpTraceBuilder b =
        running()
            .batch(0)
            .segment(M, 2, 2000)
            .event(EventType.GO_BLOCK, 0, 3, 0)
            .event(EventType.HEAP_ALLOC, 400, 1)
            .batch(0)
            .segment(FileFormat.RECORDER_STREAM, 0, 2300)
            .event(EventType.EVENTS_LOST, 0, 17, 1200, 1900)
            .batch(0);
    assertGapFrom1200To1900(open(b));
  }

  @Test
  void theBufferTellsItBeforeItsThreadSaysWhatItHolds() {
    GmpTraceBuilder b =
        running()
            .batch(0)
            .segment(M, 2, 2000)
            .event(EventType.EVENTS_LOST, 0, 17, 1200, 1900)
            .event(EventType.GO_BLOCK, 0, 3, 0)
            .event(EventType.HEAP_ALLOC, 400, 1)
            .batch(0);
    assertGapFrom1200To1900(open(b));
  }

  /** Whatever contradicts whatever: who runs, runs in all three kinds of lanes, or in none. */
  @Test
  void runningTimeIsTheSameSeenFromGoroutinesProcsAndThreads() throws IOException {
    long seed = Seeds.seed("runningTimeIsTheSame");
    Random random = new Random(seed);
    byte[] lossy = Files.readAllBytes(GmpGoldenTest.file("lossy.bin"));
    Path path = directory.resolve("random");
    int opened = 0;
    for (int round = 0; round < 200; round++) {
      boolean holes = random.nextBoolean();
      Files.write(path, holes ? holed(lossy, random) : GmpReaderTest.randomTrace(random));
      Trace t;
      try {
        t = Trace.open(path);
      } catch (TraceFormatException e) {
        continue;
      }
      opened++;
      long[] running = {
        running(t, LaneKind.GOROUTINE), running(t, LaneKind.PROC), running(t, LaneKind.THREAD)
      };
      String what = "round " + round + " holes " + holes + ", -Dgmptrace.seed=" + seed;
      assertEquals(running[0], running[1], what);
      assertEquals(running[0], running[2], what);
    }
    assertTrue(opened > 0, "none opened, -Dgmptrace.seed=" + seed);
  }

  private static byte[] holed(byte[] whole, Random random) {
    byte[] b = whole.clone();
    for (int i = random.nextInt(5); i >= 0; i--) {
      b[16 + random.nextInt(b.length - 16)] ^= 1;
    }
    return b;
  }

  private static long running(Trace t, LaneKind kind) {
    long sum = 0;
    for (LaneInfo lane : t.index().lanes(kind)) {
      sum += t.index().durations(lane.id(), 0, Long.MAX_VALUE)[SpanState.RUNNING.code()];
    }
    return sum;
  }

  @Test
  void aThreadThatCameMeanwhileIsUnknownToo() {
    GmpTraceBuilder b =
        running()
            .batch(0)
            // M 5 parks, takes P 0 unseen, and is heard of again when it blocks G 1 there.
            .segment(5, 0, 1100)
            .event(EventType.M_PARK, 0)
            .batch(-1)
            .segment(5, 2, 2000)
            .event(EventType.EVENTS_LOST, 0, 17, 1200, 1900)
            .event(EventType.PROC_STATUS_INFO, 0, 0, ProcStatus.RUNNING, 5)
            .event(EventType.GO_STATUS_INFO, 0, 1, 5, GoStatus.RUNNING, 0, 0)
            .event(EventType.GO_LABEL, 400, 1)
            .batch(0);
    Trace t = open(b);
    assertEquals("unknown, unknown, unknown", states(t, 1202));
    SpanDetail parked = t.index().span(LaneId.m(5), 150 * TICK);
    SpanDetail gap = t.index().span(LaneId.m(5), 300 * TICK);
    SpanDetail after = t.index().span(LaneId.m(5), 1100 * TICK);
    assertNotNull(parked);
    assertNotNull(gap);
    assertNotNull(after);
    assertEquals(SpanState.IDLE, parked.state());
    assertEquals(SpanState.UNKNOWN, gap.state());
    assertEquals(SpanState.RUNNING, after.state());
  }
}
