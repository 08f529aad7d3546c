package dev.gmptrace.analyzer.read;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gmptrace.tracer.wire.EventType;
import dev.gmptrace.tracer.wire.FileFormat;
import dev.gmptrace.tracer.wire.GoStatus;
import dev.gmptrace.tracer.wire.ProcStatus;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GmpReaderTest {
  private static final List<EventType> ALL_TYPES = List.of(EventType.values());

  @TempDir Path directory;

  private ReadResult result = new ReadResult(0, 0, 0, 0, null, null, List.of());
  private Map<String, String> properties = Map.of();

  /** The events as short lines: thread, P, G, type, what it is about. */
  private List<String> read(byte[] bytes) {
    List<String> lines = new ArrayList<>();
    try (TraceReader reader = TraceReader.open(GmpTraceBuilder.write(directory, bytes))) {
      properties = reader.info().properties();
      assertEquals("demo", reader.info().program());
      TraceTables t = reader.tables();
      result =
          reader.read(e -> {
            StringBuilder line = new StringBuilder();
            line.append(e.thread()).append(' ').append(e.proc()).append(' ');
            line.append(e.goroutine()).append(' ').append(EventTypes.name(e.type()));
            if (e.kind() == EventKind.STATE_TRANSITION) {
              line.append(' ').append(e.resourceId()).append(' ');
              line.append(
                  e.resource() == ResourceKind.PROC
                      ? e.procFrom().text() + ">" + e.procTo().text()
                      : e.goFrom().text() + ">" + e.goTo().text());
              if (e.reason() != 0) {
                line.append(' ').append(t.string(e.reason()));
              }
            }
            lines.add(line.toString());
          });
    }
    return lines;
  }

  /** G 1 on M 1 wakes G 2, which M 2 runs; M 2's events are in the file before those of M 1. */
  static GmpTraceBuilder twoThreads() {
    GmpTraceBuilder b = new GmpTraceBuilder().strings("chan receive", "main", "Main.java");
    b.stack(1, 2, 3, 42);
    b.segment(-1, 0, 1000)
        .event(EventType.PROC_STATUS_INFO, 0, 0, ProcStatus.RUNNING, 1)
        .event(EventType.PROC_STATUS_INFO, 0, 1, ProcStatus.IDLE, -1)
        .event(EventType.GO_STATUS_INFO, 0, 1, 1, GoStatus.RUNNING, 1, 0)
        .event(EventType.GO_STATUS_INFO, 0, 2, -1, GoStatus.WAITING, 1, 1)
        .batch(-1);
    // Its clock is behind: by time, G 2 would run before it was woken.
    b.segment(2, 0, 1010)
        .event(EventType.SPIN_START, 1)
        .event(EventType.PROC_START, 1, 1, 1)
        .event(EventType.WORK_STEAL, 1, 0, 3, 0)
        .event(EventType.SPIN_STOP, 0)
        .event(EventType.GO_START, 1, 2, 2)
        .event(EventType.GO_BLOCK, 5, 1, 0)
        .event(EventType.PROC_STOP, 1)
        .event(EventType.M_PARK, 1)
        .batch(1);
    b.segment(1, 0, 1100)
        .event(EventType.GO_UNBLOCK, 1, 2, 1, 0)
        .event(EventType.WAKE_P, 1, 1)
        .event(EventType.M_UNPARK, 1, 2)
        .event(EventType.GO_DESTROY, 3)
        .batch(0);
    return b;
  }

  /** A trace in good frames whose events are drawn at random, from few ids so that they meet. */
  static byte[] randomTrace(Random random) {
    GmpTraceBuilder b = new GmpTraceBuilder().strings("a", "b", "c").stack(1, 1, 2, 3);
    int generations = 1 + random.nextInt(3);
    for (int g = 0; g < generations; g++) {
      if (g > 0) {
        b.nextGeneration().strings("a", "b", "c");
      }
      int[] numbers = new int[4];
      int batches = 1 + random.nextInt(6);
      for (int i = 0; i < batches; i++) {
        int m = random.nextInt(4) - 1;
        b.segment(m, numbers[m + 1]++, 1000 + random.nextInt(100));
        int events = random.nextInt(30);
        for (int e = 0; e < events; e++) {
          EventType type = ALL_TYPES.get(random.nextInt(ALL_TYPES.size()));
          if (type == EventType.SEGMENT) {
            continue;
          }
          long[] args = new long[type.args().size()];
          for (int a = 0; a < args.length; a++) {
            args[a] = random.nextInt(50) == 0 ? random.nextLong() : random.nextInt(4);
          }
          args[0] &= 0xff;
          b.event(type, args);
        }
        if (random.nextInt(8) == 0) {
          b.lostBatch(0);
        } else {
          b.batch(0);
        }
      }
    }
    return b.finish();
  }

  @Test
  void ordersBySequenceNotByTime() {
    List<String> lines = read(twoThreads().finish());
    assertEquals(List.of(), result.warnings());
    assertNull(result.damage());
    assertEquals("2", properties.get("maxprocs"));
    assertTrue(
        lines.indexOf("1 0 1 GoUnblock 2 Waiting>Runnable")
            < lines.indexOf("2 1 -1 GoStart 2 Runnable>Running"),
        () -> String.join("\n", lines));
    assertTrue(lines.contains("2 1 2 GoBlock 2 Running>Waiting chan receive"), lines::toString);
    assertEquals(1_700_000_000L, clock().wall().getEpochSecond());
    assertEquals(8000, clock().traceTime());
  }

  @Test
  void aStoppedWorldBelongsToTheThreadThatStoppedIt() {
    GmpTraceBuilder b =
        new GmpTraceBuilder()
            .strings("stop-the-world (GOMAXPROCS)")
            .segment(7, 0, 1000)
            .event(EventType.STW_BEGIN, 1, 1, 0)
            .event(EventType.STW_END, 9)
            .batch(-1)
            .segment(FileFormat.JVM_STREAM, 0, 1000)
            .event(EventType.STW_BEGIN, 20, 1, 0)
            .event(EventType.STW_END, 9)
            .batch(-1);
    List<String> scopes = new ArrayList<>();
    try (TraceReader reader = TraceReader.open(GmpTraceBuilder.write(directory, b.finish()))) {
      reader
          .read(e -> {
            if (e.kind() == EventKind.RANGE_BEGIN) {
              scopes.add(e.resource() + " " + e.thread());
            }
          })
          .orRefuse(reader.info());
    }
    assertEquals(List.of("THREAD 7", "NONE -1"), scopes);
  }

  @Test
  void zeroIsTheNextNumberOfTheSameStream() {
    GmpTraceBuilder b = new GmpTraceBuilder();
    b.segment(1, 0, 1000)
        .event(EventType.PROC_STATUS_INFO, 0, 0, ProcStatus.IDLE, -1)
        .event(EventType.PROC_START, 1, 0, 0)
        .event(EventType.GO_CREATE, 1, 5, 0, 0)
        .event(EventType.GO_START, 1, 5, 0)
        .event(EventType.GO_SYSCALL_BEGIN, 1, 0, 0)
        .batch(0);
    // The P was started (1) and went into a call (2), so its theft is number 3.
    b.segment(9, 0, 1000).event(EventType.PROC_STEAL, 1, 0, 3, 1).batch(-1);
    b.segment(1, 1, 1200).event(EventType.GO_SYSCALL_END_BLOCKED, 1).batch(-1);
    List<String> lines = read(b.finish());
    assertEquals(List.of(), result.warnings(), lines::toString);
    assertEquals("9 -1 -1 ProcSteal 0 Running>Idle", lines.get(lines.size() - 3));
    assertEquals("1 -1 5 GoSyscallEndBlocked 5 Syscall>Runnable", lines.get(lines.size() - 2));
  }

  @Test
  void joinsTheSegmentsOfAThreadByTheirNumber() {
    GmpTraceBuilder b = new GmpTraceBuilder();
    b.segment(1, 0, 1000)
        .event(EventType.PROC_STATUS_INFO, 0, 0, ProcStatus.IDLE, -1)
        .event(EventType.PROC_STATUS_INFO, 0, 1, ProcStatus.IDLE, -1)
        .event(EventType.PROC_START, 0, 0, 1)
        .event(EventType.PROC_STOP, 1);
    byte[] first = b.heldBatch(0);
    b.segment(1, 1, 1000).event(EventType.PROC_START, 1, 1, 1).batch(1);
    List<String> lines = read(b.put(first).finish());
    assertEquals(List.of(), result.warnings());
    assertEquals("1 -1 -1 ProcStart 1 Idle>Running", lines.get(lines.size() - 2));
  }

  @Test
  void aGenerationMayBeginBeforeTheOneBeforeHasEnded() {
    GmpTraceBuilder b = new GmpTraceBuilder();
    b.segment(1, 0, 1000)
        .event(EventType.PROC_STATUS_INFO, 0, 0, ProcStatus.RUNNING, 1)
        .event(EventType.GO_CREATE, 1, 5, 0, 0);
    byte[] late = b.heldBatch(0);
    byte[] early =
        new GmpTraceBuilder()
            .nextGeneration()
            .segment(1, 0, 2000)
            .event(EventType.GO_STATUS_INFO, 0, 5, -1, GoStatus.RUNNABLE, 0, 0)
            .event(EventType.PROC_STATUS_INFO, 0, 0, ProcStatus.RUNNING, 1)
            .event(EventType.GO_START, 1, 5, 1)
            .heldBatch(0);
    b.put(early).put(late).nextGeneration();
    List<String> lines = read(b.finish());
    assertEquals(List.of(), result.warnings(), lines::toString);
    assertEquals(2, result.generations());
    assertEquals("1 0 -1 GoStart 5 Runnable>Running", lines.get(lines.size() - 2));
  }

  @Test
  void saysWhatIsMissingAndGoesOn() {
    GmpTraceBuilder b = new GmpTraceBuilder().strings("chan receive");
    b.segment(1, 0, 1000)
        .event(EventType.PROC_STATUS_INFO, 0, 0, ProcStatus.RUNNING, 1)
        .event(EventType.GO_STATUS_INFO, 0, 5, 1, GoStatus.RUNNING, 0, 0)
        .event(EventType.GO_BLOCK, 1, 1, 0)
        .batch(0);
    b.segment(1, 1, 1100).event(EventType.GO_UNBLOCK, 1, 5, 1, 0).lostBatch(0);
    b.segment(1, 2, 1200)
        .event(EventType.GO_START, 1, 5, 2)
        .event(EventType.GO_BLOCK, 1, 1, 0)
        .batch(0);
    List<String> lines = read(b.finish());
    assertNull(result.damage());
    assertTrue(
        lines.contains("1 0 -1 GoStatusInfo 5 Waiting>Runnable events lost"), lines::toString);
    assertEquals("1 0 5 GoBlock 5 Running>Waiting chan receive", lines.get(lines.size() - 2));
    assertTrue(
        result.warnings().toString().contains("1 of its 3 batches are missing"),
        result.warnings().toString());
    assertTrue(
        result.warnings().toString().contains("1 events were put in order by their times alone"),
        result.warnings().toString());
  }

  @Test
  void anImpossibleEventNamesItself() {
    GmpTraceBuilder b = new GmpTraceBuilder();
    b.segment(1, 0, 1000)
        .event(EventType.PROC_STATUS_INFO, 0, 0, ProcStatus.RUNNING, 1)
        .event(EventType.GO_STATUS_INFO, 0, 5, 1, GoStatus.RUNNING, 0, 0)
        .event(EventType.GO_SYSCALL_END, 1)
        .batch(0);
    read(b.finish());
    TraceWarning damage = result.damage();
    assertNotNull(damage);
    assertTrue(
        damage.message().contains("GoSyscallEnd on M 1 P 0 G 5")
            && damage
                .message()
                .contains("G 5 is Running, would become Running; it must be Syscall"),
        damage.message());
  }

  @Test
  void cutAnywhereItGivesTheWholeGenerationsAndAWarning() {
    GmpTraceBuilder b = twoThreads().nextGeneration();
    b.segment(2, 0, 5000).event(EventType.M_STOP, 1).batch(-1);
    byte[] whole = b.finish();
    List<String> all = read(whole);
    List<String> firstGeneration = all.subList(0, all.size() - 3);
    int endOfFirst = twoThreads().endGeneration().unfinished().length;
    for (int cut = 0; cut < whole.length; cut++) {
      byte[] part = java.util.Arrays.copyOf(whole, cut);
      List<String> lines;
      try {
        lines = read(part);
      } catch (TraceFormatException e) {
        assertTrue(cut < 100, "refused at " + cut + ": " + e.getMessage());
        continue;
      }
      assertNotNull(result.damage(), "cut at " + cut);
      if (cut >= endOfFirst) {
        assertEquals(firstGeneration, lines.subList(0, firstGeneration.size()), "cut at " + cut);
      }
    }
  }

  @Test
  void damageAnywhereIsAWarning() {
    byte[] whole = twoThreads().finish();
    for (int at = 16; at < whole.length; at++) {
      byte[] bad = whole.clone();
      bad[at] ^= 0x55;
      try {
        read(bad);
      } catch (TraceFormatException e) {
        assertTrue(at < 100, "refused for damage at " + at + ": " + e.getMessage());
        continue;
      }
      assertFalse(result.warnings().isEmpty(), "damage at " + at);
    }
  }

  @Test
  void idsAreThoseOfTheTable() throws ReflectiveOperationException {
    int compared = 0;
    for (EventType type : EventType.values()) {
      if (type == EventType.SEGMENT) {
        continue;
      }
      assertEquals(type.id(), EventTypes.class.getField(type.name()).getInt(null), type.name());
      compared++;
      if (!type.fromGo()) {
        assertFalse(EventTypes.kind(type.id()) == EventKind.BAD, type.name());
      }
    }
    assertTrue(compared > 50);
  }

  private ClockSnapshot clock() {
    ClockSnapshot clock = result.clock();
    assertNotNull(clock);
    return clock;
  }

  /** The ranges as lines: type and name. */
  private List<String> ranges(byte[] bytes) {
    List<String> lines = new ArrayList<>();
    try (TraceReader reader = TraceReader.open(GmpTraceBuilder.write(directory, bytes))) {
      result =
          reader.read(e -> {
            if (e.kind() == EventKind.RANGE_BEGIN
                || e.kind() == EventKind.RANGE_ACTIVE
                || e.kind() == EventKind.RANGE_END) {
              lines.add(EventTypes.name(e.type()) + " " + reader.tables().string(e.name()));
            }
          });
    }
    return lines;
  }

  @Test
  void aCollectionOfTheJvmIsCalledAfterItsCollector() {
    GmpTraceBuilder b = new GmpTraceBuilder().strings("G1 Young Generation", "Allocation");
    b.segment(-2, 0, 1000)
        .event(EventType.GC_BEGIN, 5, 1, 0)
        .event(EventType.GC_INFO, 0, 1, 1, 2)
        .event(EventType.GC_END, 9, 1)
        .batch(-1);
    assertEquals(
        List.of("GCBegin GC G1 Young Generation", "GCEnd GC G1 Young Generation"),
        ranges(b.finish()));
  }

  @Test
  void aCollectionWhoseCollectorIsNotToldIsTheJvms() {
    GmpTraceBuilder b = new GmpTraceBuilder().strings("G1 Young Generation", "Allocation");
    b.segment(-2, 0, 1000)
        .event(EventType.GC_BEGIN, 5, 1, 0)
        .event(EventType.GC_BEGIN, 5, 2, 0)
        .event(EventType.GC_INFO, 0, 2, 1, 2)
        .event(EventType.GC_END, 9, 1)
        .event(EventType.GC_BEGIN, 5, 3, 0)
        .batch(-1);
    assertEquals(
        List.of(
            "GCBegin JVM GC", "GCBegin GC G1 Young Generation", "GCEnd JVM GC", "GCBegin JVM GC"),
        ranges(b.finish()));
  }
}
