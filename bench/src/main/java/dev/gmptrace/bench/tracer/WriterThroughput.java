package dev.gmptrace.bench.tracer;

import dev.gmptrace.tracer.record.Recording;
import dev.gmptrace.tracer.record.TraceOptions;
import dev.gmptrace.tracer.record.TraceTotals;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * How many events a second the writer thread takes to disk, when it is never short of them: a
 * thread writes dense sections, with a time of its own instead of the clock's, and events that find
 * no chunk are dropped. What arrived in the file, by the time it took, is the writer's pace.
 */
final class WriterThroughput {
  private static final long NANOS = 2_000_000_000L;
  private static final int BURST = 64;

  private WriterThroughput() {}

  static double measure(Path directory) throws IOException {
    Path file = Files.createTempFile(directory, "gmptrace-writer", ".bin");
    try {
      BenchSubject subject =
          new BenchSubject(TraceOptions.DEFAULTS.withJvmEvents(false).withPoolBuffers(1024), 1);
      BenchSubject.Pair pair = subject.pairs.getFirst();
      Recording recording = subject.tracer.start(file);
      pair.begin();
      long start = System.nanoTime();
      long now = start;
      while (System.nanoTime() - start < NANOS) {
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
      TraceTotals totals = recording.stop();
      return totals.events() / ((System.nanoTime() - start) / 1e9);
    } finally {
      Files.delete(file);
    }
  }
}
