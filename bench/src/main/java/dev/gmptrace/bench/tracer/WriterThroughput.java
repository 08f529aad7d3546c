package dev.gmptrace.bench.tracer;

import dev.gmptrace.tracer.record.Recording;
import dev.gmptrace.tracer.record.TraceOptions;
import dev.gmptrace.tracer.record.TraceTotals;
import java.nio.file.Path;

/** How many events a second go through the writer thread into a file. */
final class WriterThroughput {
  private static final int BURST = 64;

  /** What a recording came to. */
  record Pace(double millionEventsPerSecond, double bytesPerEvent, long lost) {
    static Pace of(TraceTotals totals, long nanos) {
      return new Pace(
          totals.events() * 1e3 / nanos,
          (double) totals.bytes() / totals.events(),
          totals.lostEvents());
    }
  }

  private WriterThroughput() {}

  private static BenchSubject subject() {
    return new BenchSubject(TraceOptions.DEFAULTS.withJvmEvents(false).withPoolBuffers(1024), 1);
  }

  /** One thread records a ping-pong as fast as it can, up to the last byte in the file. */
  static Pace pingPong(Path file, long roundTrips) {
    BenchSubject subject = subject();
    BenchSubject.Pair pair = subject.pairs.getFirst();
    Recording recording = subject.tracer.start(file);
    pair.begin();
    long start = System.nanoTime();
    for (long i = 0; i < roundTrips; i++) {
      pair.roundTrip();
    }
    return Pace.of(recording.stop(), System.nanoTime() - start);
  }

  /**
   * The writer's own pace: it is never short of events, because a thread writes dense sections with
   * a time of its own instead of the clock's, and what finds no chunk is dropped. What arrived in
   * the file, by the time it took, is the pace.
   */
  static Pace flood(Path file, long millis) {
    BenchSubject subject = subject();
    BenchSubject.Pair pair = subject.pairs.getFirst();
    Recording recording = subject.tracer.start(file);
    pair.begin();
    long start = System.nanoTime();
    long now = start;
    while (System.nanoTime() - start < millis * 1_000_000) {
      for (int section = 0; section < 100; section++) {
        now += 100;
        if (pair.trace.begin(pair.thread, now)) {
          for (int i = 0; i < BURST; i++) {
            pair.trace.workSteal(1, 100, 0);
          }
          pair.trace.end();
        }
      }
    }
    return Pace.of(recording.stop(), System.nanoTime() - start);
  }
}
