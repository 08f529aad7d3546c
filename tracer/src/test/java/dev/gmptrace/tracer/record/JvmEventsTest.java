package dev.gmptrace.tracer.record;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gmptrace.tracer.wire.EventType;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Garbage collections of this very JVM. */
@Timeout(120)
class JvmEventsTest {
  /**
   * The last collection of a recording must end in it, whatever fraction of a millisecond it is.
   */
  @Test
  void theEndOfACollectionIsNeverTooLate() {
    for (long end = 7_000_000; end < 9_000_000; end += 999) {
      for (long now = end; now < end + 3_000_000; now += 9_973) {
        long nanoTime = now - 123_456_789; // a clock with another zero
        long found = GcNotifications.endOf(end / 1_000_000, nanoTime, now) + 123_456_789;
        assertTrue(found <= end && found > end - 1_000_000, found + " for " + end);
      }
    }
  }

  @Test
  void stoppingHearsTheLastCollectionAndNoneAfterIt() {
    List<GcSource.Moment> first = Collections.synchronizedList(new ArrayList<>());
    List<GcSource.Moment> second = Collections.synchronizedList(new ArrayList<>());
    GcNotifications stopped = new GcNotifications(first::addAll);
    GcNotifications still = new GcNotifications(second::addAll);
    stopped.open();
    still.open();
    System.gc();
    stopped.stop();
    int heard = first.size();
    assertTrue(first.stream().anyMatch(m -> m.type() == EventType.GC_END), first.toString());
    System.gc();
    still.stop();
    assertTrue(second.size() > heard, second.toString());
    assertEquals(heard, first.size());
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void collectionsAndPausesAreInTheTraceWithTheirTimes(boolean exact) throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ManualSubject subject =
        new ManualSubject(
            TraceOptions.DEFAULTS.withExactJvmEvents(exact).withGeneration(Duration.ofMillis(300)));
    Recording recording = subject.tracer.start(out);
    long[] before = new long[15];
    long[] after = new long[15];
    for (int i = 0; i < before.length; i++) {
      Thread.sleep(100);
      before[i] = TraceClock.now();
      System.gc();
      after[i] = TraceClock.now();
    }
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
    TraceTexts texts = new TraceTexts(out.toByteArray());
    Set<String> causes = new HashSet<>();
    Set<String> pauses = new HashSet<>();
    for (TraceChecker.Event e : trace.ordered) {
      if (e.type() == EventType.GC_INFO) {
        causes.add(texts.string(e.args()[2]) + ": " + texts.string(e.args()[3]));
      } else if (e.type() == EventType.STW_BEGIN) {
        pauses.add(String.valueOf(texts.string(e.args()[1])));
      }
    }
    assertTrue(causes.stream().anyMatch(c -> c.endsWith(": System.gc()")), causes.toString());
    assertTrue(exact || causes.containsAll(pauses), () -> pauses + " of " + causes);
    // A collection that was asked for ends while the one who asked waits. Stamps are in whole
    // milliseconds, and the wall clock lies between the JVM's and ours.
    long slack = 3_000_000L >> 3;
    Set<Long> asked = new HashSet<>();
    for (TraceChecker.Event e : trace.ordered) {
      if (e.type() == EventType.GC_INFO && "System.gc()".equals(texts.string(e.args()[3]))) {
        asked.add(e.args()[1]);
      }
    }
    assertTrue(!asked.isEmpty(), causes.toString());
    for (TraceChecker.Event e : trace.ordered) {
      if (e.type() == EventType.GC_END && asked.contains(e.args()[1])) {
        long end = e.time();
        assertTrue(
            IntStream.range(0, before.length)
                .anyMatch(i -> end >= before[i] - slack && end <= after[i] + slack),
            () -> TraceChecker.describe(e) + " is outside of every call");
      }
    }
  }
}
