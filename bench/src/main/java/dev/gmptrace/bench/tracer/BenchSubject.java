package dev.gmptrace.bench.tracer;

import dev.gmptrace.runtime.jdk.Jdk;
import dev.gmptrace.tracer.record.EntrySite;
import dev.gmptrace.tracer.record.TraceBuffer;
import dev.gmptrace.tracer.record.TraceOptions;
import dev.gmptrace.tracer.record.TraceStack;
import dev.gmptrace.tracer.record.TraceString;
import dev.gmptrace.tracer.record.TraceSubject;
import dev.gmptrace.tracer.record.TraceThread;
import dev.gmptrace.tracer.record.TracedG;
import dev.gmptrace.tracer.record.TracedP;
import dev.gmptrace.tracer.record.Tracer;
import dev.gmptrace.tracer.wire.GoStatus;
import dev.gmptrace.tracer.wire.ProcStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** As much of a scheduler as a recorder needs: Ps with a pair of goroutines each. */
class BenchSubject implements TraceSubject {
  static final TraceString CHAN_RECEIVE = TraceString.constant("chan receive");

  /** A goroutine that is whatever the trace says. */
  static final class BenchG extends TracedG {
    BenchG(long id) {
      initTrace(id, EntrySite.named("bench"));
    }

    @Override
    protected int traceStatus() {
      return GoStatus.RUNNABLE;
    }

    @Override
    protected int traceThread() {
      return -1;
    }

    @Override
    protected TraceString traceWaitReason() {
      return TraceString.NONE;
    }
  }

  /** A P, its thread, and two goroutines that hand a value back and forth. */
  static final class Pair extends TracedP {
    final TraceBuffer trace;
    final TraceThread thread;
    final BenchG ping;
    final BenchG pong;

    Pair(Tracer tracer, int id) {
      super(id);
      trace = tracer.bufferFor(this);
      thread = tracer.newThread(id, "M" + id);
      ping = new BenchG(2L * id + 1);
      pong = new BenchG(2L * id + 2);
    }

    @Override
    protected int traceStatus() {
      return ProcStatus.IDLE;
    }

    @Override
    protected int traceThread() {
      return -1;
    }

    /** Takes the P, and lets pong wait. */
    void begin() {
      trace.begin(thread);
      trace.procStart(this);
      trace.goStart(pong);
      trace.goBlock(pong, CHAN_RECEIVE, TraceStack.NONE);
      trace.goStart(ping);
      trace.end();
    }

    /** Ping hands over to pong and waits, and back: six events, four sections. */
    void roundTrip() {
      hand(ping, pong);
      hand(pong, ping);
    }

    private void hand(BenchG from, BenchG to) {
      if (trace.begin(thread)) {
        trace.goUnblock(to, TraceStack.NONE);
        trace.end();
      }
      if (trace.begin(thread)) {
        trace.goBlock(from, CHAN_RECEIVE, TraceStack.NONE);
        trace.goStart(to);
        trace.end();
      }
    }
  }

  final Tracer tracer;
  final List<Pair> pairs = new ArrayList<>();

  BenchSubject(TraceOptions options, int procs) {
    tracer = new Tracer(this, options);
    for (int i = 0; i < procs; i++) {
      pairs.add(new Pair(tracer, i));
    }
  }

  @Override
  public void forEachG(Consumer<? super TracedG> visitor) {
    for (Pair pair : pairs) {
      visitor.accept(pair.ping);
      visitor.accept(pair.pong);
    }
  }

  @Override
  public void forEachP(Consumer<? super TracedP> visitor) {
    pairs.forEach(visitor);
  }

  @Override
  public TraceThread currentThread() {
    return pairs.getFirst().thread;
  }

  @Override
  public TraceBuffer currentBuffer() {
    return pairs.getFirst().trace;
  }

  @Override
  public @Nullable Object backtrace(Throwable throwable) {
    return Jdk.backtrace(throwable);
  }

  @Override
  public TracedG hold() {
    return pairs.getFirst().ping;
  }
}
