package dev.gmptrace.tracer.record;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What a recorder sees of a scheduler. */
public interface TraceSubject {
  /**
   * Shows every live goroutine to the visitor. Called on the writer thread once per generation,
   * while everything runs; goroutines that come or go meanwhile may be shown or not.
   */
  void forEachG(Consumer<? super TracedG> visitor);

  /** Shows every P to the visitor, as {@link #forEachG} does. */
  void forEachP(Consumer<? super TracedP> visitor);

  /** The thread (M) that the caller runs on, or null if it is none of the scheduler's. */
  @Nullable TraceThread currentThread();

  /** The buffer that the caller may write into now: that of its P, or its M's own. */
  @Nullable TraceBuffer currentBuffer();

  /**
   * The goroutine that is calling, or null. It keeps its thread and its P until {@link #letGo}, so
   * that what it writes stands between events of its own.
   */
  @Nullable TracedG hold();

  /** Ends what {@link #hold} began, if that gave a goroutine. */
  default void letGo() {}

  /** Samples of what goroutines do with the CPUs. Used by one thread. */
  interface CpuSamples {
    /**
     * Shows each goroutine that runs on a P, if its thread has used a period of CPU time since it
     * was last shown.
     */
    void take(CpuSample to);
  }

  /** One sample; the stack begins with the function that runs. */
  interface CpuSample {
    void sample(long g, int p, int m, StackTraceElement[] stack);
  }

  /** Begins to take samples that stand for so much CPU time each. */
  default CpuSamples cpuSamples(long periodNanos) {
    return to -> {};
  }

  /**
   * What the JVM keeps in the throwable's private field {@code backtrace}, or null where that
   * cannot be seen. With it a stack costs a fraction, see {@link Stacks}; the recorder itself never
   * looks into the JDK.
   */
  default @Nullable Object backtrace(Throwable throwable) {
    return null;
  }
}
