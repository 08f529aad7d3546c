package dev.gmptrace.cli;

import dev.gmptrace.analyzer.index.Trace;
import dev.gmptrace.analyzer.stats.TaskReport;
import dev.gmptrace.analyzer.stats.TaskReport.Task;
import java.util.ArrayList;
import java.util.Comparator;
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
  @Mixin private WindowOptions window = new WindowOptions();
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
        new TaskReport.Filter(
            type, latency.min(), latency.max(), log, window.window(), latency.limit(list));
    Trace trace = input.open(terminal);
    window.requireWithin(trace.info().durationNs());
    TaskReport report = TaskReport.of(trace, filter);
    try (Output out = new Output(terminal)) {
      if (input.json()) {
        Json.print(out, report);
      } else if (report.types().isEmpty()) {
        out.line("no tasks");
      } else if (list) {
        report.tasks().forEach(t -> task(t, out));
      } else {
        report
            .types()
            .forEach(
                t -> Distribution.type(out, t.name(), "", t.count(), t.complete(), t.latency()));
      }
    }
    return input.report(terminal, trace);
  }

  private static void task(Task t, Output out) {
    String on = t.goroutines().stream().map(g -> "G" + g).collect(Collectors.joining(" "));
    out.line(
        "%s %s  %s at %s%s  %s"
            .formatted(
                out.style().bold("task " + t.id()),
                t.name(),
                took(t.complete(), t.start(), t.end()),
                Units.duration(t.start()),
                t.parent() > 0 ? ", part of " + t.parent() : "",
                on));
    var parts = new ArrayList<Part>();
    t.regions()
        .forEach(r ->
            parts.add(
                new Part(
                    r.start(),
                    r.g(),
                    "region " + r.name() + "  " + took(r.complete(), r.start(), r.end()))));
    t.logs()
        .forEach(
            l -> parts.add(new Part(l.ns(), l.g(), "log " + l.category() + ": " + l.message())));
    parts.sort(Comparator.comparingLong(Part::ns));
    for (Part p : parts) {
      out.line("  %-10s G%-6d %s".formatted("+" + Units.duration(p.ns - t.start()), p.g, p.what));
    }
  }

  /** Something that happened in a task. */
  private record Part(long ns, long g, String what) {}

  private static String took(boolean complete, long start, long end) {
    return complete ? Units.duration(end - start) : "not complete";
  }
}
