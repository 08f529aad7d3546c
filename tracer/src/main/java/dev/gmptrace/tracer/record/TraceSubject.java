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

  /** The goroutine that is calling, or null. */
  @Nullable TracedG currentG();
}
