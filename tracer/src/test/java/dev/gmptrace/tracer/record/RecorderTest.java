package dev.gmptrace.tracer.record;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gmptrace.tracer.Seed;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What recorders write about a simulated scheduler is legal, whole and complete. */
@Timeout(120)
class RecorderTest {
  private static final TraceOptions OPTIONS =
      TraceOptions.DEFAULTS.withJvmEvents(false).withGeneration(Duration.ofMillis(20));

  @Test
  void everyGenerationIsLegalAndSelfContained() throws Exception {
    long seed = Seed.random("everyGenerationIsLegalAndSelfContained").nextLong();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    TraceTotals totals;
    try (var scheduler = new SimulatedScheduler(OPTIONS, 3, 5, 200, seed)) {
      scheduler.start();
      Recording recording = scheduler.tracer.start(out);
      Thread.sleep(500);
      totals = recording.stop();
    }
    TraceChecker trace = TraceChecker.check(out.toByteArray());
    assertTrue(trace.complete, trace.ending);
    assertEquals(totals.events(), trace.events);
    assertEquals(totals.generations(), trace.closedGenerations);
    assertEquals(0, totals.lostEvents());
    assertTrue(totals.generations() > 5, totals.toString());
    System.out.println(totals + " resyncs " + trace.resyncs + " " + trace.counts);
  }
}
