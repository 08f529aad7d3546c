package dev.gmptrace.bench.tracer;

import dev.gmptrace.bench.report.Results;
import dev.gmptrace.bench.report.Spread;
import dev.gmptrace.bench.report.Table;
import dev.gmptrace.bench.run.Child;
import dev.gmptrace.bench.run.Peers;
import dev.gmptrace.bench.tracer.WriterThroughput.Pace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * The recorder by itself, without a scheduler: what a trace point and a stack cost the thread that
 * passes it (JMH, in processes of their own), and how much the writer takes to disk.
 */
public final class RecorderSection {
  private static final int WRITER_ROUNDS = 5;
  private static final int WRITER_SECONDS = 300;

  private final boolean quick;
  private final Path directory;
  private final Results results;
  private final Table table = new Table(List.of("the recorder", "median", "spread", "unit"));

  /** Files for the writer go into {@code directory}; {@code quick} makes it less than a minute. */
  public RecorderSection(boolean quick, Path directory, Results results) {
    this.quick = quick;
    this.directory = directory;
    this.results = results;
  }

  /** The keys of what it measures. */
  public static List<String> keys() {
    return List.of(
        "tracer/event/off-ns",
        "tracer/clock/ns",
        "tracer/event/ns",
        "tracer/event/timed-ns",
        "tracer/event/more-ns",
        "tracer/event/pingpong-ns",
        "tracer/event/yield-ns",
        "tracer/event/alloc",
        "tracer/stack/ns",
        "tracer/stack/walker-ns",
        "tracer/writer/bytes-per-event",
        "tracer/writer/pingpong",
        "tracer/writer/pingpong/lost",
        "tracer/writer/pace");
  }

  /** Measures, prints and adds to the results. */
  public void run() throws IOException, InterruptedException {
    tracePoints();
    writer();
    results.save();
    System.out.println("\nThe recorder alone: median (least–most) of iterations\n");
    System.out.println(table);
  }

  private void tracePoints() {
    OptionsBuilder options = new OptionsBuilder();
    options
        .include("\\." + TracePointBenchmark.class.getSimpleName() + "\\.")
        .addProfiler(GCProfiler.class)
        // Else its processes would inherit the flags of this one, which measures nothing.
        .jvm(Peers.java())
        .jvmArgs(Peers.JVM_OPTIONS.toArray(String[]::new))
        .verbosity(VerboseMode.SILENT)
        .shouldFailOnError(true);
    if (quick) {
      options
          .warmupIterations(2)
          .warmupTime(TimeValue.milliseconds(400))
          .measurementIterations(5)
          .measurementTime(TimeValue.milliseconds(250));
    }
    Collection<RunResult> runs;
    try {
      runs = new Runner(options.build()).run();
    } catch (RunnerException e) {
      results.note("the recorder's trace points could not be measured: " + e.getMessage());
      return;
    }
    List<Double> off = iterations(runs, "disabled");
    List<Double> empty = iterations(runs, "baseline");
    List<Double> difference = new ArrayList<>();
    for (int i = 0; i < off.size(); i++) {
      difference.add(off.get(i) - empty.get(i));
    }
    add("a trace point when nothing is recorded", "tracer/event/off-ns", "ns", difference);
    add("System.nanoTime", "tracer/clock/ns", "ns", iterations(runs, "clock"));
    add(
        "an event with its clock read",
        "tracer/event/ns",
        "ns",
        iterations(runs, "eventWithClock"));
    add(
        "an event with a time that is known",
        "tracer/event/timed-ns",
        "ns",
        iterations(runs, "eventWithoutClock"));
    add(
        "an event more in a section",
        "tracer/event/more-ns",
        "ns",
        iterations(runs, "eventsSharingASection"));
    add(
        "an event of a ping-pong",
        "tracer/event/pingpong-ns",
        "ns",
        iterations(runs, "pingPongEvent"));
    add("an event of a yield", "tracer/event/yield-ns", "ns", iterations(runs, "yieldEvent"));
    add("bytes allocated for an event, at most", "tracer/event/alloc", "B", allocated(runs));
    add("a stack of 16 frames, known", "tracer/stack/ns", "ns", iterations(runs, "stack"));
    add(
        "the same where the JVM hides its backtraces",
        "tracer/stack/walker-ns",
        "ns",
        iterations(runs, "stackByWalker"));
  }

  private void writer() throws IOException, InterruptedException {
    Path file = Files.createTempFile(directory, "gmptrace-recorder", ".bin");
    List<String> command = new ArrayList<>(Peers.jvm(System.getProperty("java.class.path")));
    command.addAll(
        List.of(
            WriterThroughput.class.getName(),
            file.toString(),
            Integer.toString(WRITER_ROUNDS),
            quick ? "1000000" : "5000000",
            quick ? "400" : "2000"));
    Child.Outcome outcome;
    try {
      outcome = Child.run(command, directory, Map.of(), WRITER_SECONDS);
    } finally {
      Files.delete(file);
    }
    if (outcome.exitCode() != 0) {
      results.note("the writer could not be measured: " + outcome.reason());
      return;
    }
    List<Pace> through = Pace.parse(outcome.output(), WriterThroughput.PINGPONG);
    List<Pace> alone = Pace.parse(outcome.output(), WriterThroughput.FLOOD);
    add(
        "an event of a ping-pong in the file",
        "tracer/writer/bytes-per-event",
        "B",
        through.stream().map(Pace::bytesPerEvent).toList());
    add(
        "one P's ping-pong through the writer",
        "tracer/writer/pingpong",
        "M/s",
        through.stream().map(Pace::millionEventsPerSecond).toList());
    add(
        "events lost in that",
        "tracer/writer/pingpong/lost",
        "events",
        through.stream().map(p -> (double) p.lost()).toList());
    add(
        "the writer when it never waits",
        "tracer/writer/pace",
        "M/s",
        alone.stream().map(Pace::millionEventsPerSecond).toList());
  }

  private void add(String what, String key, String unit, List<Double> values) {
    if (values.isEmpty()) {
      results.note("no figure for " + key);
      return;
    }
    Spread s = Spread.of(values);
    results.add(key, unit, s);
    table.row(
        List.of(what, "%.2f".formatted(s.median()), "%.2f–%.2f".formatted(s.min(), s.max()), unit));
  }

  private static List<Double> iterations(Collection<RunResult> runs, String benchmark) {
    List<Double> values = new ArrayList<>();
    for (RunResult run : runs) {
      if (run.getParams().getBenchmark().endsWith("." + benchmark)) {
        for (BenchmarkResult fork : run.getBenchmarkResults()) {
          for (IterationResult iteration : fork.getIterationResults()) {
            values.add(iteration.getPrimaryResult().getScore());
          }
        }
      }
    }
    return values;
  }

  /**
   * The most that any of the benchmarks of events allocates. It counts the writer's tables too,
   * which are made once a second, so that a hundredth of a byte is none.
   */
  private static List<Double> allocated(Collection<RunResult> runs) {
    double most = 0;
    for (RunResult run : runs) {
      Result<?> norm = run.getSecondaryResults().get("gc.alloc.rate.norm");
      if (norm != null && !run.getParams().getBenchmark().contains(".stack")) {
        most = Math.max(most, norm.getScore());
      }
    }
    return List.of(Math.rint(most * 10) / 10);
  }
}
