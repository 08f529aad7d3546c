package dev.gmptrace.tracer.record;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gmptrace.tracer.Seed;
import dev.gmptrace.tracer.wire.EventType;
import dev.gmptrace.tracer.wire.GoStatus;
import dev.gmptrace.tracer.wire.ProcStatus;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What recorders write about a simulated scheduler is legal, whole and complete. */
@Timeout(120)
class RecorderTest {
  private static final boolean LONG = "long".equals(System.getProperty("gmptrace.stress"));

  /** With room for what comes while the writer gets no CPU: here nothing may be lost. */
  private static final TraceOptions OPTIONS =
      TraceOptions.DEFAULTS
          .withJvmEvents(false)
          .withPoolBuffers(2048)
          .withGeneration(Duration.ofMillis(20));

  private static SimulatedScheduler scheduler(String test, TraceOptions options) {
    return new SimulatedScheduler(options, 3, 5, 200, Seed.random(test).nextLong());
  }

  @Test
  void everyGenerationIsLegalAndSelfContained() throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    TraceTotals totals;
    try (var scheduler = scheduler("everyGenerationIsLegalAndSelfContained", OPTIONS)) {
      scheduler.start();
      Recording recording = scheduler.tracer.start(out);
      Thread.sleep(LONG ? 20_000 : 600);
      // On a busy machine that may have been little of both.
      while (scheduler.steals.get() == 0 || scheduler.tracer.generation() < 5) {
        Thread.sleep(10);
      }
      totals = recording.stop();
      assertEquals(0, scheduler.tracer.nestedSections());
    }
    TraceChecker trace = TraceChecker.check(out.toByteArray());
    assertTrue(trace.complete, trace.ending);
    assertEquals(totals.events(), trace.events);
    assertEquals(totals.generations(), trace.closedGenerations);
    assertEquals(totals.resyncs(), trace.resyncs);
    assertEquals(totals.bytes(), out.size());
    assertEquals(0, totals.lostEvents());
    assertTrue(totals.generations() > 3, totals.toString());
    assertTrue(trace.counts.getOrDefault(EventType.PROC_STEAL, 0) > 0);
  }

  @Test
  void startsAndStopsAThousandTimesUnderLoad() throws Exception {
    int rounds = LONG ? 10_000 : 1000;
    long resyncs = 0;
    long events = 0;
    try (var scheduler = scheduler("startsAndStopsAThousandTimesUnderLoad", OPTIONS)) {
      scheduler.start();
      for (int i = 0; i < rounds; i++) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        TraceTotals totals = scheduler.tracer.start(out).stop();
        TraceChecker trace = TraceChecker.check(out.toByteArray());
        assertTrue(trace.complete, trace.ending);
        assertEquals(0, totals.lostEvents());
        resyncs += totals.resyncs();
        events += trace.asked();
      }
    }
    System.out.println(rounds + " recordings: " + events + " events, " + resyncs + " resyncs");
  }

  @Test
  void twoRecordersDoNotDisturbEachOther() throws Exception {
    ByteArrayOutputStream first = new ByteArrayOutputStream();
    ByteArrayOutputStream second = new ByteArrayOutputStream();
    try (var a = scheduler("twoRecordersDoNotDisturbEachOther", OPTIONS);
        var b = scheduler("twoRecordersDoNotDisturbEachOther", OPTIONS)) {
      a.start();
      b.start();
      Recording ra = a.tracer.start(first);
      Recording rb = b.tracer.start(second);
      Thread.sleep(150);
      assertEquals(0, ra.stop().lostEvents());
      Thread.sleep(50);
      assertEquals(0, rb.stop().lostEvents());
    }
    assertTrue(TraceChecker.check(first.toByteArray()).complete);
    assertTrue(TraceChecker.check(second.toByteArray()).complete);
  }

  @Test
  void somethingThatNeverDoesAnythingIsInEveryGeneration() throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    TraceTotals totals;
    try (var scheduler = new SimulatedScheduler(OPTIONS, 2, 1, 10, 1)) {
      // Its threads are never started: eight runnable goroutines and two idle Ps.
      Recording recording = scheduler.tracer.start(out);
      Thread.sleep(100);
      totals = recording.stop();
    }
    TraceChecker trace = TraceChecker.check(out.toByteArray());
    assertEquals(8 * totals.generations(), trace.counts.get(EventType.GO_STATUS_INFO));
    assertEquals(2 * totals.generations(), trace.counts.get(EventType.PROC_STATUS_INFO));
    assertEquals(totals.generations(), trace.counts.get(EventType.PROCS_CHANGE));
    for (TraceChecker.Event event : trace.ordered) {
      if (event.type() == EventType.PROCS_CHANGE) {
        assertEquals(2, event.args()[event.type().indexOf("procs")]);
        continue;
      }
      assertEquals(
          event.type() == EventType.GO_STATUS_INFO ? GoStatus.RUNNABLE : ProcStatus.IDLE,
          event.args()[event.type().indexOf(event.args().length == 6 ? "gstatus" : "pstatus")]);
    }
  }

  @Test
  void aFileThatCannotBeWrittenIsSaidSoAtTheEnd(@TempDir Path directory) throws Exception {
    OutputStream full =
        new OutputStream() {
          private int left = 2000;

          @Override
          public void write(int b) throws IOException {
            write(new byte[1], 0, 1);
          }

          @Override
          public void write(byte[] b, int off, int len) throws IOException {
            left -= len;
            if (left < 0) {
              throw new IOException("No space left on device");
            }
          }
        };
    Path good = directory.resolve("trace.bin");
    try (var scheduler = scheduler("aFileThatCannotBeWrittenIsSaidSoAtTheEnd", OPTIONS)) {
      scheduler.start();
      Recording bad = scheduler.tracer.start(full);
      Recording beside = scheduler.tracer.start(good);
      Thread.sleep(60);
      var e = assertThrows(UncheckedIOException.class, bad::stop);
      assertTrue(e.toString().contains("No space left on device"), e.toString());
      beside.stop();
    }
    assertTrue(TraceChecker.check(Files.readAllBytes(good)).complete);
    assertThrows(
        UncheckedIOException.class,
        () -> {
          try (var scheduler = new SimulatedScheduler(OPTIONS, 1, 1, 1, 1)) {
            scheduler.tracer.start(directory.resolve("no/such/directory/trace.bin"));
          }
        });
  }
}
