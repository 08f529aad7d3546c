package dev.gmptrace.tracer.record;

/** What the writer knows about a generation that is not closed yet. */
final class Generation {
  final int number;
  final long startTicks;
  long endTicks;

  /** Ps when it began; were they just changing, the larger number of before and after. */
  int procs;

  int batches;
  long events;
  long lost;
  long resyncs;
  int recorderSegments;
  int jvmSegments;
  int cpuSegments;

  /** Constants that its first tables hold; those made later follow at its end. */
  int strings;

  int entrySites;

  /** Flushes of the JVM's event stream that there had been when it ended. */
  int jvmFlushes;

  Generation(int number, long startTicks) {
    this.number = number;
    this.startTicks = startTicks;
  }
}
