package dev.gmptrace.analyzer.index;

/** Is told how far the opening of a trace has come. */
@FunctionalInterface
public interface Progress {
  /** Tells nobody. */
  Progress NONE = (phase, done, total, events, traceNs) -> {};

  /** What is being done. */
  enum Phase {
    /** The file is read and put in order; done and total are bytes. */
    READING,
    /** Summaries are built. */
    INDEXING,
    /** Everything can be asked. */
    READY
  }

  /**
   * Called from the thread that opens the trace, often enough for a progress bar and rarely enough
   * to cost nothing.
   *
   * @param events events read so far
   * @param traceNs how far into the trace the latest event is
   */
  void update(Phase phase, long done, long total, long events, long traceNs);
}
