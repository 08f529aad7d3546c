package dev.gmptrace.analyzer.read;

import java.util.HashMap;
import java.util.Map;

/**
 * The rules for everything that is no state of a G or P: ranges of the garbage collector and of
 * stop-the-world, metrics, and what a program says about itself (tasks, regions, logs, labels).
 * Answers as {@link SchedulingRules} does.
 */
final class AnnotationRules {
  private static final int UNDETERMINED = 0;
  private static final int NOT_RUNNING = 1;
  private static final int RUNNING = 2;

  private final OrderContext ctx;
  private final LongMap<Task> tasks = new LongMap<>();
  private final Map<Integer, Integer> stwNames = new HashMap<>();
  private final int gcName;
  private final int sweepName;
  private final int assistName;
  private final int procsName;
  private final int heapName;
  private final int goalName;

  private int gcState = UNDETERMINED;
  private long gcSeq;

  private record Task(long parent, int name) {}

  AnnotationRules(OrderContext ctx) {
    this.ctx = ctx;
    TraceTables tables = ctx.tables;
    gcName = tables.addString("GC concurrent mark phase");
    sweepName = tables.addString("GC incremental sweep");
    assistName = tables.addString("GC mark assist");
    procsName = tables.addString("/sched/gomaxprocs:threads");
    heapName = tables.addString("/memory/classes/heap/objects:bytes");
    goalName = tables.addString("/gc/heap/goal:bytes");
  }

  // Metrics and experiments.

  boolean procsChange(EventStream s) throws DamageException {
    ctx.needGoroutine(s);
    return procsChangeAnywhere(s);
  }

  boolean procsChangeAnywhere(EventStream s) throws DamageException {
    int stack = ctx.stack(s, s.args[1]);
    int row = metric(s, procsName);
    ctx.stacks(row, stack, 0);
    return true;
  }

  boolean heapMetric(EventStream s) throws DamageException {
    ctx.needProc(s);
    return heapMetricAnywhere(s);
  }

  boolean heapMetricAnywhere(EventStream s) {
    metric(s, s.type == EventTypes.HEAP_ALLOC ? heapName : goalName);
    return true;
  }

  private int metric(EventStream s, int name) {
    int row = ctx.row(s, s.type);
    ctx.names(row, name, 0);
    ctx.set(row, TraceEvent.VALUE, s.args[0]);
    return row;
  }

  boolean experimental(EventStream s) throws DamageException {
    ctx.needThread(s);
    int row = ctx.row(s, s.type);
    ctx.set(row, TraceEvent.VALUE, s.args[0]);
    ctx.set(row, TraceEvent.VALUE2, s.args[1]);
    ctx.set(row, TraceEvent.TASK, s.args[2]);
    return true;
  }

  // The mark phase of the garbage collector. Begin and end may come from different threads, hence
  // the sequence number.

  boolean gcActive(EventStream s) throws DamageException {
    long seq = s.args[0];
    if (ctx.firstGeneration()) {
      if (gcState != UNDETERMINED) {
        throw ctx.impossible(s, "it is not the first GC event of the first generation");
      }
      gcState = RUNNING;
    } else {
      if (seq != gcSeq + 1) {
        return false;
      }
      if (gcState != RUNNING) {
        throw ctx.impossible(s, "no GC is in progress");
      }
      ctx.needGoroutine(s);
    }
    gcSeq = seq;
    gcRange(s, 0);
    return true;
  }

  boolean gcBegin(EventStream s) throws DamageException {
    long seq = s.args[0];
    if (gcState != UNDETERMINED) {
      if (seq != gcSeq + 1) {
        return false;
      }
      if (gcState == RUNNING) {
        throw ctx.impossible(s, "a GC is already in progress");
      }
      ctx.needGoroutine(s);
    }
    int stack = ctx.stack(s, s.args[1]);
    gcSeq = seq;
    gcState = RUNNING;
    gcRange(s, stack);
    return true;
  }

  boolean gcEnd(EventStream s) throws DamageException {
    long seq = s.args[0];
    if (seq != gcSeq + 1) {
      return false;
    }
    if (gcState != RUNNING) {
      throw ctx.impossible(s, "no GC is in progress");
    }
    ctx.needGoroutine(s);
    gcSeq = seq;
    gcState = NOT_RUNNING;
    gcRange(s, 0);
    return true;
  }

  private void gcRange(EventStream s, int stack) {
    int row = ctx.row(s, s.type);
    ctx.names(row, gcName, 0);
    ctx.stacks(row, stack, 0);
    ctx.set(row, TraceEvent.VALUE, s.args[0]);
  }

  // Sweeping, a range of a P.

  boolean sweepBegin(EventStream s) throws DamageException {
    ctx.needProc(s);
    ProcRecord p = proc(s);
    int stack = ctx.stack(s, s.args[0]);
    begin(s, p.ranges, EventTypes.GC_SWEEP_BEGIN, 0);
    range(s, sweepName, stack, ResourceKind.PROC, p.id);
    return true;
  }

  boolean sweepActive(EventStream s) throws DamageException {
    ProcRecord p = ctx.procs.get(s.args[0]);
    if (p == null) {
      throw ctx.impossible(s, "nothing is known of proc " + s.args[0]);
    }
    active(s, p.ranges, EventTypes.GC_SWEEP_BEGIN);
    range(s, sweepName, 0, ResourceKind.PROC, p.id);
    return true;
  }

  boolean sweepEnd(EventStream s) throws DamageException {
    ctx.needProc(s);
    ProcRecord p = proc(s);
    end(s, p.ranges, EventTypes.GC_SWEEP_BEGIN);
    int row = range(s, sweepName, 0, ResourceKind.PROC, p.id);
    ctx.set(row, TraceEvent.VALUE, s.args[0]);
    ctx.set(row, TraceEvent.VALUE2, s.args[1]);
    return true;
  }

  private ProcRecord proc(EventStream s) throws DamageException {
    ProcRecord p = s.thread.proc;
    if (p == null) {
      throw ctx.impossible(s, "nothing is known of proc " + s.thread.p);
    }
    return p;
  }

  // Mark assists and stop-the-world, ranges of a goroutine.

  boolean assistBegin(EventStream s) throws DamageException {
    GoRecord g = goroutine(s);
    int stack = ctx.stack(s, s.args[0]);
    begin(s, g.ranges, EventTypes.GC_MARK_ASSIST_BEGIN, 0);
    range(s, assistName, stack, ResourceKind.GOROUTINE, g.id);
    return true;
  }

  boolean assistActive(EventStream s) throws DamageException {
    GoRecord g = ctx.goroutines.get(s.args[0]);
    if (g == null) {
      throw ctx.impossible(s, "nothing is known of goroutine " + s.args[0]);
    }
    active(s, g.ranges, EventTypes.GC_MARK_ASSIST_BEGIN);
    range(s, assistName, 0, ResourceKind.GOROUTINE, g.id);
    return true;
  }

  boolean assistEnd(EventStream s) throws DamageException {
    GoRecord g = goroutine(s);
    end(s, g.ranges, EventTypes.GC_MARK_ASSIST_BEGIN);
    range(s, assistName, 0, ResourceKind.GOROUTINE, g.id);
    return true;
  }

  boolean stwBegin(EventStream s) throws DamageException {
    GoRecord g = goroutine(s);
    int kind = ctx.string(s, s.args[0]);
    int stack = ctx.stack(s, s.args[1]);
    begin(s, g.ranges, EventTypes.STW_BEGIN, kind);
    range(s, stwName(kind), stack, ResourceKind.GOROUTINE, g.id);
    return true;
  }

  boolean stwEnd(EventStream s) throws DamageException {
    GoRecord g = goroutine(s);
    int kind = end(s, g.ranges, EventTypes.STW_BEGIN);
    range(s, stwName(kind), 0, ResourceKind.GOROUTINE, g.id);
    return true;
  }

  int stwName(int kind) {
    Integer known = stwNames.get(kind);
    if (known == null) {
      known = ctx.tables.addString("stop-the-world (" + ctx.tables.string(kind) + ")");
      stwNames.put(kind, known);
    }
    return known;
  }

  private GoRecord goroutine(EventStream s) throws DamageException {
    ctx.needGoroutine(s);
    GoRecord g = ctx.current(s.thread);
    if (g == null) {
      throw ctx.impossible(s, "nothing is known of goroutine " + s.thread.g);
    }
    return g;
  }

  private void begin(EventStream s, ActiveRanges ranges, int beginType, int detail)
      throws DamageException {
    if (ranges.contains(beginType, detail)) {
      throw ctx.impossible(s, "such a range is already under way");
    }
    ranges.add(beginType, detail);
  }

  /** In the first generation a range may have begun before; later it must be known already. */
  private void active(EventStream s, ActiveRanges ranges, int beginType) throws DamageException {
    boolean known = ranges.contains(beginType, 0);
    if (known == ctx.firstGeneration()) {
      throw ctx.impossible(
          s, known ? "such a range is already under way" : "no such range is under way");
    }
    if (!known) {
      ranges.add(beginType, 0);
    }
  }

  private int end(EventStream s, ActiveRanges ranges, int beginType) throws DamageException {
    int detail = ranges.end(beginType);
    if (detail < 0) {
      throw ctx.impossible(s, "no such range is under way");
    }
    return detail;
  }

  private int range(EventStream s, int name, int stack, ResourceKind kind, long id) {
    int row = ctx.row(s, s.type);
    ctx.names(row, name, 0);
    ctx.stacks(row, stack, 0);
    ctx.scope(row, kind, id);
    return row;
  }

  // What programs say.

  boolean label(EventStream s) throws DamageException {
    ctx.needGoroutine(s);
    int label = ctx.string(s, s.args[0]);
    range(s, label, 0, ResourceKind.GOROUTINE, s.thread.g);
    return true;
  }

  boolean taskBegin(EventStream s) throws DamageException {
    long id = s.args[0];
    if (tasks.get(id) != null) {
      throw ctx.impossible(s, "task " + id + " has already begun");
    }
    // Only for regions is 0 the background task; here it means that there is no parent.
    long parent = s.args[1] == 0 ? TraceEvent.NO_TASK : s.args[1];
    int name = ctx.string(s, s.args[2]);
    ctx.needGoroutine(s);
    int stack = ctx.stack(s, s.args[3]);
    tasks.put(id, new Task(parent, name));
    task(s, id, parent, name, stack);
    return true;
  }

  boolean taskEnd(EventStream s) throws DamageException {
    long id = s.args[0];
    ctx.needGoroutine(s);
    int stack = ctx.stack(s, s.args[1]);
    Task begun = tasks.get(id);
    tasks.remove(id);
    // A task may end often, and may have begun before the trace did.
    task(
        s,
        id,
        begun == null ? TraceEvent.NO_TASK : begun.parent,
        begun == null ? 0 : begun.name,
        stack);
    return true;
  }

  private void task(EventStream s, long id, long parent, int name, int stack) {
    int row = ctx.row(s, s.type);
    ctx.set(row, TraceEvent.TASK, id);
    ctx.set(row, TraceEvent.VALUE, parent);
    ctx.names(row, name, 0);
    ctx.stacks(row, stack, 0);
  }

  boolean region(EventStream s) throws DamageException {
    GoRecord g = goroutine(s);
    long task = s.args[0];
    int name = ctx.string(s, s.args[1]);
    int stack = ctx.stack(s, s.args[2]);
    if (s.type == EventTypes.USER_REGION_BEGIN) {
      g.beginRegion(task, name);
    } else if (!g.endRegion(task, name)) {
      throw ctx.impossible(
          s,
          "region \"" + ctx.tables.string(name) + "\" is not the innermost of goroutine " + g.id);
    }
    int row = range(s, name, stack, ResourceKind.GOROUTINE, g.id);
    ctx.set(row, TraceEvent.TASK, task);
    return true;
  }

  boolean log(EventStream s) throws DamageException {
    ctx.needGoroutine(s);
    int category = ctx.string(s, s.args[1]);
    int message = ctx.string(s, s.args[2]);
    int stack = ctx.stack(s, s.args[3]);
    int row = range(s, category, stack, ResourceKind.GOROUTINE, s.thread.g);
    ctx.names(row, category, message);
    ctx.set(row, TraceEvent.TASK, s.args[0]);
    return true;
  }
}
