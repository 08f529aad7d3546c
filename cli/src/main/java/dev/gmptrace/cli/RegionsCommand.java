package dev.gmptrace.cli;

import dev.gmptrace.analyzer.index.Trace;
import dev.gmptrace.analyzer.stats.RegionReport;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code gmptrace regions}: user regions with their latencies. */
@Command(
    name = "regions",
    description = "Show user regions and how long they took.",
    footer = {
      "",
      "Examples:",
      "  gmptrace regions trace.bin",
      "  gmptrace regions --list --type lookup --longer 10ms trace.bin",
      "  gmptrace regions --json trace.bin | jq '.types[] | {name, p99: .latency.p99}'",
    })
final class RegionsCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private TraceInput input = new TraceInput();
  @Mixin private WindowOptions window = new WindowOptions();
  @Mixin private LatencyOptions latency = new LatencyOptions();

  @Option(names = "--list", description = "The regions themselves.")
  private boolean list;

  @Option(names = "--type", paramLabel = "NAME", description = "Only regions of this name.")
  private String type = "";

  RegionsCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    var filter =
        new RegionReport.Filter(
            type, latency.min(), latency.max(), window.window(), latency.limit(list));
    Trace trace = input.open(terminal);
    window.requireWithin(trace.info().durationNs());
    RegionReport report = RegionReport.of(trace, filter);
    try (Output out = new Output(terminal)) {
      if (input.json()) {
        Json.print(out, report);
      } else if (report.types().isEmpty()) {
        out.line("no regions");
      } else if (list) {
        list(report, out);
      } else {
        report
            .types()
            .forEach(t ->
                Distribution.type(out, t.name(), t.where(), t.count(), t.complete(), t.latency()));
      }
    }
    return input.report(terminal, trace);
  }

  private static void list(RegionReport report, Output out) {
    var table = new Table("start", "duration", "g", "task", "<region", "<at");
    for (RegionReport.Region r : report.regions()) {
      table.row(
          Units.duration(r.start()),
          r.complete() ? Units.duration(r.end() - r.start()) : "not complete",
          r.g(),
          r.task() > 0 ? r.task() : "",
          r.name(),
          r.where());
    }
    table.print(out, "");
  }
}
