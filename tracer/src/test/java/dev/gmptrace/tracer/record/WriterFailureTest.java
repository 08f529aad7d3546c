package dev.gmptrace.tracer.record;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whatever goes wrong behind a recording ends that recording, and nothing waits for it. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class WriterFailureTest {
  private static final TraceOptions OPTIONS = TraceOptions.DEFAULTS.withJvmEvents(false);

  /** A stream that breaks as no stream should. */
  private static final class Odd extends OutputStream {
    private final Runnable failure;

    Odd(Runnable failure) {
      this.failure = failure;
    }

    @Override
    public void write(int b) {
      failure.run();
    }
  }

  /** A scheduler whose goroutines cannot be listed when that is to fail. */
  private static final class Failing extends ManualSubject {
    private final CountDownLatch failed = new CountDownLatch(1);
    private volatile boolean fails;

    Failing(TraceOptions options) {
      super(options);
    }

    @Override
    public void forEachG(Consumer<? super TracedG> visitor) {
      if (fails) {
        failed.countDown();
        throw new OutOfMemoryError("as if");
      }
      super.forEachG(visitor);
    }
  }

  @Test
  void aStreamThatThrowsAnythingAtAllEndsItsOwnRecordingOnly() {
    ManualSubject subject = new ManualSubject(OPTIONS);
    ByteArrayOutputStream good = new ByteArrayOutputStream();
    Recording beside = subject.tracer.start(good);
    Recording unchecked =
        subject.tracer.start(
            new Odd(() -> {
              throw new IllegalStateException("closed by the user");
            }));
    Recording error =
        subject.tracer.start(
            new Odd(() -> {
              throw new OutOfMemoryError("as if");
            }));
    subject.enter();
    var e = assertThrows(UncheckedIOException.class, unchecked::stop);
    assertTrue(e.toString().contains("closed by the user"), e.toString());
    e = assertThrows(UncheckedIOException.class, error::stop);
    assertTrue(e.toString().contains("as if"), e.toString());
    beside.stop();
    assertTrue(TraceChecker.check(good.toByteArray()).complete);
  }

  @Test
  void aRecorderThatFailsInACallSaysSoAndTheNextRecordingIsWhole() {
    Failing subject = new Failing(OPTIONS.withGeneration(Duration.ofMinutes(1)));
    Recording recording = subject.tracer.start(OutputStream.nullOutputStream());
    FlightRecorder flight = subject.tracer.startFlight(1 << 20, Duration.ofMinutes(1));
    subject.enter();
    flight.snapshot(new ByteArrayOutputStream());
    subject.tracer.label("left behind");
    subject.fails = true;
    var e = assertThrows(UncheckedIOException.class, recording::stop);
    assertTrue(e.toString().contains("as if"), e.toString());
    assertFalse(subject.tracer.enabled());
    subject.fails = false;

    // What the ring had can be had, and what was in the buffers is in no later trace.
    assertTrue(flight.snapshot(new ByteArrayOutputStream()).generations() > 0);
    flight.stop();
    assertNextIsWhole(subject);
  }

  @Test
  void aRecorderThatFailsByItselfHoldsNobodyUp() throws Exception {
    Failing subject = new Failing(OPTIONS.withGeneration(Duration.ofMillis(5)));
    Recording recording = subject.tracer.start(OutputStream.nullOutputStream());
    subject.enter();
    subject.fails = true;
    subject.failed.await();
    assertThrows(UncheckedIOException.class, recording::stop);
    assertThrows(UncheckedIOException.class, recording::stop);
    subject.fails = false;
    assertNextIsWhole(subject);
    subject.tracer.close();
  }

  private static void assertNextIsWhole(ManualSubject subject) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Recording next = subject.tracer.start(out);
    subject.tracer.label("recorded");
    TraceTotals totals = next.stop();
    TraceChecker trace = TraceChecker.check(out.toByteArray());
    assertTrue(trace.complete, trace.ending);
    assertEquals(totals.events(), trace.events);
    TraceTexts texts = new TraceTexts(out.toByteArray());
    assertEquals(
        1, trace.ordered.stream().filter(x -> x.type().wireName().equals("GoLabel")).count());
    assertTrue(
        trace.ordered.stream()
            .filter(x -> x.type().wireName().equals("GoLabel"))
            .allMatch(x -> "recorded".equals(texts.string(x.args()[1]))));
  }
}
