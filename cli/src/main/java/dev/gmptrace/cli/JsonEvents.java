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
 * Events for machines: one JSON object a line, with only the members that the kind has. Written by
 * hand because a tree per event is what makes converters slow on big traces; strings are quoted by
 * Jackson.
 */
final class JsonEvents implements EventSink {
  private final TraceTables tables;
  private final TextOut out;
  private final EventPump.Origin origin;
  private final StringBuilder to = new StringBuilder(256);

  JsonEvents(TraceTables tables, TextOut out, EventPump.Origin origin) {
    this.tables = tables;
    this.out = out;
    this.origin = origin;
  }

  @Override
  public void event(TraceEvent e) {
    to.setLength(0);
    to.append("{\"n\":").append(e.number()).append(",\"t\":").append(e.time() - origin.time());
    id("m", e.thread(), to);
    id("p", e.proc(), to);
    id("g", e.goroutine(), to);
    to.append(",\"kind\":\"").append(e.kind().text()).append('"');
    to.append(",\"type\":\"").append(EventTypes.name(e.type())).append('"');
    if (e.resource() != ResourceKind.NONE) {
      to.append(",\"resource\":\"").append(e.resource().text()).append("\",\"id\":");
      to.append(e.resourceId());
    }
    switch (e.kind()) {
      case STATE_TRANSITION -> {
        boolean proc = e.resource() == ResourceKind.PROC;
        text("from", proc ? e.procFrom().text() : e.goFrom().text(), to);
        text("to", proc ? e.procTo().text() : e.goTo().text(), to);
        text("reason", tables.string(e.reason()), to);
        if (e.type() == EventTypes.PROC_STEAL) {
          number("fromM", e.other(), to);
        }
      }
      case SYNC -> {
        number("count", e.value(), to);
        var clock = e.clock();
        if (clock != null) {
          text("wall", clock.wall().toString(), to);
        }
      }
      case METRIC -> {
        text("name", tables.string(e.name()), to);
        number("value", e.value(), to);
      }
      case TASK_BEGIN, TASK_END -> {
        number("task", e.task(), to);
        id("parent", e.parentTask(), to);
        text("name", tables.string(e.name()), to);
      }
      case REGION_BEGIN, REGION_END -> {
        number("task", e.task(), to);
        text("name", tables.string(e.name()), to);
      }
      case LOG -> {
        number("task", e.task(), to);
        text("category", tables.string(e.name()), to);
        text("message", tables.string(e.text()), to);
      }
      case STACK_SAMPLE -> {}
      case LABEL, RANGE_BEGIN, RANGE_ACTIVE, RANGE_END -> text("name", tables.string(e.name()), to);
      default -> {
        arguments(e, to);
        to.append("}\n");
        out.text(to.toString());
        return;
      }
    }
    stack("stack", e.stack(), tables, to);
    if (e.transitionStack() != e.stack()) {
      stack("ofStack", e.transitionStack(), tables, to);
    }
    to.append("}\n");
    out.text(to.toString());
  }

  /** In an object of their own: a P that is woken is not the P that it happened on. */
  private static void arguments(TraceEvent e, StringBuilder to) {
    List<String> names = EventTypes.argumentNames(e.type());
    if (names.isEmpty()) {
      return;
    }
    to.append(",\"args\":{");
    for (int i = 0; i < names.size(); i++) {
      to.append(i == 0 ? "\"" : ",\"").append(names.get(i)).append("\":").append(e.arg(i));
    }
    to.append('}');
  }

  private static void id(String name, long id, StringBuilder to) {
    if (id >= 0) {
      number(name, id, to);
    }
  }

  private static void number(String name, long value, StringBuilder to) {
    to.append(",\"").append(name).append("\":").append(value);
  }

  private static void text(String name, String value, StringBuilder to) {
    if (!value.isEmpty()) {
      to.append(",\"").append(name).append("\":").append(Json.quote(value));
    }
  }

  private static void stack(String name, int stack, TraceTables tables, StringBuilder to) {
    if (tables.depth(stack) == 0) {
      return;
    }
    to.append(",\"").append(name).append("\":[");
    char separator = ' ';
    for (Frame f : tables.stack(stack)) {
      to.append(separator == ' ' ? "" : ",").append("{\"function\":");
      separator = ',';
      to.append(Json.quote(tables.function(f))).append(",\"file\":");
      to.append(Json.quote(tables.file(f))).append(",\"line\":").append(f.line()).append('}');
    }
    to.append(']');
  }
}
