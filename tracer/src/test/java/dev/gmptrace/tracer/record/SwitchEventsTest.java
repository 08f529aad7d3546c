package dev.gmptrace.tracer.record;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gmptrace.tracer.wire.EventType;
import dev.gmptrace.tracer.wire.GoStatus;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Changes of state that the simulated scheduler does not make, and samples. */
@Timeout(60)
class SwitchEventsTest {
  private static final TraceOptions OPTIONS =
      TraceOptions.DEFAULTS.withJvmEvents(false).withGeneration(Duration.ofMinutes(1));

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  private TraceChecker checked(Recording recording) {
    TraceTotals totals = recording.stop();
    assertEquals(0, totals.lostEvents());
    assertEquals(0, totals.resyncs());
    TraceChecker trace = TraceChecker.check(out.toByteArray());
    assertTrue(trace.complete, trace.ending);
    assertEquals(0, trace.resyncs);
    return trace;
  }

  private static Stream<List<Long>> told(TraceChecker trace, EventType type) {
    return trace.ordered.stream()
        .filter(e -> e.type() == type)
        .map(e -> Arrays.stream(e.args()).skip(1).boxed().toList());
  }

  private static SimulatedScheduler.SimG goroutine(long id) {
    return new SimulatedScheduler.SimG(id, EntrySite.named("coroutine"));
  }

  @Test
  void coroutinesSwitchToAndFroAndEnd() {
    ManualSubject subject = new ManualSubject(OPTIONS);
    Recording recording = subject.tracer.start(out);
    subject.enter();
    TraceBuffer b = subject.proc.trace;
    SimulatedScheduler.SimG main = subject.g;
    for (int i = 2; i < 2000; i++) {
      var other = goroutine(i);
      b.begin(subject.thread);
      b.goCreateBlocked(other, TraceStack.NONE);
      b.goSwitch(main, other);
      b.end();
      b.begin(subject.thread);
      b.goSwitch(other, main);
      b.goSwitch(main, other);
      b.goSwitchDestroy(other, main);
      b.end();
    }
    TraceChecker trace = checked(recording);
    assertEquals(1998, told(trace, EventType.GO_CREATE_BLOCKED).count());
    assertEquals(3 * 1998, told(trace, EventType.GO_SWITCH).count());
    assertEquals(1998, told(trace, EventType.GO_SWITCH_DESTROY).count());
    assertEquals(2, told(trace, EventType.GO_SWITCH).findFirst().orElseThrow().getFirst());
  }

  @Test
  void foreignThreadsBecomeGoroutinesAndCeaseToBe() {
    ManualSubject subject = new ManualSubject(OPTIONS);
    Recording recording = subject.tracer.start(out);
    subject.enter();
    TraceThread foreign = subject.tracer.newThread(9, "foreign");
    for (int i = 2; i < 2000; i++) {
      var g = goroutine(i);
      foreign.buffer().begin(foreign);
      foreign.buffer().goCreateSyscall(g);
      foreign.buffer().end();
      g.status = GoStatus.SYSCALL;
      foreign.buffer().begin(foreign);
      foreign.buffer().goDestroySyscall(g);
      foreign.buffer().end();
    }
    TraceChecker trace = checked(recording);
    assertEquals(
        Stream.iterate(2L, i -> i + 1).limit(1998).map(List::of).toList(),
        told(trace, EventType.GO_CREATE_SYSCALL).toList());
    assertEquals(1998, told(trace, EventType.GO_DESTROY_SYSCALL).count());
  }

  @Test
  void samplesComeBackAsTaken() throws Exception {
    CountDownLatch taken = new CountDownLatch(20);
    Random random = new Random(1);
    StackTraceElement[] here = new Throwable().getStackTrace();
    ManualSubject subject =
        new ManualSubject(OPTIONS.withCpuHz(1000)) {
          @Override
          public CpuSamples cpuSamples(long periodNanos) {
            assertEquals(1_000_000, periodNanos);
            return to -> {
              to.sample(1 + random.nextInt(1 << 20), 3, 70_000, here);
              taken.countDown();
            };
          }
        };
    Recording recording = subject.tracer.start(out);
    subject.enter();
    taken.await();
    TraceChecker trace = checked(recording);
    List<List<Long>> samples = told(trace, EventType.CPU_SAMPLE_INFO).toList();
    // The last may have been on its way when the recording stopped.
    assertTrue(samples.size() >= 19, samples.size() + " samples");
    TraceTexts texts = new TraceTexts(out.toByteArray());
    Random again = new Random(1);
    for (List<Long> sample : samples) {
      assertEquals(List.of(1L + again.nextInt(1 << 20), 3L, 70_000L), sample.subList(0, 3));
      assertEquals(
          SwitchEventsTest.class.getName() + ".samplesComeBackAsTaken", texts.top(sample.get(3)));
    }
  }
}
