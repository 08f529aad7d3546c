package dev.gmptrace.bench.tracer;

import dev.gmptrace.tracer.record.Recording;
import dev.gmptrace.tracer.record.TraceOptions;
import dev.gmptrace.tracer.record.TraceTotals;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Locale;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/**
 * {@code bench/tracer}: all figures of the recorder in one table, against their budgets. Its
 * argument, if any, is the directory for the file that the writer is measured with; {@code quick}
 * as a second argument makes it a matter of seconds, and the figures rough.
 */
public final class TracerFigures {
  private static final long ROUND_TRIPS = 10_000_000;

  private TracerFigures() {}

  public static void main(String[] args) throws RunnerException, IOException {
    Path directory = args.length > 0 ? Path.of(args[0]) : Path.of(".");
    boolean quick = args.length > 1 && args[1].equals("quick");
    OptionsBuilder options = new OptionsBuilder();
    options.include(TracePointBenchmark.class.getSimpleName()).addProfiler(GCProfiler.class);
    if (quick) {
      options.warmupIterations(2).measurementIterations(3);
    }
    Collection<RunResult> results = new Runner(options.build()).run();
    double bytesPerEvent = 0;
    double eventsPerSecond = 0;
    double lost = 0;
    Path file = Files.createTempFile(directory, "gmptrace-figures", ".bin");
    try {
      // The first round warms up.
      for (int round = 0; round < 2; round++) {
        BenchSubject subject =
            new BenchSubject(TraceOptions.DEFAULTS.withJvmEvents(false).withPoolBuffers(1024), 1);
        Recording recording = subject.tracer.start(file);
        BenchSubject.Pair pair = subject.pairs.getFirst();
        pair.begin();
        long start = System.nanoTime();
        long n = quick ? ROUND_TRIPS / 5 : ROUND_TRIPS;
        for (long i = 0; i < n; i++) {
          pair.roundTrip();
        }
        TraceTotals totals = recording.stop();
        double seconds = (System.nanoTime() - start) / 1e9;
        bytesPerEvent = (double) totals.bytes() / totals.events();
        eventsPerSecond = totals.events() / seconds;
        lost = totals.lostEvents();
      }
    } finally {
      Files.delete(file);
    }
    System.out.printf("%n%-46s %12s   %s%n", "the recorder", "figure", "budget");
    double baseline = score(results, "baseline");
    row("disabled trace point, ns", score(results, "disabled") - baseline, "< 1");
    row("System.nanoTime, ns", score(results, "clock"), "");
    row("one event with its clock read, ns", score(results, "eventWithClock"), "<= 40");
    row("one event without, ns", score(results, "eventWithoutClock"), "");
    row("one event more in a section, ns", score(results, "eventsSharingASection"), "");
    row("event of a ping-pong, ns", score(results, "pingPongEvent"), "<= 40");
    row("event of a yield, ns", score(results, "yieldEvent"), "<= 40");
    row("allocated per event, B", allocated(results), "0");
    row("event of a ping-pong in the file, B", bytesPerEvent, "<= 6");
    row("events lost in that", lost, "0");
    row("one P through the writer to disk, M events/s", eventsPerSecond / 1e6, "");
    row("the writer alone to disk, M events/s", WriterThroughput.measure(directory) / 1e6, ">= 20");
  }

  private static void row(String what, double figure, String budget) {
    System.out.printf(Locale.ROOT, "%-46s %12.2f   %s%n", what, figure, budget);
  }

  /** The best iteration: on a machine with other work, the others tell of that work. */
  private static double score(Collection<RunResult> results, String benchmark) {
    for (RunResult result : results) {
      if (result.getParams().getBenchmark().endsWith("." + benchmark)) {
        return result.getPrimaryResult().getStatistics().getMin();
      }
    }
    return Double.NaN;
  }

  /** The most that any of the benchmarks allocates for an event. */
  private static double allocated(Collection<RunResult> results) {
    double most = 0;
    for (RunResult result : results) {
      Result<?> norm = result.getSecondaryResults().get("gc.alloc.rate.norm");
      if (norm != null) {
        most = Math.max(most, norm.getScore());
      }
    }
    return most;
  }
}
