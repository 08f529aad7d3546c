package dev.gmptrace.cli;

import dev.gmptrace.analyzer.index.Trace;
import dev.gmptrace.analyzer.stats.SchedTimeline;
import dev.gmptrace.tracer.schedtrace.SchedSnapshot;
import dev.gmptrace.tracer.schedtrace.SchedTraceFormat;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code gmptrace schedtrace}: what sysmon would have printed. */
@Command(
    name = "schedtrace",
    description = "Print a trace as GODEBUG=schedtrace lines.",
    footer = {
      "",
      "Who holds, runs and waits is exact at each line's moment. Queue lengths, ticks, timers and",
      "the numbers of threads are those of the last count in the trace before it: a gmp program",
      "counts every 10 ms, and at each line that it prints itself.",
      "",
      "What a trace does not hold is printed as Go prints an unknown: ids as nil, numbers as 0,",
      "flags as false. A Go trace does not hold queue lengths (runqueue and the brackets), spinning",
      "threads, timers, and what is inside an M (mallocing, locks, ...); its threads are those it",
      "has seen, and ticks count from its beginning.",
      "",
      "With --json a line is an object; its time is 'millis', in milliseconds as on the line.",
      "",
      "Examples:",
      "  gmptrace schedtrace trace.bin",
      "  gmptrace schedtrace --every 1ms --from 1.2s --to 1.3s trace.bin",
      "  gmptrace schedtrace --detail --every 100ms trace.bin",
      "  gmptrace schedtrace --detail --from 1.2s --to 1.2s trace.bin     one moment",
      "  gmptrace schedtrace --go-version 1.24 go.trace       as older tools expect it",
    })
final class SchedtraceCommand implements Callable<Integer> {
  private static final int FLUSH_EVERY = 1 << 16;

  private final Terminal terminal;

  @Mixin private TraceInput input = new TraceInput();
  @Mixin private WindowOptions window = new WindowOptions();

  @Option(
      names = "--every",
      paramLabel = "D",
      description = "Time from line to line. Default: 10ms.")
  private String every = "10ms";

  @Option(names = "--detail", description = "A line for every P, M and goroutine too.")
  private boolean detail;

  @Option(
      names = "--go-version",
      paramLabel = "V",
      description = "The lines of that Go: 1.24 has no schedticks. Default: 1.25.")
  private String goVersion = "1.25";

  SchedtraceCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    long step = Units.parseDuration("--every", every);
    if (step == 0) {
      throw CliException.usage("--every: '" + every + "' is no time");
    }
    SchedTraceFormat format = format();
    long from = window.from();
    long to = window.toIncluded(Long.MAX_VALUE);
    Trace trace = input.open(terminal);
    window.requireWithin(trace.info().durationNs());
    Iterable<SchedSnapshot> lines = SchedTimeline.of(trace).every(step, from, to, detail);
    try (Output out = new Output(terminal)) {
      if (input.json()) {
        Json.print(out, lines);
      } else {
        var text = new StringBuilder();
        for (SchedSnapshot line : lines) {
          format.append(line, text);
          if (text.length() > FLUSH_EVERY) {
            out.append(text);
            text.setLength(0);
          }
        }
        out.append(text);
      }
    }
    return input.report(terminal, trace);
  }

  private SchedTraceFormat format() {
    try {
      return SchedTraceFormat.of(goVersion);
    } catch (IllegalArgumentException e) {
      throw CliException.usage("--go-version: " + e.getMessage());
    }
  }
}
