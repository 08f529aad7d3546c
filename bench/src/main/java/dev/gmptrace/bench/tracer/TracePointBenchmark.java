package dev.gmptrace.bench.tracer;

import dev.gmptrace.tracer.record.Recording;
import dev.gmptrace.tracer.record.StackOn;
import dev.gmptrace.tracer.record.TraceOptions;
import dev.gmptrace.tracer.record.TraceStack;
import dev.gmptrace.tracer.record.Tracer;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** What a trace point costs the thread that passes it. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
@State(Scope.Thread)
public class TracePointBenchmark {
  private static final int BURST = 8;
  private static final int CALLS = 16;
  private static final TraceOptions WITH_STACKS =
      TraceOptions.DEFAULTS.withJvmEvents(false).withStackDepth(16);

  /** A recorder that throws everything away. */
  @State(Scope.Thread)
  public static class On {
    final BenchSubject subject = new BenchSubject(TraceOptions.DEFAULTS.withJvmEvents(false), 1);
    final BenchSubject.Pair pair = subject.pairs.getFirst();
    private @Nullable Recording recording;
    long now;

    @Setup
    public void start() {
      recording = subject.tracer.start(OutputStream.nullOutputStream());
      pair.begin();
      now = System.nanoTime();
    }

    @TearDown
    public void stop() {
      if (recording != null) {
        recording.stop();
      }
    }
  }

  /** Nobody records. */
  @State(Scope.Thread)
  public static class Off {
    final BenchSubject subject = new BenchSubject(TraceOptions.DEFAULTS, 1);
    final BenchSubject.Pair pair = subject.pairs.getFirst();
  }

  /** Every event gets a stack. */
  @State(Scope.Thread)
  public static class Stacks {
    final BenchSubject subject = new BenchSubject(WITH_STACKS, 1);
    final BenchSubject walked =
        new BenchSubject(WITH_STACKS, 1) {
          @Override
          public @Nullable Object backtrace(Throwable throwable) {
            return null;
          }
        };
    private final List<Recording> recordings = new ArrayList<>();

    @Setup
    public void start() {
      recordings.add(subject.tracer.start(OutputStream.nullOutputStream()));
      recordings.add(walked.tracer.start(OutputStream.nullOutputStream()));
    }

    @TearDown
    public void stop() {
      recordings.forEach(Recording::stop);
    }
  }

  /** Nothing at all, to be taken off from {@link #disabled}. */
  @Benchmark
  public void baseline() {}

  /** The branch that a trace point is while nobody records. */
  @Benchmark
  public void disabled(Off off) {
    if (off.subject.tracer.enabled()) {
      off.pair.roundTrip();
    }
  }

  /** The clock alone. */
  @Benchmark
  public long clock() {
    return System.nanoTime();
  }

  /** A section with one event and its reading of the clock. */
  @Benchmark
  public void eventWithClock(On on) {
    if (on.subject.tracer.enabled() && on.pair.trace.begin(on.pair.thread)) {
      on.pair.trace.globalGet(1);
      on.pair.trace.end();
    }
  }

  /** A section with one event, with a time that the caller had. */
  @Benchmark
  public void eventWithoutClock(On on) {
    on.now += 200;
    if (on.subject.tracer.enabled() && on.pair.trace.begin(on.pair.thread, on.now)) {
      on.pair.trace.globalGet(1);
      on.pair.trace.end();
    }
  }

  /** An event more in a section that is open. */
  @Benchmark
  @OperationsPerInvocation(BURST)
  public void eventsSharingASection(On on) {
    on.now += 200;
    if (on.pair.trace.begin(on.pair.thread, on.now)) {
      for (int i = 0; i < BURST; i++) {
        on.pair.trace.globalGet(1);
      }
      on.pair.trace.end();
    }
  }

  /** An event of a ping-pong between two goroutines: six events, four clock reads. */
  @Benchmark
  @OperationsPerInvocation(6)
  public void pingPongEvent(On on) {
    on.pair.roundTrip();
  }

  /** A stack that the table has, below a few calls. */
  @Benchmark
  public TraceStack stack(Stacks stacks) {
    return deeper(stacks.subject.tracer, CALLS);
  }

  /** The same where the JVM's backtraces cannot be seen. */
  @Benchmark
  public TraceStack stackByWalker(Stacks stacks) {
    return deeper(stacks.walked.tracer, CALLS);
  }

  private static TraceStack deeper(Tracer tracer, int calls) {
    return calls == 0 ? tracer.stack(StackOn.BLOCK) : deeper(tracer, calls - 1);
  }

  /** A goroutine that yields to itself: three events in two sections. */
  @Benchmark
  @OperationsPerInvocation(3)
  public void yieldEvent(On on) {
    var g = on.pair.ping;
    if (on.pair.trace.begin(on.pair.thread)) {
      on.pair.trace.goStop(g, BenchSubject.CHAN_RECEIVE, TraceStack.NONE);
      on.pair.trace.end();
    }
    if (on.pair.trace.begin(on.pair.thread)) {
      on.pair.trace.globalPut(1);
      on.pair.trace.goStart(g);
      on.pair.trace.end();
    }
  }
}
