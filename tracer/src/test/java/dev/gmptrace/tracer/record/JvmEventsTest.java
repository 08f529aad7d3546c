package dev.gmptrace.tracer.record;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gmptrace.tracer.wire.EventType;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Garbage collections of this very JVM. */
@Timeout(120)
class JvmEventsTest {
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void collectionsAndPausesAreInTheTraceWithTheirTimes(boolean exact) throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ManualSubject subject =
        new ManualSubject(
            TraceOptions.DEFAULTS.withExactJvmEvents(exact).withGeneration(Duration.ofMillis(300)));
    long from = TraceClock.now();
    Recording recording = subject.tracer.start(out);
    for (int i = 0; i < 15; i++) {
      Thread.sleep(100);
      System.gc();
    }
    long lastGc = TraceClock.now();
    recording.stop();
    TraceChecker trace = TraceChecker.check(out.toByteArray());
    assertTrue(trace.complete, trace.ending);
    int begins = trace.counts.getOrDefault(EventType.GC_BEGIN, 0);
    assertTrue(begins >= 3, trace.counts.toString());
    // One that was told too late for its generation is active in the next.
    Set<Long> begun = new HashSet<>();
    Set<Long> ended = new HashSet<>();
    for (TraceChecker.Event e : trace.ordered) {
      switch (e.type()) {
        case GC_BEGIN, GC_ACTIVE -> begun.add(e.args()[1]);
        case GC_END -> ended.add(e.args()[1]);
        default -> {}
      }
    }
    assertEquals(begun, ended);
    assertEquals(
        trace.counts.getOrDefault(EventType.STW_BEGIN, 0),
        trace.counts.getOrDefault(EventType.STW_END, 0));
    assertTrue(trace.counts.getOrDefault(EventType.HEAP_ALLOC, 0) > 0);
    // The wall clock lies between the JVM's stamps and ours: allow it some slack.
    long slack = 50_000_000L >> 3;
    for (TraceChecker.Event e : trace.ordered) {
      if (e.type() == EventType.GC_BEGIN || e.type() == EventType.GC_END) {
        assertTrue(
            e.time() >= from - slack && e.time() <= lastGc + slack, TraceChecker.describe(e));
      }
    }
  }
}
