package dev.gmptrace.tracer.record;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gmptrace.tracer.wire.EventCursor;
import dev.gmptrace.tracer.wire.EventType;
import dev.gmptrace.tracer.wire.FileFormat;
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

  /**
   * A collection at the end of a recording, of which the JVM's clock says that it ended after it.
   */
  @Test
  void whatBeginsInTheLastGenerationEndsInIt() {
    for (boolean last : new boolean[] {false, true}) {
      List<GcSource.Listener> listeners = new ArrayList<>();
      JvmEvents events =
          new JvmEvents(listener -> {
            listeners.add(listener);
            return new GcNotifications(listener);
          });
      long millisecond = FileFormat.TICKS_PER_SECOND / 1000;
      Generation gen = new Generation(1, 0);
      gen.endTicks = 100 * millisecond;
      long begin = gen.endTicks - millisecond;
      long end = gen.endTicks + millisecond;
      listeners
          .getFirst()
          .told(
              List.of(
                  new GcSource.Moment(begin, EventType.GC_BEGIN, 1, "a name", "a cause"),
                  new GcSource.Moment(end, EventType.GC_END, 1, "", ""),
                  new GcSource.Moment(end, EventType.HEAP_ALLOC, 5, "", ""),
                  new GcSource.Moment(end, EventType.GC_BEGIN, 2, "a name", "a cause"),
                  new GcSource.Moment(end + 1, EventType.GC_END, 2, "", "")));
      List<EventType> first = written(events, gen, last);
      Generation second = new Generation(2, gen.endTicks);
      second.endTicks = 2 * gen.endTicks;
      List<EventType> next = written(events, second, last);
      if (last) {
        assertEquals(List.of(EventType.GC_BEGIN, EventType.GC_INFO, EventType.GC_END), first);
        assertEquals(List.of(), next);
      } else {
        assertEquals(List.of(EventType.GC_BEGIN, EventType.GC_INFO), first);
        assertEquals(
            List.of(
                EventType.GC_ACTIVE,
                EventType.GC_END,
                EventType.HEAP_ALLOC,
                EventType.GC_BEGIN,
                EventType.GC_INFO,
                EventType.GC_END),
            next);
      }
    }
  }

  private static List<EventType> written(JvmEvents events, Generation gen, boolean last) {
    List<EventType> types = new ArrayList<>();
    StreamEncoder out =
        new StreamEncoder(
            FileFormat.JVM_STREAM,
            16 << 10,
            (g, chunk) -> {
              EventCursor event =
                  new EventCursor(chunk.bytes, Chunk.START, chunk.end - Chunk.START);
              while (event.next()) {
                assertTrue(event.time() <= g.endTicks, event.type() + " at " + event.time());
                if (event.type() != EventType.SEGMENT) {
                  types.add(event.type());
                }
              }
            });
    Tracer tracer = new ManualSubject(TraceOptions.DEFAULTS).tracer;
    events.write(gen, last, out, new TableWriter(tracer), packet -> {});
    return types;
  }

  /** A dump while recording goes on must hear of the collections in it all the same. */
  @Test
  void aSnapshotHasTheCollectionThatWasJustOver() {
    ManualSubject subject =
        new ManualSubject(TraceOptions.DEFAULTS.withGeneration(Duration.ofMinutes(1)));
    try (FlightRecorder flight = subject.tracer.startFlight(1 << 20, Duration.ofMinutes(1))) {
      subject.enter();
      // Listening begins on a thread of its own.
      TraceChecker first = collected(flight);
      while (begins(first) == 0) {
        first = collected(flight);
      }
      TraceChecker second = collected(flight);
      assertTrue(begins(second) > begins(first), second.counts.toString());
    }
  }

  private static int begins(TraceChecker trace) {
    return trace.counts.getOrDefault(EventType.GC_BEGIN, 0);
  }

  private static TraceChecker collected(FlightRecorder flight) {
    System.gc();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    flight.snapshot(out);
    return TraceChecker.check(out.toByteArray());
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
    // Listening begins on a thread of its own, which on a busy machine takes a while.
    FlightRecorder flight = subject.tracer.startFlight(1 << 20, Duration.ofMinutes(1));
    while (begins(collected(flight)) == 0) {
      Thread.sleep(10);
    }
    Recording recording = subject.tracer.start(out);
    flight.stop();
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
