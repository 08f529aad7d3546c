package dev.gmptrace.tracer.record;

import dev.gmptrace.tracer.wire.GoStatus;
import dev.gmptrace.tracer.wire.ProcStatus;
import java.util.function.Consumer;

/** A scheduler of one goroutine, one P and one thread, moved by the test itself. */
class ManualSubject implements TraceSubject {
  final Tracer tracer;
  final TraceThread thread;
  final SimulatedScheduler.SimP proc;
  final SimulatedScheduler.SimG g;

  ManualSubject(TraceOptions options) {
    tracer = new Tracer(this, options);
    thread = tracer.newThread(0, "M0");
    proc = new SimulatedScheduler.SimP(tracer, 0);
    g = new SimulatedScheduler.SimG(1, EntrySite.named("main"));
    g.status = GoStatus.RUNNABLE;
  }

  /** The goroutine begins to run. */
  void enter() {
    proc.trace.begin(thread);
    proc.trace.procStart(proc);
    proc.trace.goStart(g);
    proc.status = ProcStatus.RUNNING;
    g.status = GoStatus.RUNNING;
    proc.onThread = 0;
    g.onThread = 0;
    proc.trace.end();
  }

  @Override
  public void forEachG(Consumer<? super TracedG> visitor) {
    visitor.accept(g);
  }

  @Override
  public void forEachP(Consumer<? super TracedP> visitor) {
    visitor.accept(proc);
  }

  @Override
  public TraceThread currentThread() {
    return thread;
  }

  @Override
  public TraceBuffer currentBuffer() {
    return proc.trace;
  }

  @Override
  public TracedG hold() {
    return g;
  }
}
