package dev.gmptrace.cli;

import dev.gmptrace.analyzer.print.TextOut;
import dev.gmptrace.analyzer.read.EventSink;
import dev.gmptrace.analyzer.read.EventTypes;
import dev.gmptrace.analyzer.read.ResourceKind;
import dev.gmptrace.analyzer.read.TraceEvent;
import dev.gmptrace.analyzer.read.TraceTables;
import dev.gmptrace.analyzer.read.TraceTables.Frame;
import java.util.List;

/**
 * Events for people, one a line:
 *
 * <pre>
 * 0.000213440  P0   M3     G1     G7 Runnable -&gt; Running
 * </pre>
 *
 * Seconds since the first event, the P, thread and goroutine it happened on (a dot where there was
 * none), and what happened.
 */
final class TextEvents implements EventSink {
  /** What was stolen, by the numbers of {@code StealKind}. */
  private static final List<String> STEAL_KINDS = List.of("ring", "runnext", "timers");

  /** Why a P goes to another thread, by the numbers of {@code HandoffCause}. */
  private static final List<String> HANDOFF_CAUSES =
      List.of("sysmon", "syscall", "locked", "stop-the-world", "blocked");

  private final TraceTables tables;
  private final TextOut out;
  private final EventPump.Origin origin;
  private final boolean stacks;
  private final StringBuilder to = new StringBuilder(256);

  TextEvents(TraceTables tables, TextOut out, EventPump.Origin origin, boolean stacks) {
    this.tables = tables;
    this.out = out;
    this.origin = origin;
    this.stacks = stacks;
  }

  @Override
  public void event(TraceEvent e) {
    long t = e.time() - origin.time();
    to.setLength(0);
    to.append(t / 1_000_000_000).append('.');
    String fraction = Long.toString(t % 1_000_000_000);
    to.repeat('0', 9 - fraction.length()).append(fraction).append("  ");
    place('P', e.proc(), 5, to);
    place('M', e.thread(), 8, to);
    place('G', e.goroutine(), 8, to);
    what(e, tables, to);
    to.append('\n');
    if (stacks) {
      stack("at", e.stack(), tables, to);
      if (e.transitionStack() != e.stack()) {
        stack("of", e.transitionStack(), tables, to);
      }
    }
    out.text(to.toString());
  }

  private static void place(char kind, long id, int width, StringBuilder to) {
    int begin = to.length();
    if (id < 0) {
      to.append('.');
    } else {
      to.append(kind).append(id);
    }
    to.repeat(' ', Math.max(1, width - (to.length() - begin)));
  }

  private static void what(TraceEvent e, TraceTables tables, StringBuilder to) {
    switch (e.kind()) {
      case STATE_TRANSITION -> transition(e, tables, to);
      case SYNC -> {
        to.append("Sync ").append(e.value());
        var clock = e.clock();
        if (clock != null) {
          to.append(" wall ").append(clock.wall());
        }
      }
      case METRIC -> to.append(tables.string(e.name())).append(" = ").append(e.value());
      case LABEL -> to.append("label ").append(quoted(tables, e.name()));
      case STACK_SAMPLE -> to.append("CPU sample").append(top(e, tables));
      case RANGE_BEGIN, RANGE_ACTIVE, RANGE_END -> {
        to.append(tables.string(e.name()));
        to.append(
            switch (e.kind()) {
              case RANGE_BEGIN -> " begins";
              case RANGE_END -> " ends";
              default -> " is under way";
            });
        if (e.resource() != ResourceKind.NONE) {
          to.append(" on ");
          resource(e, to);
        }
      }
      case TASK_BEGIN, TASK_END -> {
        to.append("task ").append(e.task()).append(' ').append(quoted(tables, e.name()));
        to.append(e.kind().text().endsWith("Begin") ? " begins" : " ends");
        if (e.parentTask() > 0) {
          to.append(", part of ").append(e.parentTask());
        }
      }
      case REGION_BEGIN, REGION_END -> {
        to.append("region ").append(quoted(tables, e.name()));
        to.append(e.kind().text().endsWith("Begin") ? " begins" : " ends");
        if (e.task() > 0) {
          to.append(", task ").append(e.task());
        }
      }
      case LOG -> {
        to.append("log ").append(quoted(tables, e.name())).append(": ");
        to.append(quoted(tables, e.text()));
        if (e.task() > 0) {
          to.append(", task ").append(e.task());
        }
      }
      case GC_INFO -> {
        to.append("collection ").append(e.value()).append(": ").append(tables.string(e.name()));
        to.append(", ").append(tables.string(e.text()));
      }
      case LOST -> to.append("LOST ").append(e.value()).append(" events");
      default -> generic(e, to);
    }
  }

  private static void transition(TraceEvent e, TraceTables tables, StringBuilder to) {
    resource(e, to);
    boolean proc = e.resource() == ResourceKind.PROC;
    String from = proc ? e.procFrom().text() : e.goFrom().text();
    String target = proc ? e.procTo().text() : e.goTo().text();
    to.append(' ').append(from).append(" -> ").append(target);
    String reason = tables.string(e.reason());
    if (!reason.isEmpty()) {
      to.append(" (").append(reason).append(')');
    }
    int type = e.type();
    if (type == EventTypes.GO_CREATE || type == EventTypes.GO_CREATE_BLOCKED) {
      to.append(created(e, tables));
    } else if (type == EventTypes.PROC_STEAL) {
      to.append(", taken from M").append(e.other());
    }
  }

  private static String created(TraceEvent e, TraceTables tables) {
    int stack = e.transitionStack();
    int depth = tables.depth(stack);
    return depth == 0 ? "" : " " + tables.function(tables.frame(tables.frameId(stack, depth - 1)));
  }

  private static String top(TraceEvent e, TraceTables tables) {
    return tables.depth(e.stack()) == 0
        ? ""
        : " in " + tables.function(tables.frame(tables.frameId(e.stack(), 0)));
  }

  /** What only a gmp scheduler records: the event's name, then its arguments with theirs. */
  private static void generic(TraceEvent e, StringBuilder to) {
    to.append(EventTypes.name(e.type()));
    List<String> names = EventTypes.argumentNames(e.type());
    for (int i = 0; i < names.size(); i++) {
      to.append(' ')
          .append(names.get(i))
          .append('=')
          .append(value(e.type(), names.get(i), e.arg(i)));
    }
  }

  private static String value(int type, String argument, long value) {
    List<String> words =
        type == EventTypes.WORK_STEAL && argument.equals("kind")
            ? STEAL_KINDS
            : type == EventTypes.PROC_HANDOFF && argument.equals("cause")
                ? HANDOFF_CAUSES
                : List.of();
    return value >= 0 && value < words.size() ? words.get((int) value) : Long.toString(value);
  }

  private static void resource(TraceEvent e, StringBuilder to) {
    to.append(
            switch (e.resource()) {
              case GOROUTINE -> "G";
              case PROC -> "P";
              case THREAD -> "M";
              case NONE -> "";
            })
        .append(e.resourceId());
  }

  private static String quoted(TraceTables tables, int string) {
    return '"' + tables.string(string) + '"';
  }

  private static void stack(String word, int stack, TraceTables tables, StringBuilder to) {
    for (Frame f : tables.stack(stack)) {
      to.append("                ").append(word).append(' ').append(tables.function(f));
      to.append(" (").append(tables.file(f)).append(':').append(f.line()).append(")\n");
    }
  }
}
