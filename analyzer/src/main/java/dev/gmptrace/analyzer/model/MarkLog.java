package dev.gmptrace.analyzer.model;

import dev.gmptrace.analyzer.read.EventKind;
import dev.gmptrace.analyzer.read.EventTypes;
import dev.gmptrace.analyzer.read.ResourceKind;
import dev.gmptrace.analyzer.read.TraceEvent;
import java.util.List;

/**
 * Where the events are that begin, end or measure something: ranges, tasks, regions, metrics,
 * samples. What they are about is in {@link Ranges}, {@link Annotations} and {@link Series}, which
 * are in order of their beginnings; this log is all of them in the order of the trace, for whoever
 * wants to list events.
 *
 * <pre>
 *   time            when
 *   kind            {@link EventKind}
 *   g, p, m         where it happened (dense indexes)
 *   name            string id of its name
 *   value, other    of a range whom it is about, id and {@link ResourceKind}; of a task it and its
 *                   parent; of a region its task; of a metric its value; of a CPU sample the stack;
 *                   of a queue sample the length and the processor, -1 for the global queue; of a
 *                   collection its number and the string id of its cause
 * </pre>
 */
public final class MarkLog {
  private static final List<EventKind> KINDS = List.of(EventKind.values());
  private static final List<ResourceKind> RESOURCES = List.of(ResourceKind.values());

  private final PackedColumn time = new PackedColumn();
  private final PackedColumn kind = new PackedColumn();
  private final PackedColumn g = new PackedColumn();
  private final PackedColumn p = new PackedColumn();
  private final PackedColumn m = new PackedColumn();
  private final PackedColumn name = new PackedColumn();
  private final PackedColumn value = new PackedColumn();
  private final PackedColumn other = new PackedColumn();
  private long latest;

  /** Keeps an event, if it is one of those that belong here. */
  void accept(TraceEvent e, long now, int goroutine, int proc, int thread) {
    EventKind what = e.kind();
    switch (what) {
      case METRIC -> add(now, what, goroutine, proc, thread, e.name(), e.value(), 0);
      case STACK_SAMPLE -> add(now, what, goroutine, proc, thread, 0, e.stack(), 0);
      case RANGE_BEGIN, RANGE_ACTIVE, RANGE_END -> {
        int about = RESOURCES.indexOf(e.resource());
        add(now, what, goroutine, proc, thread, e.name(), e.resourceId(), about);
      }
      case TASK_BEGIN, TASK_END, REGION_BEGIN, REGION_END ->
          add(now, what, goroutine, proc, thread, e.name(), e.task(), e.parentTask());
      case QUEUE_SAMPLE -> {
        boolean global = e.type() == EventTypes.SCHED_SAMPLE;
        long length = global ? e.value() : e.arg(1);
        add(now, what, goroutine, proc, thread, 0, length, global ? -1 : e.arg(0));
      }
      case GC_INFO -> add(now, what, goroutine, proc, thread, e.name(), e.value(), e.text());
      case EXPERIMENTAL -> add(now, what, goroutine, proc, thread, 0, e.arg(0), 0);
      default -> {
        // A change of state or a point: those have logs of their own.
      }
    }
  }

  private void add(
      long at,
      EventKind what,
      int goroutine,
      int proc,
      int thread,
      int nameId,
      long first,
      long second) {
    // CPU samples are only approximately in order; the column must be.
    latest = Math.max(latest, at);
    time.add(latest);
    kind.add(KINDS.indexOf(what));
    g.add(goroutine);
    p.add(proc);
    m.add(thread);
    name.add(nameId);
    value.add(first);
    other.add(second);
  }

  /** Number of marks. */
  public int size() {
    return time.size();
  }

  /** When mark {@code i} was. */
  public long time(int i) {
    return time.get(i);
  }

  /** The first mark not before {@code at}. */
  public int lowerBound(long at) {
    return time.lowerBound(at);
  }

  /** What it says. */
  public EventKind kind(int i) {
    return KINDS.get(kind.getInt(i));
  }

  /** Goroutine (dense index) or -1. */
  public int g(int i) {
    return g.getInt(i);
  }

  /** Processor (dense index) or -1. */
  public int p(int i) {
    return p.getInt(i);
  }

  /** Thread (dense index) or -1. */
  public int m(int i) {
    return m.getInt(i);
  }

  /** String id of its name. */
  public int name(int i) {
    return name.getInt(i);
  }

  /** Its number; see above. */
  public long value(int i) {
    return value.get(i);
  }

  /** Its second number; see above. */
  public long other(int i) {
    return other.get(i);
  }

  /** What kind of thing a range is about. */
  public ResourceKind about(int i) {
    return RESOURCES.get(other.getInt(i));
  }

  /** Bytes held, for the memory report. */
  public long bytes() {
    return time.bytes()
        + kind.bytes()
        + g.bytes()
        + p.bytes()
        + m.bytes()
        + name.bytes()
        + value.bytes()
        + other.bytes();
  }
}
