package dev.gmptrace.analyzer.print;

import dev.gmptrace.analyzer.read.ClockSnapshot;
import dev.gmptrace.analyzer.read.EventKind;
import dev.gmptrace.analyzer.read.EventSink;
import dev.gmptrace.analyzer.read.EventTypes;
import dev.gmptrace.analyzer.read.ResourceKind;
import dev.gmptrace.analyzer.read.TraceEvent;
import dev.gmptrace.analyzer.read.TraceTables;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.util.List;

/**
 * Events as {@code go tool trace -d=parsed} prints them, to the byte. Scheduler events that only
 * gmp traces have follow the same pattern.
 */
public final class GoEventText implements EventSink {
  private static final DateTimeFormatter RFC3339_NANO =
      new DateTimeFormatterBuilder()
          .appendPattern("uuuu-MM-dd'T'HH:mm:ss")
          .appendFraction(ChronoField.NANO_OF_SECOND, 0, 9, true)
          .appendOffset("+HH:MM", "Z")
          .toFormatter(java.util.Locale.ROOT);

  private final TraceTables tables;
  private final TextOut out;
  private final ZoneId zone;

  /**
   * Prints events.
   *
   * @param tables of the trace the events come from
   * @param out where to
   * @param zone for wall-clock times; Go takes the machine's
   */
  public GoEventText(TraceTables tables, TextOut out, ZoneId zone) {
    this.tables = tables;
    this.out = out;
    this.zone = zone;
  }

  @Override
  public void event(TraceEvent e) {
    EventKind kind = e.kind();
    out.text("M=").number(e.thread()).text(" P=").number(e.proc()).text(" G=");
    out.number(e.goroutine()).put(' ').text(kind.text()).text(" Time=").number(e.time());
    switch (kind) {
      case SYNC -> sync(e);
      case METRIC -> {
        out.text(" Name=").quoted(tables, e.name());
        out.text(" Value=");
        value(e.value());
      }
      case LABEL -> {
        out.text(" Label=").quoted(tables, e.name()).text(" Resource=");
        resource(e);
      }
      case RANGE_BEGIN, RANGE_ACTIVE, RANGE_END -> range(e, kind);
      case TASK_BEGIN, TASK_END -> {
        out.text(" ID=").unsigned(e.task()).text(" Parent=").unsigned(e.parentTask());
        out.text(" Type=").quoted(tables, e.name());
      }
      case REGION_BEGIN, REGION_END ->
          out.text(" Task=").unsigned(e.task()).text(" Type=").quoted(tables, e.name());
      case LOG -> {
        out.text(" Task=").unsigned(e.task()).text(" Category=").quoted(tables, e.name());
        out.text(" Message=").quoted(tables, e.text());
      }
      case STATE_TRANSITION -> transition(e);
      case EXPERIMENTAL -> arguments(e);
      case BAD, STACK_SAMPLE -> {}
      default -> arguments(e);
    }
    // A sample has a stack even if that is empty.
    if (e.stack() != TraceTables.NO_STACK || kind == EventKind.STACK_SAMPLE) {
      out.text("\nStack=\n");
      frames(e.stack());
    }
    out.line();
  }

  private void sync(TraceEvent e) {
    out.text(" N=").number(e.value());
    ClockSnapshot clock = e.clock();
    if (clock != null) {
      out.text(" Trace=").number(clock.traceTime()).text(" Mono=").unsigned(clock.mono());
      out.text(" Wall=").text(RFC3339_NANO.format(clock.wall().atZone(zone)));
    }
  }

  private void range(TraceEvent e, EventKind kind) {
    out.text(" Name=").quoted(tables, e.name()).text(" Scope=");
    resource(e);
    if (kind == EventKind.RANGE_END) {
      out.text(" Attributes=[");
      if (e.type() == EventTypes.GC_SWEEP_END) {
        out.text("\"bytes swept\"=");
        value(e.value());
        out.text(" \"bytes reclaimed\"=");
        value(e.value2());
      }
      out.put(']');
    }
  }

  private void transition(TraceEvent e) {
    if (e.resource() == ResourceKind.GOROUTINE) {
      out.text(" GoID=").number(e.resourceId()).put(' ');
      out.text(e.goFrom().text()).text("->").text(e.goTo().text());
    } else {
      out.text(" ProcID=").number(e.resourceId()).put(' ');
      out.text(e.procFrom().text()).text("->").text(e.procTo().text());
    }
    out.text(" Reason=").quoted(tables, e.reason());
    // A new goroutine has a stack even if that is empty.
    if (e.transitionStack() != TraceTables.NO_STACK
        || e.type() == EventTypes.GO_CREATE
        || e.type() == EventTypes.GO_CREATE_BLOCKED) {
      out.text("\nTransitionStack=\n");
      frames(e.transitionStack());
    }
  }

  private void arguments(TraceEvent e) {
    out.text(" Name=").text(EventTypes.name(e.type())).text(" Args=[");
    List<String> names = EventTypes.argumentNames(e.type());
    for (int i = 0; i < names.size(); i++) {
      out.text(i == 0 ? "" : ", ").text(names.get(i)).put('=');
      value(e.arg(i));
    }
    out.put(']');
  }

  private void resource(TraceEvent e) {
    out.text(e.resource().text());
    if (e.resource() != ResourceKind.NONE) {
      out.put('(').number(e.resourceId()).put(')');
    }
  }

  private void value(long v) {
    out.text("Value{Uint64(").unsigned(v).text(")}");
  }

  private void frames(int stack) {
    int depth = tables.depth(stack);
    for (int i = 0; i < depth; i++) {
      TraceTables.Frame f = tables.frame(tables.frameId(stack, i));
      out.put('\t').text(tables, f.function()).text(" @ 0x").hex(f.pc()).line();
      out.text("\t\t").text(tables, f.file()).put(':').unsigned(f.line()).line();
    }
  }
}
