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
  private final SchedulerPoints schedulerPoints;
  private boolean started;
  private long base;
  private long now;

  private byte[] gState = new byte[64];
  private int[] gThread = new int[64];
  private int[] pThread = new int[16];
  private int[] pGoroutine = new int[16];
  private int[] mProc = new int[16];
  private int[] mGoroutine = new int[16];
  private long lastGoid = -1;
  private int lastG = NOBODY;
  private int[] reasonOfString = new int[64];
  private int idleProcs;
  private int runningProcs;
  private int parked;
  private int spinning;
  private int threads;
  private final Series procsRunning;
  private final Series procsIdle;
  private final Series threadsTotal;
  private final Series threadsParked;
  private final Series threadsSpinning;

  /** A builder for what {@code reader} is going to deliver. */
  public ModelBuilder(TraceReader reader) {
    model = new TraceModel(reader.info(), reader.tables());
    schedulerPoints = new SchedulerPoints(model, this);
    Arrays.fill(pThread, NOBODY);
    Arrays.fill(pGoroutine, NOBODY);
    Arrays.fill(mProc, NOBODY);
    Arrays.fill(mGoroutine, NOBODY);
    model.reasons.add("");
    model.reasonStates.add(SpanState.WAIT_OTHER);
    Arrays.fill(reasonOfString, -1);
    reasonOfString[0] = 0;
    String procs = reader.info().properties().getOrDefault("maxprocs", "");
    if (procs.matches("[1-9]\\d{0,6}")) {
      seriesOf("gomaxprocs").add(0, Long.parseLong(procs));
    }
    procsRunning = seriesOf("p.running");
    procsIdle = seriesOf("p.idle");
    threadsTotal = seriesOf("m.total");
    threadsParked = seriesOf("m.parked");
    threadsSpinning = seriesOf("m.spinning");
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
    int p = proc(e.proc());
    int m = thread(e.thread());
    model.marks.accept(e, now, find(e.goroutine()), p, m);
    switch (kind) {
      case METRIC -> seriesOf(metricName(model.string(e.name()))).add(now, e.value());
      case LABEL -> {
        int g = goroutine(e.resource() == ResourceKind.GOROUTINE ? e.resourceId() : e.goroutine());
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
    int g = goroutine(e.resourceId());
    if (g < 0) {
      return;
    }
    int p = proc(e.proc());
    int m = thread(e.thread());
    boolean self = e.goroutine() == e.resourceId();
    boolean first = model.goroutines.changes(g) == 0;
    GoState from = e.goFrom();
    SpanState old =
        first && from == GoState.UNDETERMINED ? SpanState.UNKNOWN : SpanState.of(gState[g]);
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
    int actor = self || status || to == GoState.RUNNING ? NOBODY : find(e.goroutine());
    if (from == GoState.NOT_EXIST) {
      model.goroutines.created.set(g, now);
      model.goroutines.ended.set(g, -1);
      model.goroutines.parent.set(g, actor);
    }
    if (to == GoState.NOT_EXIST) {
      model.goroutines.ended.set(g, now);
    }
    int i = change(g, old, state, reason, p, m, e.stack(), actor);
    if (to.executing()) {
      enter(g, i, p, m, state);
    } else {
      leave(g, i);
    }
  }

  /** Whether a generation's status record only repeats what is known. */
  private boolean confirms(int g, GoState to) {
    SpanState state = SpanState.of(gState[g]);
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

  private int change(
      int g, SpanState old, SpanState state, int reason, int p, int m, int stack, int actor) {
    int rank = model.goroutines.changes(g);
    model.goroutines.changes.set(g, rank + 1);
    gState[g] = (byte) state.code();
    return model.goroutineLog.add(
        now, g, old.code(), state.code(), reason, p, m, stack, actor, rank);
  }

  /** The goroutine is on a thread from now on, with a processor or without. */
  private void enter(int g, int i, int p, int m, SpanState state) {
    int before = gThread[g] - 1;
    if (before >= 0 && before != m && mGoroutine[before] == g) {
      mGoroutine[before] = NOBODY;
    }
    gThread[g] = m + 1;
    if (m >= 0) {
      mGoroutine[m] = g;
      threadState(m, Lanes.GOROUTINE, i, state);
    }
    if (p >= 0) {
      pGoroutine[p] = g;
      model.procLanes.begin(p, Lanes.GOROUTINE, i, state);
    }
  }

  /** The goroutine is on no thread from now on. */
  private void leave(int g, int i) {
    int m = gThread[g] - 1;
    gThread[g] = 0;
    if (m < 0 || mGoroutine[m] != g) {
      return;
    }
    mGoroutine[m] = NOBODY;
    threadState(m, Lanes.GOROUTINE, i, SpanState.SCHEDULING);
    int p = mProc[m];
    if (p >= 0 && pGoroutine[p] == g) {
      pGoroutine[p] = NOBODY;
      model.procLanes.begin(p, Lanes.GOROUTINE, i, SpanState.SCHEDULING);
    }
  }

  private void procChange(TraceEvent e) {
    int p = proc(e.resourceId());
    if (p < 0) {
      return;
    }
    int by = thread(e.thread());
    SpanState old =
        model.procLanes.size(p) == 0 ? SpanState.UNKNOWN : procStateOf(model.procLanes.current(p));
    ProcState to = e.procTo();
    if (e.procFrom() == to
        && old == (to == ProcState.RUNNING ? SpanState.SCHEDULING : SpanState.IDLE)) {
      return;
    }
    if (to == ProcState.RUNNING) {
      int m = holder(e, by, p);
      int i = procState(p, old, SpanState.SCHEDULING, m, by);
      pThread[p] = m;
      if (m >= 0) {
        mProc[m] = p;
        int g = mGoroutine[m];
        if (g < 0) {
          threadState(m, Lanes.PROC, i, SpanState.SCHEDULING);
        }
      }
      return;
    }
    int m = e.type() == EventTypes.PROC_STEAL ? thread(e.other()) : pThread[p];
    if (m < 0) {
      m = pThread[p];
    }
    int i = procState(p, old, to == ProcState.IDLE ? SpanState.IDLE : SpanState.NONE, m, by);
    if (e.type() == EventTypes.PROC_STEAL) {
      model.points.add(
          now,
          PointKind.PROC_STEAL,
          m < 0 ? NOBODY : mGoroutine[m],
          p,
          by,
          model.threads.id(m),
          0,
          0);
    }
    pThread[p] = NOBODY;
    pGoroutine[p] = NOBODY;
    if (m >= 0 && mProc[m] == p) {
      mProc[m] = NOBODY;
      int g = mGoroutine[m];
      if (g >= 0 && gState[g] == SpanState.SYSCALL.code()) {
        int k = change(g, SpanState.SYSCALL, SpanState.SYSCALL_NO_P, 0, p, by, 0, NOBODY);
        threadState(m, Lanes.GOROUTINE, k, SpanState.SYSCALL_NO_P);
      } else if (g < 0 && model.threadLanes.current(m) != SpanState.SPINNING) {
        threadState(m, Lanes.PROC, i, SpanState.IDLE);
      }
    }
  }

  /**
   * Who holds a processor that is said to be running: the thread that says so, unless it holds
   * another.
   */
  private int holder(TraceEvent e, int by, int p) {
    if (e.procFrom() == ProcState.UNDETERMINED && by >= 0 && mProc[by] >= 0 && mProc[by] != p) {
      return NOBODY;
    }
    return by;
  }

  private static SpanState procStateOf(SpanState lane) {
    return lane == SpanState.IDLE || lane == SpanState.NONE || lane == SpanState.UNKNOWN
        ? lane
        : SpanState.SCHEDULING;
  }

  private int procState(int p, SpanState old, SpanState to, int m, int by) {
    int i = model.procLog.add(now, p, old.code(), to.code(), m, by);
    model.procLanes.begin(p, Lanes.PROC, i, to);
    countProc(old, -1);
    countProc(to, 1);
    procsRunning.add(now, runningProcs);
    procsIdle.add(now, idleProcs);
    return i;
  }

  private void countProc(SpanState state, int by) {
    if (state == SpanState.IDLE) {
      idleProcs += by;
    } else if (state == SpanState.SCHEDULING) {
      runningProcs += by;
    }
  }

  /** A thread is in a state from now on; the logs' {@code index} is where that was recorded. */
  void threadState(int m, int log, int index, SpanState state) {
    SpanState old = model.threadLanes.current(m);
    model.threadLanes.begin(m, log, index, state);
    if (old == state) {
      return;
    }
    threads += (old == SpanState.NONE ? 1 : 0) - (state == SpanState.NONE ? 1 : 0);
    parked += (state == SpanState.IDLE ? 1 : 0) - (old == SpanState.IDLE ? 1 : 0);
    spinning += (state == SpanState.SPINNING ? 1 : 0) - (old == SpanState.SPINNING ? 1 : 0);
    threadsTotal.add(now, threads);
    threadsParked.add(now, parked);
    threadsSpinning.add(now, spinning);
  }

  /** Events of this processor were lost: what was on it is unknown until it is heard of again. */
  void lost(int p, int point) {
    if (p < 0) {
      return;
    }
    int g = pGoroutine[p];
    if (g >= 0) {
      change(g, SpanState.of(gState[g]), SpanState.UNKNOWN, 0, p, pThread[p], 0, NOBODY);
      gThread[g] = 0;
      pGoroutine[p] = NOBODY;
      if (pThread[p] >= 0) {
        mGoroutine[pThread[p]] = NOBODY;
      }
    }
    model.procLanes.begin(p, Lanes.POINT, point, SpanState.UNKNOWN);
  }

  /** A time of the trace's clock, since the first event. */
  long relative(long time) {
    return Math.max(0, time - base);
  }

  /** The goroutine a thread runs, or -1. */
  int goroutineOn(int m) {
    return m < 0 ? NOBODY : mGoroutine[m];
  }

  Series seriesOf(String name) {
    return model.series.computeIfAbsent(name, Series::new);
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

  private int goroutine(long goid) {
    if (goid == TraceEvent.NONE) {
      return NOBODY;
    }
    if (goid == lastGoid) {
      return lastG;
    }
    int g = model.goroutines.find(goid);
    if (g < 0) {
      g = model.goroutines.add(goid);
      if (g >= gState.length) {
        gState = Arrays.copyOf(gState, g * 2);
        gThread = Arrays.copyOf(gThread, g * 2);
      }
    }
    lastGoid = goid;
    lastG = g;
    return g;
  }

  private int proc(long id) {
    int p = model.procs.index(id);
    if (p >= pThread.length) {
      pThread = grow(pThread, p);
      pGoroutine = grow(pGoroutine, p);
    }
    return p;
  }

  int thread(long id) {
    int m = model.threads.index(id);
    if (m >= mProc.length) {
      mProc = grow(mProc, m);
      mGoroutine = grow(mGoroutine, m);
    }
    return m;
  }

  private static int[] grow(int[] a, int index) {
    int[] bigger = Arrays.copyOf(a, Math.max(index + 1, a.length * 2));
    Arrays.fill(bigger, a.length, bigger.length, NOBODY);
    return bigger;
  }
}
