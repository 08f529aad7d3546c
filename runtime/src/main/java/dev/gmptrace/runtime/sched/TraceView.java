package dev.gmptrace.runtime.sched;

import dev.gmptrace.runtime.jdk.Jdk;
import dev.gmptrace.tracer.record.TraceBuffer;
import dev.gmptrace.tracer.record.TraceSubject;
import dev.gmptrace.tracer.record.TraceThread;
import dev.gmptrace.tracer.record.TracedG;
import dev.gmptrace.tracer.record.TracedP;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A scheduler as its tracer sees it. */
record TraceView(Sched sched) implements TraceSubject {
  @Override
  public void forEachG(Consumer<? super TracedG> visitor) {
    sched.allgs.forEach(gp -> {
      int status = gp.status();
      if (status != G.DEAD && status != G.IDLE) {
        visitor.accept(gp);
      }
    });
  }

  @Override
  public void forEachP(Consumer<? super TracedP> visitor) {
    for (P pp : sched.allp) {
      visitor.accept(pp);
    }
  }

  @Override
  public @Nullable TraceThread currentThread() {
    M m = M.current();
    return m == null || m.sched != sched ? null : m.trace;
  }

  @Override
  public @Nullable TraceBuffer currentBuffer() {
    M m = M.current();
    if (m == null || m.sched != sched) {
      return null;
    }
    P pp = m.p;
    return pp != null ? pp.trace : m.trace.buffer();
  }

  /**
   * In a runtime section, with a P. Without one, because sysmon took it while the thread slept, an
   * annotation would stand in the middle of what the trace knows as a system call; and were the P
   * taken while it is written, two threads would write into one buffer.
   */
  @Override
  public @Nullable TracedG hold() {
    for (; ; ) {
      G gp = Proc.enter();
      M m = M.current();
      if (m == null || gp == null || gp.sched() != sched) {
        return null;
      }
      m.acquire();
      if (Syscalls.ensureP(m) != null) {
        return gp;
      }
      m.release();
      Proc.gosched();
    }
  }

  @Override
  public void letGo() {
    M m = M.current();
    if (m != null) {
      m.release();
    }
  }

  @Override
  public CpuSamples cpuSamples(long periodNanos) {
    return new CpuTime(sched, periodNanos);
  }

  @Override
  public @Nullable Object backtrace(Throwable throwable) {
    return Jdk.backtrace(throwable);
  }
}
