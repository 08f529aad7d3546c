package dev.gmptrace.cli;

import dev.gmptrace.analyzer.index.Selection.ReasonSlice;
import dev.gmptrace.analyzer.index.Trace;
import dev.gmptrace.analyzer.index.TraceOverview;
import dev.gmptrace.analyzer.stats.Stats;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code gmptrace stats}: a trace in a screenful of numbers. */
@Command(
    name = "stats",
    description = "Sum up a trace: utilisation, latencies, steals, waits.",
    footer = {
      "",
      "Examples:",
      "  gmptrace stats trace.bin",
      "  gmptrace stats --from 1s --to 2s trace.bin",
      "  gmptrace stats --json trace.bin | jq .schedLatency.p99",
    })
final class StatsCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private TraceInput input = new TraceInput();
  @Mixin private WindowOptions window = new WindowOptions();

  @Option(names = "--top", paramLabel = "N", description = "How many wait reasons. Default: 10.")
  private int top = 10;

  StatsCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    if (top < 1) {
      throw CliException.usage("--top: '" + top + "' is not above 0");
    }
    long from = window.from();
    long to = window.to(Long.MAX_VALUE);
    Trace trace = input.open(terminal);
    window.requireWithin(trace.info().durationNs());
    Stats stats = window.isSet() ? Stats.of(trace, from, to) : Stats.of(trace);
    try (Output out = new Output(terminal)) {
      if (input.json()) {
        Json.print(out, stats);
      } else {
        overview(stats, out);
        print(stats, out, top);
      }
    }
    return input.report(terminal, trace);
  }

  private static void overview(Stats s, Output out) {
    TraceOverview t = s.trace();
    out.line(
        "%s: %s, %s%s"
            .formatted(
                out.style().bold(t.file()),
                t.version(),
                Units.bytes(t.fileBytes()),
                t.program().isEmpty() ? "" : ", " + t.program()));
    if (t.wallAtZeroNs() >= 0) {
      Instant wall = Instant.EPOCH.plusNanos(t.wallAtZeroNs()).truncatedTo(ChronoUnit.MILLIS);
      row(out, "recorded", wall.toString());
    }
  }

  /** The numbers; {@code demo} and {@code record} print them too. */
  static void print(Stats s, Output out, int top) {
    TraceOverview t = s.trace();
    long duration = s.to() - s.from();
    row(out, "duration", Units.duration(duration));
    row(
        out,
        "events",
        Units.count(t.events())
            + (t.eventsLost() > 0
                ? ", " + out.style().bad(Units.count(t.eventsLost()) + " lost")
                : ""));
    row(
        out,
        "processors",
        "%d, busy %s of their time".formatted(t.procs(), Units.percent(s.utilisation())));
    row(out, "threads", Units.count(t.threads()));
    row(
        out,
        "goroutines",
        "%s seen, %s created, %s ended, %s at the end, at most %s runnable at once"
            .formatted(
                Units.count(s.goroutines().seen()),
                Units.count(s.goroutines().created()),
                Units.count(s.goroutines().ended()),
                Units.count(s.goroutines().alive()),
                Units.count(s.goroutines().mostRunnable())));
    row(out, "scheduling latency", Distribution.line(s.schedLatency()));
    row(
        out,
        "system calls",
        "%s, %s lost their P".formatted(Units.count(s.syscalls()), Units.count(s.syscallsLostP())));
    row(out, "preemptions", Units.count(s.preemptions()));
    if (t.format().equals("gmp")) {
      row(
          out,
          "scheduler",
          "%s of %s, %s, %s, spinning %s"
              .formatted(
                  Units.count(s.steals(), "steal"),
                  Units.count(s.stolen(), "goroutine"),
                  Units.count(s.handoffs(), "hand-off"),
                  Units.count(s.wakes(), "wake-up"),
                  Units.percent(s.spinShare())));
    }
    row(
        out,
        "garbage collection",
        "%s, %s of the time; %s, %s, longest %s"
            .formatted(
                Units.count(s.gcs(), "collection"),
                Units.percent(s.gcShare()),
                Units.count(s.stops(), "stop"),
                Units.percent(s.stwShare()),
                Units.duration(s.longestStopNs())));
    out.line("");
    // A column only where it is needed: most traces know what each processor did all the time.
    boolean unknown = s.procs().stream().anyMatch(p -> p.unknownNs() > 0);
    var procs =
        unknown
            ? new Table(
                "<processor",
                "busy",
                "running",
                "syscall",
                "scheduling",
                "idle",
                "unknown",
                "starts")
            : new Table("<processor", "busy", "running", "syscall", "scheduling", "idle", "starts");
    for (Stats.ProcStat p : s.procs()) {
      List<String> row = new ArrayList<>();
      row.add("P" + p.p());
      row.add(Units.percent(p.utilisation()));
      row.add(Units.duration(p.runningNs()));
      row.add(Units.duration(p.syscallNs()));
      row.add(Units.duration(p.schedulingNs()));
      row.add(Units.duration(p.idleNs()));
      if (unknown) {
        row.add(Units.duration(p.unknownNs()));
      }
      row.add(Units.count(p.starts()));
      procs.row(row.toArray());
    }
    procs.print(out, "");
    if (!s.reasons().isEmpty()) {
      out.line("");
      var reasons = new Table("<waiting for", "total", "waits", "longest");
      for (ReasonSlice r : s.reasons().subList(0, Math.min(top, s.reasons().size()))) {
        reasons.row(
            r.reason().isEmpty() ? "(no reason given)" : r.reason(),
            Units.duration(r.total()),
            Units.count(r.count()),
            Units.duration(r.max()));
      }
      reasons.print(out, "");
    }
  }

  private static void row(Output out, String name, String value) {
    out.line("  %-19s %s".formatted(name, value));
  }
}
