package dev.gmptrace.cli;

import dev.gmptrace.analyzer.index.Trace;
import dev.gmptrace.analyzer.stats.TaskReport;
import dev.gmptrace.analyzer.stats.TaskReport.Task;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code gmptrace tasks}: user tasks with their latencies. */
@Command(
    name = "tasks",
    description = "Show user tasks and how long they took.",
    footer = {
      "",
      "Examples:",
      "  gmptrace tasks trace.bin",
      "  gmptrace tasks --list --type request --longer 100ms trace.bin",
      "  gmptrace tasks --list --log 'order 4711' trace.bin",
    })
final class TasksCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private TraceInput input = new TraceInput();
  @Mixin private LatencyOptions latency = new LatencyOptions();

  @Option(names = "--list", description = "The tasks themselves, with regions and log lines.")
  private boolean list;

  @Option(names = "--type", paramLabel = "NAME", description = "Only tasks of this type.")
  private String type = "";

  @Option(names = "--log", paramLabel = "TEXT", description = "Only tasks that logged this.")
  private String log = "";

  TasksCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    var filter =
        new TaskReport.Filter(type, latency.min(), latency.max(), log, latency.limit(list));
    Trace trace = input.open(terminal);
    TaskReport report = TaskReport.of(trace, filter);
    try (Output out = new Output(terminal)) {
      if (input.json()) {
        Json.print(out, report);
      } else if (report.types().isEmpty()) {
        out.line("no tasks");
      } else if (list) {
        report.tasks().forEach(t -> task(t, out));
      } else {
        types(report, out);
      }
    }
    return input.report(terminal, trace);
  }

  private static void types(TaskReport report, Output out) {
    for (TaskReport.Type t : report.types()) {
      out.line(
          "%s  %s, %s complete: %s"
              .formatted(
                  out.style().bold(t.name()),
                  Units.count(t.count()),
                  Units.count(t.complete()),
                  Distribution.line(t.latency())));
      Distribution.print(t.latency(), out, "  ");
    }
  }

  private static void task(Task t, Output out) {
    String on = t.goroutines().stream().map(g -> "G" + g).collect(Collectors.joining(" "));
    out.line(
        "%s %s  %s at %s%s  %s"
            .formatted(
                out.style().bold("task " + t.id()),
                t.name(),
                t.complete() ? Units.duration(t.end() - t.start()) : "not complete",
                Units.duration(t.start()),
                t.parent() > 0 ? ", part of " + t.parent() : "",
                on));
    t.regions()
        .forEach(r ->
            out.line(
                "  %-10s G%-6d region %s  %s"
                    .formatted(
                        "+" + Units.duration(r.start() - t.start()),
                        r.g(),
                        r.name(),
                        r.complete() ? Units.duration(r.end() - r.start()) : "not complete")));
    t.logs()
        .forEach(l ->
            out.line(
                "  %-10s G%-6d log %s: %s"
                    .formatted(
                        "+" + Units.duration(l.ns() - t.start()),
                        l.g(),
                        l.category(),
                        l.message())));
  }
}
