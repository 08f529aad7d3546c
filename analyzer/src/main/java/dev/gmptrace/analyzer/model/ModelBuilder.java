package dev.gmptrace.analyzer.model;

import dev.gmptrace.analyzer.read.EventKind;
import dev.gmptrace.analyzer.read.EventSink;
import dev.gmptrace.analyzer.read.EventTypes;
import dev.gmptrace.analyzer.read.GoState;
import dev.gmptrace.analyzer.read.ProcState;
import dev.gmptrace.analyzer.read.ReadResult;
import dev.gmptrace.analyzer.read.ResourceKind;
import dev.gmptrace.analyzer.read.TraceEvent;
import dev.gmptrace.analyzer.read.TraceReader;
import java.util.Arrays;

/**
 * The one pass: takes the ordered events and fills a {@link TraceModel}.
 *
 * <p>It follows who is where (which thread holds which processor and runs which goroutine) because
 * an event only says what changed. Three things it adds to what the events say:
 *
 * <ol>
 *   <li>A goroutine in a system call whose processor is taken changes from {@code SYSCALL} to
 *       {@code SYSCALL_NO_P} at that moment, although Go's events have no transition there.
 *   <li>A goroutine stopped with the reason "preempted" is {@code PREEMPTED}, not merely runnable.
 *   <li>Where events were lost, what was on that processor becomes {@code UNKNOWN} until the next
 *       record about it. Guessing would draw a lie.
 * </ol>
 */
public final class ModelBuilder implements EventSink {
  private static final int NOBODY = GoroutineLog.NOBODY;
  private static final int MAX_REASONS = 0xffff;

  private final TraceModel model;
  private final Places places;
  private final SchedulerPoints schedulerPoints;
  private boolean started;
  private long base;
  private long now;

  private int[] reasonOfString = new int[64];

  /** A builder for what {@code reader} is going to deliver. */
  public ModelBuilder(TraceReader reader) {
    model = new TraceModel(reader.info(), reader.tables());
    places = new Places(model);
    schedulerPoints = new SchedulerPoints(model, this, places);
    model.reasons.add("");
    model.reasonStates.add(SpanState.WAIT_OTHER);
    Arrays.fill(reasonOfString, -1);
    reasonOfString[0] = 0;
    String procs = reader.info().properties().getOrDefault("maxprocs", "");
    if (procs.matches("[1-9]\\d{0,6}")) {
      seriesOf("gomaxprocs").add(0, Long.parseLong(procs));
      places.maxProcs(Long.parseLong(procs));
    }
  }

  /** Ends the pass: what was still open is closed at the end of the trace. */
  public TraceModel finish(ReadResult result) {
    model.finish(result);
    return model;
  }

  /** The time of the latest event, since the first. */
  public long now() {
    return now;
  }

  @Override
  public void event(TraceEvent e) {
    if (!started) {
      started = true;
      base = e.time();
    }
    now = e.time() - base;
    places.now = now;
    EventKind kind = e.kind();
    if (kind == EventKind.STATE_TRANSITION) {
      if (e.resource() == ResourceKind.GOROUTINE) {
        goroutineChange(e);
      } else if (e.resource() == ResourceKind.PROC) {
        procChange(e);
      }
      return;
    }
    other(e, kind);
  }

  private void other(TraceEvent e, EventKind kind) {
    int p = places.proc(e.proc());
    int m = places.thread(e.thread());
    model.marks.accept(e, now, find(e.goroutine()), p, m);
    switch (kind) {
      case METRIC -> {
        seriesOf(metricName(model.string(e.name()))).add(now, e.value());
        if (e.type() == EventTypes.PROCS_CHANGE) {
          places.maxProcs(e.value());
        }
      }
      case LABEL -> {
        int g =
            places.goroutine(
                e.resource() == ResourceKind.GOROUTINE ? e.resourceId() : e.goroutine());
        if (g >= 0) {
          model.goroutines.label.set(g, e.name());
        }
        model.points.add(now, PointKind.LABEL, g, p, m, 0, 0, e.name());
      }
      case STACK_SAMPLE -> model.samples.add(now, find(e.goroutine()), p, m, e.stack());
      case RANGE_BEGIN ->
          model.ranges.begin(now, e.name(), e.resource(), e.resourceId(), e.stack(), p);
      case RANGE_ACTIVE -> model.ranges.active(e.name(), e.resource(), e.resourceId(), p);
      case RANGE_END ->
          model.ranges.end(now, e.name(), e.resource(), e.resourceId(), e.value(), e.value2());
      case TASK_BEGIN ->
          model.annotations.taskBegin(
              now, e.task(), e.parentTask(), e.name(), find(e.goroutine()), e.stack());
      case TASK_END ->
          model.annotations.taskEnd(now, e.task(), e.parentTask(), e.name(), find(e.goroutine()));
      case REGION_BEGIN ->
          model.annotations.regionBegin(now, e.task(), e.name(), find(e.goroutine()), e.stack());
      case REGION_END -> model.annotations.regionEnd(now, e.task(), e.name(), find(e.goroutine()));
      case LOG -> {
        int g = find(e.goroutine());
        model.annotations.log(now, e.task(), g, e.name(), e.text());
        model.points.add(now, PointKind.LOG, g, p, m, e.task(), 0, e.text());
      }
      case SYNC -> model.points.add(now, PointKind.SYNC, NOBODY, p, m, e.value(), 0, 0);
      default -> schedulerPoints.accept(e, kind, now, p, m);
    }
  }

  private void goroutineChange(TraceEvent e) {
    int g = places.goroutine(e.resourceId());
    if (g < 0) {
      return;
    }
    int p = places.proc(e.proc());
    int m = places.thread(e.thread());
    boolean self = e.goroutine() == e.resourceId();
    boolean first = model.goroutines.changes(g) == 0;
    GoState from = e.goFrom();
    GoState to = e.goTo();
    int reason = reason(e.reason());
    name(g, e, self, from);
    if (!first && from == to && confirms(g, to)) {
      return;
    }
    boolean status = isStatus(e);
    if (status && !to.executing()) {
      p = NOBODY;
      m = NOBODY;
    }
    SpanState state = stateFor(to, from, reason, p);
    if (to == GoState.RUNNING && (p < 0 || m < 0)) {
      // The record of what it runs on is lost or still to come.
      state = SpanState.UNKNOWN;
    }
    if (to.executing()) {
      places.clear(g, p, m);
    }
    SpanState old = first && from == GoState.UNDETERMINED ? SpanState.UNKNOWN : places.state(g);
    int actor = self || status || to == GoState.RUNNING ? NOBODY : find(e.goroutine());
    if (from == GoState.NOT_EXIST) {
      model.goroutines.created.set(g, now);
      model.goroutines.parent.set(g, actor);
    }
    if (to == GoState.NOT_EXIST) {
      model.goroutines.ended.set(g, now);
    } else if (old == SpanState.NONE) {
      model.goroutines.ended.set(g, -1);
    }
    int i = places.change(g, old, state, reason, p, m, e.stack(), actor);
    if (to.executing()) {
      places.enter(g, i, p, m, state);
    } else {
      places.leave(g, i, self && !status ? m : NOBODY);
    }
  }

  /** Whether a generation's status record only repeats what is known. */
  private boolean confirms(int g, GoState to) {
    SpanState state = places.state(g);
    return switch (to) {
      case RUNNABLE -> state.runnable();
      case RUNNING -> state == SpanState.RUNNING;
      case WAITING -> state.waiting();
      case SYSCALL -> state.syscall();
      default -> false;
    };
  }

  /** Whether the event says how things are rather than how they change; then nobody did it. */
  private static boolean isStatus(TraceEvent e) {
    int type = e.type();
    return type == EventTypes.GO_STATUS
        || type == EventTypes.GO_STATUS_STACK
        || type == EventTypes.GO_STATUS_INFO;
  }

  private SpanState stateFor(GoState to, GoState from, int reason, int p) {
    return switch (to) {
      case UNDETERMINED -> SpanState.UNKNOWN;
      case NOT_EXIST -> SpanState.NONE;
      case RUNNABLE ->
          from == GoState.RUNNING && model.reasons.get(reason).equals("preempted")
              ? SpanState.PREEMPTED
              : SpanState.RUNNABLE;
      case RUNNING -> SpanState.RUNNING;
      case WAITING -> model.reasonStates.get(reason);
      case SYSCALL -> p >= 0 ? SpanState.SYSCALL : SpanState.SYSCALL_NO_P;
    };
  }

  private void procChange(TraceEvent e) {
    int p = places.proc(e.resourceId());
    if (p < 0) {
      return;
    }
    int by = places.thread(e.thread());
    if (e.procTo() == ProcState.RUNNING) {
      places.takes(p, by, e);
      return;
    }
    int m = e.type() == EventTypes.PROC_STEAL ? places.thread(e.other()) : NOBODY;
    m = m < 0 ? places.threadOf(p) : m;
    int g = places.goroutineOn(m);
    if (places.gives(p, m, by, e) && e.type() == EventTypes.PROC_STEAL) {
      model.points.add(now, PointKind.PROC_STEAL, g, p, by, model.threads.id(m), 0, 0);
    }
  }

  /** A time of the trace's clock, since the first event. */
  long relative(long time) {
    return Math.max(0, time - base);
  }

  Series seriesOf(String name) {
    return model.seriesOf(name);
  }

  private static String metricName(String name) {
    return switch (name) {
      case "/memory/classes/heap/objects:bytes" -> "heap.alloc";
      case "/gc/heap/goal:bytes" -> "heap.goal";
      case "/sched/gomaxprocs:threads" -> "gomaxprocs";
      default -> name;
    };
  }

  /** Remembers where the goroutine starts, as soon as a stack tells. */
  private void name(int g, TraceEvent e, boolean self, GoState from) {
    if (model.goroutines.name(g) != 0) {
      return;
    }
    int stack = e.transitionStack();
    if (stack == 0 && self) {
      stack = e.stack();
    }
    if (stack == 0 || model.tables.depth(stack) == 0) {
      return;
    }
    int outermost = model.tables.frameId(stack, model.tables.depth(stack) - 1);
    model.goroutines.name.set(g, model.tables.frame(outermost).function());
    if (from == GoState.NOT_EXIST || model.goroutines.startStack(g) == 0) {
      model.goroutines.startStack.set(g, stack);
    }
  }

  private int reason(int string) {
    if (string >= reasonOfString.length) {
      int n = reasonOfString.length;
      reasonOfString = Arrays.copyOf(reasonOfString, Math.max(string + 1, n * 2));
      Arrays.fill(reasonOfString, n, reasonOfString.length, -1);
    }
    int r = reasonOfString[string];
    if (r < 0) {
      String text = model.string(string);
      r = model.reasons.size() < MAX_REASONS ? model.reasons.size() : 0;
      if (r > 0) {
        model.reasons.add(text);
        model.reasonStates.add(SpanState.ofWaitReason(text));
      }
      reasonOfString[string] = r;
    }
    return r;
  }

  int find(long goid) {
    return goid == TraceEvent.NONE ? NOBODY : model.goroutines.find(goid);
  }
}
