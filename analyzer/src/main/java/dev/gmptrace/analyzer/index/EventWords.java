package dev.gmptrace.analyzer.index;

import dev.gmptrace.analyzer.model.GoroutineLog;
import dev.gmptrace.analyzer.model.MarkLog;
import dev.gmptrace.analyzer.model.PointKind;
import dev.gmptrace.analyzer.model.ProcLog;
import dev.gmptrace.analyzer.model.SpanState;
import dev.gmptrace.analyzer.model.TraceModel;
import dev.gmptrace.analyzer.read.ResourceKind;

/** An event as a sentence, and what it is about. */
final class EventWords {
  private final TraceModel model;
  private final SpanLookup spans;
  private final PointQuery points;

  EventWords(TraceModel model, SpanLookup spans, PointQuery points) {
    this.model = model;
    this.spans = spans;
    this.points = points;
  }

  String goroutine(int i) {
    GoroutineLog log = model.goroutineLog();
    SpanState old = SpanState.of(log.oldState(i));
    SpanState to = SpanState.of(log.newState(i));
    return old.label() + " → " + to.label() + ". " + spans.whyChange(i, true);
  }

  String proc(int i) {
    ProcLog log = model.procLog();
    boolean taken = log.by(i) >= 0 && log.by(i) != log.m(i) && log.m(i) >= 0;
    if (taken) {
      return "taken from its thread by M" + model.threads().id(log.by(i));
    }
    return switch (SpanState.of(log.newState(i))) {
      case IDLE -> "idle";
      case NONE -> "ended";
      default -> "held by a thread";
    };
  }

  String point(int i) {
    PointKind kind = model.points().kind(i);
    String text = points.text(i);
    return switch (kind) {
      case SPIN_START -> "the thread begins to look for work";
      case SPIN_STOP -> "the thread stops looking for work";
      case THREAD_START, THREAD_STOP, THREAD_PARK -> kind.label();
      case THREAD_UNPARK -> kind.label() + " " + text;
      case SYNC -> "generation " + model.points().a(i);
      default -> text.isEmpty() ? kind.label() : text;
    };
  }

  /** The goroutine that a mark is about, or happened on. */
  long markGoroutine(int i) {
    return id(i, ResourceKind.GOROUTINE, model.goroutines().id(model.marks().g(i)));
  }

  /** The processor that a mark is about, or happened on. */
  long markProc(int i) {
    return id(i, ResourceKind.PROC, model.procs().id(model.marks().p(i)));
  }

  private long id(int i, ResourceKind wanted, long otherwise) {
    MarkLog log = model.marks();
    return switch (log.kind(i)) {
      case RANGE_BEGIN, RANGE_ACTIVE, RANGE_END ->
          log.about(i) == wanted ? log.value(i) : otherwise;
      case QUEUE_SAMPLE ->
          wanted == ResourceKind.PROC && log.other(i) >= 0 ? log.other(i) : otherwise;
      default -> otherwise;
    };
  }

  String mark(int i) {
    MarkLog log = model.marks();
    String name = model.string(log.name(i));
    long value = log.value(i);
    return switch (log.kind(i)) {
      case METRIC -> name + " = " + value;
      case STACK_SAMPLE -> "CPU sample" + top((int) value);
      case RANGE_BEGIN -> name + " begins" + about(i);
      case RANGE_ACTIVE -> name + " is under way" + about(i);
      case RANGE_END -> name + " ends" + about(i);
      case TASK_BEGIN -> "task " + value + " " + name + " begins" + parent(log.other(i));
      case TASK_END -> "task " + value + " " + name + " ends" + parent(log.other(i));
      case REGION_BEGIN -> "region " + name + " begins" + inTask(value);
      case REGION_END -> "region " + name + " ends" + inTask(value);
      case QUEUE_SAMPLE ->
          (log.other(i) < 0 ? "global queue" : "queue of P" + log.other(i)) + " = " + value;
      case GC_INFO -> "collection " + value + ": " + name + ", " + model.string((int) log.other(i));
      default -> name.isEmpty() ? "argument " + value : name;
    };
  }

  private String about(int i) {
    long id = model.marks().value(i);
    return switch (model.marks().about(i)) {
      case GOROUTINE -> " on G" + id;
      case PROC -> " on P" + id;
      case THREAD -> " on M" + id;
      case NONE -> "";
    };
  }

  private String top(int stack) {
    int depth = model.tables().depth(stack);
    return depth == 0 ? "" : " in " + model.frame(model.tables().frameId(stack, 0)).function();
  }

  private static String parent(long task) {
    return task > 0 ? ", part of " + task : "";
  }

  private static String inTask(long task) {
    return task > 0 ? ", task " + task : "";
  }
}
