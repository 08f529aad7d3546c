package dev.gmptrace.tracer.record;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gmptrace.tracer.wire.EventType;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Sections that are left by an exception, which on a user's stack may be anywhere. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BrokenSectionsTest {
  private static final TraceOptions OPTIONS =
      TraceOptions.DEFAULTS.withJvmEvents(false).withGeneration(Duration.ofMillis(20));

  private final ManualSubject subject = new ManualSubject(OPTIONS);
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final Recording recording = subject.tracer.start(out);

  BrokenSectionsTest() {
    subject.enter();
  }

  private TraceChecker stop() {
    TraceTotals totals = recording.stop();
    TraceChecker trace = TraceChecker.check(out.toByteArray());
    assertTrue(trace.complete, trace.ending);
    assertEquals(totals.events(), trace.events);
    assertEquals(totals.lostEvents(), trace.lostTold());
    return trace;
  }

  @Test
  void anAnnotationThatThrowsIsLostAndTheNextIsThere() {
    assertThrows(
        StackOverflowError.class,
        () ->
            subject.tracer.annotate((b, g) -> {
              throw new StackOverflowError();
            }));
    subject.tracer.label("after");
    TraceChecker trace = stop();
    assertEquals(1, trace.counts.get(EventType.GO_LABEL));
    assertEquals(1, trace.lostTold());
  }

  @Test
  void anAnnotationThatThrowsHoldsNobodyUp() {
    assertThrows(
        StackOverflowError.class,
        () ->
            subject.tracer.annotate((b, g) -> {
              b.globalGet(1);
              throw new StackOverflowError();
            }));
    assertEquals(1, stop().counts.get(EventType.GLOBAL_GET));
  }

  @Test
  void aSectionThatNobodyClosedIsLostAndTheNextIsThere() {
    leave();
    assertTrue(subject.proc.trace.begin(subject.thread));
    subject.proc.trace.globalGet(2);
    subject.proc.trace.end();
    assertEquals(0, subject.tracer.nestedSections());
    TraceChecker trace = stop();
    assertEquals(2, trace.counts.get(EventType.GLOBAL_GET));
    assertEquals(1, trace.lostTold());
  }

  private void leave() {
    assertTrue(subject.proc.trace.begin(subject.thread));
    subject.proc.trace.globalGet(1);
  }

  @Test
  void aSectionInsideOfAnotherIsRefused() {
    assertTrue(
        subject.tracer.annotate((b, g) -> {
          List.of(1).forEach(x -> subject.tracer.label("inside"));
          b.globalGet(1);
        }));
    assertEquals(1, subject.tracer.nestedSections());
    TraceChecker trace = stop();
    assertEquals(1, trace.counts.get(EventType.GLOBAL_GET));
    assertFalse(trace.counts.containsKey(EventType.GO_LABEL));
    assertEquals(0, trace.lostTold());
  }

  @Test
  void recursionThroughTheTracerUntilTheStackIsFull() throws Exception {
    int[] overflows = {0};
    Thread deep =
        new Thread(
            null,
            () -> {
              // Of frames of many sizes, so that the overflow is in many places.
              for (int i = 0; i < 300; i++) {
                try {
                  recurse(i, i % 7 == 0 ? "k" : "k" + i);
                } catch (StackOverflowError e) {
                  overflows[0]++;
                }
              }
            },
            "deep",
            256 << 10);
    deep.start();
    deep.join();
    assertEquals(300, overflows[0]);
    subject.tracer.label("after");
    assertEquals(1, stop().counts.get(EventType.GO_LABEL));
  }

  private int recurse(int i, String key) {
    return switch (i % 3) {
      case 0 -> deeper(i, key) + 1;
      case 1 -> deeper(i, key, 1, 2, 3) + 1;
      default -> deeper(i, key, 1, 2, 3) + deeper(i, key);
    };
  }

  private int deeper(int i, String key, long... more) {
    subject.tracer.log(key, "v");
    return recurse(i, key) + more.length;
  }

  @Test
  void whoeverIsStillInASectionThatWasGivenUpHarmsNobody() {
    TraceBuffer buffer = subject.proc.trace;
    assertTrue(buffer.begin(subject.thread));
    buffer.globalGet(1);
    int gen = buffer.gen;
    long seen = buffer.sectionVolatile();
    assertTrue(buffer.inSection(seen));
    Slot before = buffer.slotOf(gen);
    assertTrue(buffer.giveUp(seen, gen) > before.events);
    assertFalse(buffer.inSection(seen));
    // Through more than one chunk.
    for (int i = 0; i < 100_000; i++) {
      buffer.globalGet(i);
    }
    assertEquals(null, buffer.slotOf(gen).chunk);
    buffer.end();
    assertTrue(buffer.begin(subject.thread));
    buffer.netpollReady(1);
    buffer.end();
    recording.stop();
    assertEquals(1, TraceChecker.read(out.toByteArray()).counts.get(EventType.NETPOLL_READY));
  }
}
