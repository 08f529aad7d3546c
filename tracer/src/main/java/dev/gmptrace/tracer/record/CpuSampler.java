package dev.gmptrace.tracer.record;

import dev.gmptrace.tracer.wire.EventType;
import dev.gmptrace.tracer.wire.FileFormat;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;

/**
 * Asks the scheduler at a steady rate which goroutines are using a CPU, and keeps what it hears for
 * the writer. All of it happens on a thread of its own; the threads that are sampled do nothing but
 * show their stack, which the JVM makes them do at their next safepoint.
 */
final class CpuSampler implements Runnable {
  private static final int DEPTH = 128;

  private record Sample(long time, long g, int p, int m, TraceStack stack) {}

  private final Tracer tracer;
  private final long periodNanos;
  private final ConcurrentLinkedQueue<Sample> taken = new ConcurrentLinkedQueue<>();
  private final Thread thread;
  private volatile boolean stopped;

  private CpuSampler(Tracer tracer, int hz) {
    this.tracer = tracer;
    this.periodNanos = 1_000_000_000L / hz;
    this.thread = new Thread(this, "gmptrace-cpu-sampler");
    thread.setDaemon(true);
  }

  static CpuSampler start(Tracer tracer, int hz) {
    CpuSampler sampler = new CpuSampler(tracer, hz);
    sampler.thread.start();
    return sampler;
  }

  /** Takes no more samples; it is not waited for, since a safepoint may be far. */
  void stop() {
    stopped = true;
    LockSupport.unpark(thread);
  }

  @Override
  public void run() {
    TraceSubject.CpuSamples samples = tracer.subject.cpuSamples(periodNanos);
    long next = System.nanoTime() + periodNanos;
    while (!stopped) {
      long wait = next - System.nanoTime();
      if (wait > 0) {
        LockSupport.parkNanos(this, wait);
        continue;
      }
      samples.take(this::sample);
      // What was missed stays missed: samples in a row would all show the same.
      next = Math.max(next + periodNanos, System.nanoTime());
    }
  }

  private void sample(long g, int p, int m, StackTraceElement[] stack) {
    taken.add(new Sample(TraceClock.now(), g, p, m, tracer.stacks.of(stack, DEPTH)));
  }

  /** Writes the samples of a generation that has ended, before its tables. */
  void write(Generation gen, StreamEncoder out) {
    out.begin(gen, -1);
    for (Sample s = taken.peek(); s != null && s.time < gen.endTicks; s = taken.peek()) {
      taken.remove();
      TraceStack stack = s.stack;
      if (!stack.constant) {
        tracer.use(stack, gen.number);
      }
      // One that was taken at the end of a generation may come late for it.
      long time = Math.max(s.time, gen.startTicks);
      out.event(time, EventType.CPU_SAMPLE_INFO, s.g, s.p, s.m, stack.id);
    }
    out.end();
  }

  /** Of this stream. */
  static StreamEncoder encoder(StreamEncoder.Output output) {
    return new StreamEncoder(FileFormat.CPU_STREAM, 16 << 10, output);
  }
}
