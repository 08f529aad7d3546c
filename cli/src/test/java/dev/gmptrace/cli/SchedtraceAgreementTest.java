package dev.gmptrace.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gmptrace.analyzer.index.Progress;
import dev.gmptrace.analyzer.index.Trace;
import dev.gmptrace.analyzer.stats.SchedTimeline;
import dev.gmptrace.cli.RecordedSchedule.Range;
import dev.gmptrace.cli.RecordedSchedule.Sample;
import dev.gmptrace.tracer.schedtrace.SchedSnapshot;
import dev.gmptrace.tracer.schedtrace.SchedTraceParser;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The lines a program prints while it runs, and the same run's recording at the same moments.
 *
 * <p><b>What must be equal.</b> sysmon counts once for a line and for the recording, so each line
 * has its counts in the trace, in the order of the lines. That is the line's moment, and there the
 * number of Ps, the queue lengths, ticks and threads of the line and of {@link SchedTimeline} are
 * the same. Nothing is allowed for: it is one count.
 *
 * <p><b>What must be true.</b> A count could be wrong in both places, so it is held against what
 * the scheduler's events say by themselves: goroutines in all queues against those that are
 * runnable, idle Ps against those that no thread holds. The system runs on while sysmon counts, and
 * an event and its effect are two steps, so a number need not lie on the very value: it must lie
 * between the least and the greatest that the events show from the beginning of the count to its
 * end, give or take what the threads had in their hands then, which is read off the events next to
 * it ({@link RecordedSchedule}). On a busy machine counting takes longer and the range grows by
 * itself; no constant is chosen.
 *
 * <p>Lines held against the moment of the next line must fail, or the test would see nothing.
 */
@Timeout(600)
class SchedtraceAgreementTest {
  @TempDir Path dir;

  @ParameterizedTest
  @ValueSource(strings = {"overflow", "steal", "fanout", "syscalls"})
  void linesAndRecordingAgree(String workload) {
    Path file = dir.resolve("trace.bin");
    var demo =
        Cli.run(
            "demo",
            workload,
            "--seconds",
            "0.6",
            "--schedtrace",
            "15",
            "--procs",
            "4",
            "--no-view",
            "-o",
            file);
    assertEquals(ExitCode.OK, demo.code(), demo.all());
    List<SchedSnapshot> lines = SchedTraceParser.parse(demo.err());
    RecordedSchedule events = RecordedSchedule.read(file);
    SchedTimeline timeline = SchedTimeline.of(Trace.open(file, Progress.NONE));

    List<Sample> moments = moments(lines, events.samples(), timeline);
    assertTrue(moments.size() > 2, "too few lines to compare: " + demo.err());

    assertEquals(List.of(), untrue(lines, moments, events, 0));
    assertFalse(
        IntStream.range(1, moments.size())
            .mapToObj(i -> timeline.at(moments.get(i).to(), false))
            .map(SchedtraceAgreementTest::numbers)
            .toList()
            .equals(
                lines.subList(0, moments.size() - 1).stream()
                    .map(SchedtraceAgreementTest::numbers)
                    .toList()),
        "the wrong moments have the same numbers");
    // Elsewhere the queues are short, and what is in hand may outweigh what is in them.
    if (workload.equals("overflow")) {
      assertFalse(untrue(lines, moments, events, 1).isEmpty(), "the wrong moment seems true");
    }
  }

  /**
   * The sample that was taken for each line: the next one that has all the numbers of the line.
   * Order and numbers are enough, and more than the clock can say: where a thread was held up
   * between looking at the clock and acting, the reader moves events to later times.
   */
  private static List<Sample> moments(
      List<SchedSnapshot> lines, List<Sample> samples, SchedTimeline timeline) {
    List<Sample> moments = new ArrayList<>();
    int next = 0;
    for (SchedSnapshot line : lines) {
      int i = next;
      while (i < samples.size()
          && !(samples.get(i).idle() == line.idleprocs()
              && numbers(timeline.at(samples.get(i).to(), false)).equals(numbers(line)))) {
        i++;
      }
      if (i == samples.size()) {
        // A program that ends stops recording before it stops printing; ticks never go back.
        SchedSnapshot last = timeline.at(samples.getLast().to(), false);
        for (int p = 0; p < line.procs().size(); p++) {
          assertTrue(
              line.procs().get(p).schedtick() >= last.procs().get(p).schedtick(),
              "not in the recording: " + line);
        }
        break;
      }
      moments.add(samples.get(i));
      next = i + 1;
    }
    return moments;
  }

  /** All of a plain line but its time and idle Ps, which a recording tells by events. */
  private static String numbers(SchedSnapshot s) {
    var procs = new ArrayList<String>();
    s.procs().forEach(p -> procs.add(p.runqsize() + " after " + p.schedtick()));
    return "procs=%d threads=%d spinning=%d needspinning=%d idle=%d runqueue=%d %s"
        .formatted(
            s.gomaxprocs(),
            s.threads(),
            s.spinningthreads(),
            s.needspinning(),
            s.idlethreads(),
            s.runqueue(),
            procs);
  }

  /** Lines that the events at the moment of the line {@code shift} further on do not bear out. */
  private static List<String> untrue(
      List<SchedSnapshot> lines, List<Sample> moments, RecordedSchedule events, int shift) {
    var untrue = new ArrayList<String>();
    for (int i = 0; i + shift < moments.size(); i++) {
      SchedSnapshot line = lines.get(i);
      Sample at = moments.get(i + shift);
      Range idle = events.idle(at.from(), at.to(), line.gomaxprocs());
      int transit = events.procsInTransit(at.from(), at.to());
      if (!idle.widened(transit).holds(line.idleprocs())) {
        untrue.add("idle Ps %s, %d in transit: %s".formatted(idle, transit, line));
      }
      Range runnable = events.runnable(at.from(), at.to());
      int inHand = events.goroutinesInHand(at.from(), at.to());
      if (!runnable.widened(inHand).holds(moments.get(i).queued())) {
        untrue.add(
            "runnable %s, %d in hand, %d queued: %s"
                .formatted(runnable, inHand, moments.get(i).queued(), line));
      }
    }
    return untrue;
  }
}
