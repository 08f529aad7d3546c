package dev.gmptrace.cli;

import dev.gmptrace.analyzer.index.GoroutineFilter;
import dev.gmptrace.analyzer.index.Trace;
import dev.gmptrace.analyzer.model.SpanState;
import dev.gmptrace.analyzer.stats.GoroutineReport;
import dev.gmptrace.analyzer.stats.GoroutineReport.Detail;
import dev.gmptrace.analyzer.stats.GoroutineReport.Dimension;
import dev.gmptrace.analyzer.stats.GoroutineReport.Group;
import dev.gmptrace.analyzer.stats.GoroutineReport.Row;
import dev.gmptrace.runtime.config.Nearest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code gmptrace goroutines}: how goroutines spent their lives, by group and one by one. */
@Command(
    name = "goroutines",
    description = "Show how goroutines spent their time, by start function.",
    footer = {
      "",
      "States: runnable, running, syscall, waiting, preempted, unknown.",
      "",
      "Examples:",
      "  gmptrace goroutines trace.bin",
      "  gmptrace goroutines --group com.acme.Worker.run trace.bin     one by one",
      "  gmptrace goroutines --g 17 trace.bin                          all about one",
      "  gmptrace goroutines --text worker --state waiting --longer 1s trace.bin",
      "  gmptrace goroutines --reason 'chan receive' --json trace.bin",
    })
final class GoroutinesCommand implements Callable<Integer> {
  /** What {@code --state} understands. */
  enum State {
    runnable,
    running,
    syscall,
    waiting,
    preempted,
    unknown
  }

  /** What {@code --sort} understands. */
  enum Order {
    id,
    life,
    execution,
    runnable,
    waiting,
    syscall
  }

  private final Terminal terminal;

  @Mixin private TraceInput input = new TraceInput();
  @Mixin private WindowOptions window = new WindowOptions();

  @Option(names = "--g", paramLabel = "ID", description = "Everything about this goroutine.")
  private @Nullable Long goroutine;

  @Option(names = "--group", paramLabel = "NAME", description = "One by one those of a group.")
  private @Nullable String group;

  @Option(names = "--list", description = "One by one, not by group.")
  private boolean list;

  @Option(
      names = "--text",
      paramLabel = "TEXT",
      description = "Only those whose function or label contains this.")
  private @Nullable String text;

  @Option(names = "--label", paramLabel = "TEXT", description = "Only those with such a label.")
  private @Nullable String label;

  @Option(
      names = "--state",
      split = ",",
      paramLabel = "STATE",
      description = "Only those that were in such a state.")
  private List<State> states = new ArrayList<>();

  @Option(names = "--reason", paramLabel = "TEXT", description = "Only those that waited for this.")
  private @Nullable String reason;

  @Option(names = "--longer", paramLabel = "D", description = "Only those that lived longer.")
  private String longer = "0";

  @Option(names = "--shorter", paramLabel = "D", description = "Only those that lived shorter.")
  private String shorter = "";

  @Option(
      names = "--sort",
      paramLabel = "BY",
      description = "id, life, execution, runnable, waiting or syscall. Default: execution.")
  private Order order = Order.execution;

  @Option(names = "--top", paramLabel = "N", description = "How many. Default: 30.")
  private int top = 30;

  GoroutinesCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    if (top < 1) {
      throw CliException.usage("--top: '" + top + "' is not above 0");
    }
    GoroutineFilter filter = filter();
    Trace trace = input.open(terminal);
    window.requireWithin(trace.info().durationNs());
    requireGroup(trace);
    Long one = goroutine;
    try (Output out = new Output(terminal)) {
      if (one != null) {
        Detail detail = GoroutineReport.goroutine(trace, one, window.window());
        if (detail == null) {
          throw CliException.usage("--g: there is no goroutine " + one + " in this trace");
        }
        detail(detail, out);
      } else if (list || group != null) {
        rows(GoroutineReport.rows(trace, filter), out);
      } else {
        groups(GoroutineReport.of(trace, filter), out);
      }
    }
    return input.report(terminal, trace);
  }

  /** A name that no goroutine of the trace has is a mistake, not a group without goroutines. */
  private void requireGroup(Trace trace) {
    String name = group;
    if (name == null) {
      return;
    }
    List<String> names =
        GoroutineReport.of(trace, GoroutineFilter.all()).groups().stream()
            .map(Group::name)
            .toList();
    if (!names.contains(name)) {
      String near = Nearest.of(name, names);
      throw CliException.usage(
          "--group: there is no group '%s' in this trace; %s"
              .formatted(
                  name,
                  near == null
                      ? "'gmptrace goroutines' without it lists them"
                      : "did you mean '" + near + "'?"));
    }
  }

  private GoroutineFilter filter() {
    Set<SpanState> wanted = EnumSet.noneOf(SpanState.class);
    for (State s : states) {
      switch (s) {
        case runnable -> wanted.add(SpanState.RUNNABLE);
        case running -> wanted.add(SpanState.RUNNING);
        case syscall -> wanted.addAll(EnumSet.of(SpanState.SYSCALL, SpanState.SYSCALL_NO_P));
        case waiting -> wanted.addAll(EnumSet.range(SpanState.WAIT_SYNC, SpanState.WAIT_OTHER));
        case preempted -> wanted.add(SpanState.PREEMPTED);
        case unknown -> wanted.add(SpanState.UNKNOWN);
      }
    }
    long min = Units.parseDuration("--longer", longer);
    long max = shorter.isEmpty() ? Long.MAX_VALUE : Units.parseDuration("--shorter", shorter);
    return GoroutineFilter.all()
        .withText(text)
        .withGroup(group)
        .withLabel(label)
        .withReason(reason)
        .withStates(wanted)
        .withDuration(min, max)
        .withWindow(window.from(), window.to(Long.MAX_VALUE));
  }

  private void groups(GoroutineReport report, Output out) {
    if (input.json()) {
      Json.print(out, report);
      return;
    }
    out.line(
        "%s in %s"
            .formatted(
                Units.count(report.goroutines(), "goroutine"),
                Units.count(report.groups().size(), "group")));
    var shown = report.groups().subList(0, Math.min(top, report.groups().size()));
    for (Group g : shown) {
      out.line("");
      out.line(
          "%s  %s, %s of %s"
              .formatted(
                  out.style().bold(g.name().isEmpty() ? "(unknown)" : g.name()),
                  Units.count(g.count(), "goroutine"),
                  Units.percent(g.share()),
                  filter().withWindow(0, Long.MAX_VALUE).isAll()
                      ? "all execution"
                      : "the execution of these"));
      var table = new Table("<each spent", "total", "p50", "p90", "p99", "max");
      for (Dimension d : g.dimensions()) {
        if (d.total() > 0) {
          table.row(
              d.name(),
              Units.duration(d.total()),
              Units.duration(d.perGoroutine().p50()),
              Units.duration(d.perGoroutine().p90()),
              Units.duration(d.perGoroutine().p99()),
              Units.duration(d.perGoroutine().max()));
        }
      }
      table.print(out, "  ");
    }
    more(out, report.groups().size() - shown.size(), "groups");
  }

  private void rows(List<Row> all, Output out) {
    List<Row> sorted = new ArrayList<>(all);
    sorted.sort(comparator());
    List<Row> shown = sorted.subList(0, Math.min(top, sorted.size()));
    if (input.json()) {
      Json.print(out, shown);
      return;
    }
    var table =
        new Table("g", "start", "life", "execution", "runnable", "waiting", "syscall", "<function");
    for (Row r : shown) {
      table.row(
          r.id(),
          Units.duration(r.start()),
          Units.duration(r.end() - r.start()) + (r.ended() ? "" : "+"),
          Units.duration(r.executionNs()),
          Units.duration(r.runnableNs()),
          Units.duration(r.waitingNs()),
          Units.duration(r.syscallNs()),
          r.name() + (r.label().isEmpty() ? "" : " [" + r.label() + "]"));
    }
    table.print(out, "");
    more(out, sorted.size() - shown.size(), "goroutines");
  }

  private Comparator<Row> comparator() {
    Comparator<Row> by =
        switch (order) {
          case id -> Comparator.comparingLong(r -> 0);
          case life -> Comparator.comparingLong(r -> r.start() - r.end());
          case execution -> Comparator.comparingLong(r -> -r.executionNs());
          case runnable -> Comparator.comparingLong(r -> -r.runnableNs());
          case waiting -> Comparator.comparingLong(r -> -r.waitingNs());
          case syscall -> Comparator.comparingLong(r -> -r.syscallNs());
        };
    return by.thenComparingLong(Row::id);
  }

  private static void more(Output out, int left, String what) {
    if (left > 0) {
      out.line("").line("and %s more %s (--top)".formatted(Units.count(left), what));
    }
  }

  private void detail(Detail d, Output out) {
    if (input.json()) {
      Json.print(out, d);
      return;
    }
    Row r = d.row();
    out.line(out.style().bold("G" + r.id()) + "  " + r.name());
    row(out, "created by", d.parent() < 0 ? "unknown" : "G" + d.parent() + " " + d.parentName());
    row(
        out,
        "life",
        Units.duration(r.start())
            + " to "
            + Units.duration(r.end())
            + (r.ended() ? "" : ", and on"));
    if (!r.label().isEmpty()) {
      row(out, "label", r.label());
    }
    row(out, "execution", Units.duration(r.executionNs()));
    row(
        out,
        "runnable",
        Units.duration(r.runnableNs()) + "  " + Distribution.line(d.schedLatency()));
    row(out, "syscall", Units.duration(r.syscallNs()));
    row(out, "waiting", Units.duration(r.waitingNs()));
    for (Map.Entry<String, Long> wait : r.waits().entrySet()) {
      var each = d.waits().get(wait.getKey());
      row(
          out,
          "  " + wait.getKey(),
          Units.duration(wait.getValue()) + (each == null ? "" : "  " + Distribution.line(each)));
    }
    row(out, "unknown", Units.duration(r.unknownNs()));
    row(out, "spans", Units.count(d.spans()));
    row(out, "created", Units.count(d.childCount(), "goroutine"));
    if (!d.startStack().isEmpty()) {
      out.line("  first stack");
      d.startStack()
          .forEach(f ->
              out.line(
                  "    "
                      + f.function()
                      + (f.file().isEmpty() ? "" : " (%s:%d)".formatted(f.file(), f.line()))));
    }
  }

  private static void row(Output out, String name, String value) {
    out.line("  %-22s %s".formatted(name, value));
  }
}
