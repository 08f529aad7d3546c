package dev.gmptrace.cli;

import dev.gmptrace.analyzer.print.GoEventText;
import dev.gmptrace.analyzer.print.TextOut;
import dev.gmptrace.analyzer.read.EventSink;
import dev.gmptrace.analyzer.read.TraceTables;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code gmptrace events}: the ordered events of a trace. */
@Command(
    name = "events",
    description = "Print the events of a trace, in order.",
    footer = {
      "",
      "Formats:",
      "  text   for people: time since the first event, where it happened, what happened",
      "  json   one object a line; times in nanoseconds",
      "  go     to the byte what 'go tool trace -d=parsed' prints",
      "",
      "Kinds: Sync Metric Label StackSample RangeBegin RangeActive RangeEnd TaskBegin TaskEnd",
      "  RegionBegin RegionEnd Log StateTransition Experimental, and from gmp programs Steal",
      "  GlobalQueue Spin Wake Handoff Thread Timer Netpoll QueueSample WakeReason GCInfo Lost",
      "",
      "Examples:",
      "  gmptrace events trace.bin | less",
      "  gmptrace events --g 17 --from 1.2s --to 1.3s trace.bin",
      "  gmptrace events --kind Steal,Handoff trace.bin",
      "  gmptrace events --format json --p 0 trace.bin | jq .",
      "  gmptrace events --follow trace.bin             while it is being recorded",
    })
final class EventsCommand implements Callable<Integer> {
  /** How events are written. */
  enum Format {
    text,
    json,
    go
  }

  private final Terminal terminal;

  @Parameters(paramLabel = "TRACE", description = "The trace of a gmp program or a Go program.")
  private Path trace = Path.of("");

  @Option(names = "--format", paramLabel = "FORMAT", description = "text (default), json or go.")
  private Format format = Format.text;

  @Mixin private WindowOptions window = new WindowOptions();

  @Option(
      names = "--g",
      split = ",",
      paramLabel = "ID",
      description = "Only events on or about these goroutines.")
  private List<Long> goroutines = new ArrayList<>();

  @Option(
      names = "--p",
      split = ",",
      paramLabel = "ID",
      description = "Only events on or about these Ps.")
  private List<Long> procs = new ArrayList<>();

  @Option(
      names = "--m",
      split = ",",
      paramLabel = "ID",
      description = "Only events on or about these threads.")
  private List<Long> threads = new ArrayList<>();

  @Option(
      names = "--kind",
      split = ",",
      paramLabel = "KIND",
      description = "Only events of these kinds.")
  private List<String> kinds = new ArrayList<>();

  @Option(names = "--stacks", description = "Print stacks with the text too.")
  private boolean stacks;

  @Option(
      names = "--follow",
      description = "Go on when the file grows, until the recording ends or Ctrl-C.")
  private boolean follow;

  EventsCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws InterruptedException {
    var selection =
        new EventSelection(
            goroutines, procs, threads, kinds, window.from(), window.to(Long.MAX_VALUE));
    var pump = new EventPump(terminal, trace, selection, this::sink);
    return follow ? pump.follow() : pump.print();
  }

  private EventSink sink(TraceTables tables, TextOut out, EventPump.Origin origin) {
    return switch (format) {
      case text -> new TextEvents(tables, out, origin, stacks);
      case json -> new JsonEvents(tables, out, origin);
      case go -> new GoEventText(tables, out, ZoneId.systemDefault());
    };
  }
}
