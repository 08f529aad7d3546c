package dev.gmptrace.analyzer.read;

import dev.gmptrace.tracer.wire.EventType;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is different in a gmp trace: events of its own, ranges of the JVM that belong to nobody,
 * statuses that name the thread, and losses.
 *
 * <p><b>Losses.</b> A gmp recorder never makes the scheduler wait; when it runs out of buffers it
 * drops events and says so. Where a goroutine or P then does not fit its last recorded state, the
 * recorder writes its status again. Such a second status is believed once it is the earliest of all
 * events (its place rests on time stamps alone), and a generation that is known to have lost events
 * does not end at the first contradiction: the earliest event that nothing permits is made to fit,
 * with a transition that says "events lost", or left out when it says nothing without the lost
 * ones. Both are counted and reported.
 *
 * <p>Every generation tells the state of all that lives, so the one after a loss starts afresh:
 * what was known of threads is forgotten, the first status of each G and P is believed whatever it
 * was thought to be, and a goroutine that has none by the end of the generation ended unseen.
 */
final class GmpRules {
  private final OrderContext ctx;
  private final SchedulingRules scheduling;
  private final AnnotationRules annotations;
  private final JvmCollections collections;
  private final int lostReason;
  private final LossNotes notes = new LossNotes();

  /** Events are missing from this generation, or were from one before it. */
  private boolean lossy;

  /** They were missing from the generation before. */
  private boolean fresh;

  private boolean lostLast;

  GmpRules(OrderContext ctx, SchedulingRules scheduling, AnnotationRules annotations) {
    this.ctx = ctx;
    this.scheduling = scheduling;
    this.annotations = annotations;
    this.collections = new JvmCollections(ctx);
    this.lostReason = ctx.tables.addString("events lost");
  }

  void begin(Generation next) {
    notes.begin(next);
    fresh = lostLast;
    lostLast = next.lossy;
    lossy |= next.lossy;
    if (fresh) {
      for (ThreadState t : ctx.threads.values()) {
        t.dropP();
        t.dropG();
      }
      for (GoRecord g : ctx.goroutines.values()) {
        g.forgetRegions();
      }
    }
  }

  /** The generation is at its end; at most one row. */
  void end() {
    collections.flush();
  }

  /** The goroutines that are gone since the loss before this generation, which is at its end. */
  List<GoRecord> endedUnseen() {
    if (!fresh) {
      return List.of();
    }
    return ctx.goroutines.values().stream()
        .filter(g -> g.seqGeneration != ctx.generation)
        .sorted(Comparator.comparingLong(g -> g.id))
        .toList();
  }

  /** Says of such a goroutine that it is no more. */
  void endUnseen(GoRecord g, long offset) {
    int row =
        ctx.row(
            ctx.lastTime(),
            offset,
            EventTypes.GO_STATUS_INFO,
            TraceEvent.NONE,
            TraceEvent.NONE,
            TraceEvent.NONE);
    ctx.transition(
        row,
        ResourceKind.GOROUTINE,
        g.id,
        GoRecord.publicState(g.status),
        GoState.NOT_EXIST.code());
    ctx.names(row, lostReason, 0);
    g.live = false;
    ctx.goroutines.remove(g.id);
  }

  boolean lossy() {
    return lossy;
  }

  List<TraceWarning> warnings() {
    return notes.warnings();
  }

  /** Lets an event happen if the rules allow it; {@code earliest} says that none has less time. */
  boolean apply(EventStream s, boolean earliest) throws DamageException {
    s.thread.seen = true;
    if (!lossy) {
      return rule(s, earliest);
    }
    try {
      return rule(s, earliest);
    } catch (DamageException e) {
      if (!earliest) {
        return false;
      }
      force(s);
      return true;
    }
  }

  private boolean rule(EventStream s, boolean earliest) throws DamageException {
    return switch (s.type) {
      case EventTypes.GO_START -> scheduling.goStart(s);
      case EventTypes.GO_STOP, EventTypes.GO_BLOCK -> scheduling.goStop(s);
      case EventTypes.GO_UNBLOCK -> scheduling.goUnblock(s);
      case EventTypes.GO_CREATE, EventTypes.GO_CREATE_BLOCKED -> scheduling.goCreateAnywhere(s);
      case EventTypes.GO_DESTROY -> scheduling.goDestroy(s);
      case EventTypes.GO_SWITCH, EventTypes.GO_SWITCH_DESTROY -> scheduling.goSwitch(s);
      case EventTypes.PROC_START -> scheduling.procStart(s);
      case EventTypes.PROC_STOP -> scheduling.procStop(s);
      case EventTypes.PROC_STEAL -> scheduling.procSteal(s);
      case EventTypes.GO_SYSCALL_BEGIN -> scheduling.goSyscallBegin(s);
      case EventTypes.GO_SYSCALL_END -> scheduling.goSyscallEnd(s);
      case EventTypes.GO_SYSCALL_END_BLOCKED -> scheduling.goSyscallEndBlocked(s);
      case EventTypes.GO_CREATE_SYSCALL -> scheduling.goCreateSyscall(s);
      case EventTypes.GO_DESTROY_SYSCALL -> scheduling.goDestroySyscall(s);
      case EventTypes.GO_STATUS_INFO -> goStatus(s, earliest);
      case EventTypes.PROC_STATUS_INFO -> procStatus(s, earliest);
      case EventTypes.GO_LABEL -> annotations.label(s);
      case EventTypes.USER_TASK_BEGIN -> annotations.taskBegin(s);
      case EventTypes.USER_TASK_END -> annotations.taskEnd(s);
      case EventTypes.USER_REGION_BEGIN, EventTypes.USER_REGION_END -> annotations.region(s);
      case EventTypes.USER_LOG -> annotations.log(s);
      case EventTypes.PROCS_CHANGE -> annotations.procsChangeAnywhere(s);
      case EventTypes.HEAP_ALLOC, EventTypes.HEAP_GOAL -> annotations.heapMetricAnywhere(s);
      case EventTypes.STW_BEGIN -> stwBegin(s);
      case EventTypes.STW_END -> stwEnd(s);
      case EventTypes.GC_ACTIVE, EventTypes.GC_BEGIN -> collections.begin(s);
      case EventTypes.GC_END -> collections.end(s);
      case EventTypes.CPU_SAMPLE_INFO -> cpuSample(s);
      // Delivered where the gap began; see Loss.
      case EventTypes.EVENTS_LOST -> true;
      default -> numbers(s);
    };
  }

  /** As Go's: on the thread that was sampled, not on the sampler's. */
  private boolean cpuSample(EventStream s) throws DamageException {
    int stack = ctx.stack(s, s.args[3]);
    int row = ctx.row(s.time, s.offset, EventTypes.CPU_SAMPLE, s.args[2], s.args[1], s.args[0]);
    ctx.stacks(row, stack, 0);
    return true;
  }

  /** All that changes no state: numbers, some of which name strings, threads, times. */
  private boolean numbers(EventStream s) throws DamageException {
    EventType spec = EventType.byId(s.type);
    if (spec == null || spec.fromGo()) {
      throw ctx.impossible(s, "no thread's stream contains such");
    }
    switch (s.type) {
      case EventTypes.GO_WAKE_REASON -> s.args[1] = ctx.string(s, s.args[1]);
      case EventTypes.GC_INFO -> {
        s.args[1] = ctx.string(s, s.args[1]);
        s.args[2] = ctx.string(s, s.args[2]);
        collections.named(s.args[0], (int) s.args[1]);
      }
      default -> {}
    }
    int row = ctx.row(s, s.type);
    int[] slots = ArgumentSlots.of(s.type);
    int count = Math.min(slots.length, spec.args().size() - 1);
    for (int i = 0; i < count; i++) {
      ctx.put(row, slots[i], s.args[i]);
    }
    switch (s.type) {
      case EventTypes.M_UNPARK, EventTypes.M_STATUS ->
          ctx.scope(row, ResourceKind.THREAD, s.args[0]);
      case EventTypes.M_START, EventTypes.M_STOP, EventTypes.M_PARK ->
          ctx.scope(row, ResourceKind.THREAD, s.thread.id);
      case EventTypes.TIMER_FIRED -> {
        if (s.args[0] != 0) {
          ctx.scope(row, ResourceKind.GOROUTINE, s.args[0]);
        }
      }
      case EventTypes.GO_WAKE_REASON -> ctx.scope(row, ResourceKind.GOROUTINE, s.args[0]);
      case EventTypes.QUEUE_SAMPLE -> ctx.scope(row, ResourceKind.PROC, s.args[0]);
      default -> {}
    }
    return true;
  }

  // Stop-the-world: of a goroutine, of a thread that has none (the monitor's, or one from outside),
  // or of the JVM, which is no thread of the trace and belongs to nobody.

  private boolean stwBegin(EventStream s) throws DamageException {
    int kind = ctx.string(s, s.args[0]);
    int stack = ctx.stack(s, s.args[1]);
    GoRecord g = ctx.current(s.thread);
    ActiveRanges ranges = g == null ? s.thread.ranges : g.ranges;
    ranges.add(EventTypes.STW_BEGIN, kind);
    stw(s, kind, stack, g);
    return true;
  }

  private boolean stwEnd(EventStream s) throws DamageException {
    GoRecord g = ctx.current(s.thread);
    ActiveRanges ranges = g == null ? s.thread.ranges : g.ranges;
    int kind = ranges.end(EventTypes.STW_BEGIN);
    if (kind < 0) {
      throw ctx.impossible(s, "the world was not stopped");
    }
    stw(s, kind, 0, g);
    return true;
  }

  private void stw(EventStream s, int kind, int stack, @Nullable GoRecord g) {
    int row = ctx.row(s, s.type);
    ctx.names(row, annotations.stwName(kind), 0);
    ctx.stacks(row, stack, 0);
    if (g != null) {
      ctx.scope(row, ResourceKind.GOROUTINE, g.id);
    } else if (s.thread.id != TraceEvent.NONE) {
      ctx.scope(row, ResourceKind.THREAD, s.thread.id);
    }
  }

  // Statuses, which name the thread they are about; it need not be the one that wrote them.

  private boolean goStatus(EventStream s, boolean earliest) throws DamageException {
    long id = s.args[0];
    long status = s.args[2];
    if (status < 1 || status > GoRecord.WAITING) {
      throw ctx.impossible(s, "goroutine " + id + " cannot have status " + status);
    }
    int entry = ctx.stack(s, s.args[3]);
    int reason = ctx.string(s, s.args[4]);
    boolean bound = status == GoRecord.RUNNING || status == GoRecord.SYSCALL;
    if (bound && s.args[1] < 0) {
      throw ctx.impossible(s, "goroutine " + id + " runs without a thread");
    }
    GoRecord g = ctx.goroutines.get(id);
    int from;
    if (g == null) {
      if (!ctx.firstGeneration() && !lossy) {
        throw ctx.impossible(
            s, "goroutine " + id + " was never created, and this is not the first generation");
      }
      g = new GoRecord(id, (int) status, ctx.generation);
      ctx.goroutines.put(id, g);
      from = GoState.UNDETERMINED.code();
    } else {
      from = GoRecord.publicState(g.status);
      boolean again = g.seqGeneration == ctx.generation;
      if (g.status != status || again) {
        // A second status stands for what was lost before it.
        if (!lossy) {
          throw ctx.impossible(
              s, "goroutine " + id + " is already known to be " + GoRecord.name(g.status));
        }
        if (!earliest && (again || !fresh)) {
          return false;
        }
        notes.resyncs++;
        release(g);
      }
      g.status = (int) status;
      g.restart(ctx.generation);
    }
    ThreadState t = bound ? ctx.thread(s.args[1]) : s.thread;
    int row = ctx.row(s.time, s.offset, s.type, bound ? t.id : s.thread.id, t.p, t.g);
    ctx.transition(row, ResourceKind.GOROUTINE, id, from, GoRecord.publicState((int) status));
    ctx.stacks(row, 0, entry);
    ctx.names(row, reason, 0);
    if (bound) {
      t.seen = true;
      t.bindG(g);
    }
    return true;
  }

  private boolean procStatus(EventStream s, boolean earliest) throws DamageException {
    long id = s.args[0];
    long status = s.args[1];
    if (status < 1 || status > ProcRecord.ABANDONED) {
      throw ctx.impossible(s, "proc " + id + " cannot have status " + status);
    }
    boolean bound =
        (status == ProcRecord.RUNNING || status == ProcRecord.SYSCALL) && s.args[2] >= 0;
    ProcRecord p = ctx.procs.get(id);
    int from;
    if (p == null) {
      p = new ProcRecord(id, (int) status, ctx.generation);
      ctx.procs.put(id, p);
      from = ctx.firstGeneration() ? ProcState.UNDETERMINED.code() : ProcState.NOT_EXIST.code();
    } else {
      from = ProcRecord.publicState(p.status);
      boolean again = p.seqGeneration == ctx.generation;
      if (p.status != status || again) {
        if (!lossy) {
          throw ctx.impossible(
              s, "proc " + id + " is already known to be " + ProcRecord.name(p.status));
        }
        if (!earliest && (again || !fresh)) {
          return false;
        }
        notes.resyncs++;
        release(p);
      }
      p.status = (int) status;
      p.restart(ctx.generation);
    }
    ThreadState t = bound ? ctx.thread(s.args[2]) : s.thread;
    int row = ctx.row(s.time, s.offset, s.type, t.id, t.p, t.g);
    ctx.transition(row, ResourceKind.PROC, id, from, ProcRecord.publicState((int) status));
    if (bound) {
      t.seen = true;
      t.bindP(p);
    }
    return true;
  }

  // Making events fit.

  /** Makes the event happen, whatever is known; it is the earliest, and others are missing. */
  void force(EventStream s) {
    try {
      if (adjust(s) && rule(s, true)) {
        notes.forced++;
        return;
      }
    } catch (DamageException e) {
      // Then it stays out.
    }
    notes.leftOut++;
  }

  /** Brings about the state in which the event can happen; false if it is not worth it. */
  private boolean adjust(EventStream s) {
    ThreadState t = s.thread;
    switch (s.type) {
      case EventTypes.PROC_START -> {
        ProcRecord p = knownProc(s.args[0]);
        release(p);
        become(s, p, ProcRecord.IDLE);
        p.expect(ctx.generation, s.args[1]);
        t.dropP();
      }
      case EventTypes.PROC_STEAL -> {
        ProcRecord p = knownProc(s.args[0]);
        release(p);
        become(s, p, ProcRecord.ABANDONED);
        p.expect(ctx.generation, s.args[1]);
      }
      case EventTypes.GO_START -> {
        GoRecord g = knownGoroutine(s.args[0]);
        release(g);
        become(s, g, GoRecord.RUNNABLE);
        g.expect(ctx.generation, s.args[1]);
        GoRecord before = ctx.current(t);
        if (before != null && before != g) {
          become(s, before, GoRecord.RUNNABLE);
        }
        t.dropG();
        if (t.proc == null) {
          return false;
        }
      }
      case EventTypes.GO_UNBLOCK, EventTypes.GO_SWITCH, EventTypes.GO_SWITCH_DESTROY -> {
        GoRecord g = knownGoroutine(s.args[0]);
        release(g);
        become(s, g, GoRecord.WAITING);
        g.expect(ctx.generation, s.args[1]);
        return s.type == EventTypes.GO_UNBLOCK || runs(s, GoRecord.RUNNING);
      }
      case EventTypes.GO_CREATE, EventTypes.GO_CREATE_BLOCKED, EventTypes.GO_CREATE_SYSCALL -> {
        GoRecord old = ctx.goroutines.get(s.args[0]);
        if (old != null) {
          release(old);
          endUnseen(old, s.offset);
        }
      }
      case EventTypes.GO_SYSCALL_BEGIN -> {
        if (t.proc == null || !runs(s, GoRecord.RUNNING)) {
          return false;
        }
        t.proc.expect(ctx.generation, s.args[0]);
      }
      case EventTypes.GO_SYSCALL_END -> {
        if (t.proc == null || !runs(s, GoRecord.SYSCALL)) {
          return false;
        }
        become(s, t.proc, ProcRecord.SYSCALL);
      }
      case EventTypes.GO_SYSCALL_END_BLOCKED -> {
        t.dropP();
        return runs(s, GoRecord.SYSCALL);
      }
      case EventTypes.GO_DESTROY_SYSCALL -> {
        return runs(s, GoRecord.SYSCALL);
      }
      case EventTypes.GO_STOP, EventTypes.GO_BLOCK, EventTypes.GO_DESTROY -> {
        return runs(s, GoRecord.RUNNING);
      }
      default -> {
        return s.type == EventTypes.GO_STATUS_INFO || s.type == EventTypes.PROC_STATUS_INFO;
      }
    }
    return true;
  }

  private boolean runs(EventStream s, int status) {
    GoRecord g = ctx.current(s.thread);
    if (g == null) {
      return false;
    }
    become(s, g, status);
    return true;
  }

  private ProcRecord knownProc(long id) {
    ProcRecord p = ctx.procs.get(id);
    if (p == null) {
      p = new ProcRecord(id, ProcRecord.IDLE, ctx.generation);
      ctx.procs.put(id, p);
    }
    return p;
  }

  private GoRecord knownGoroutine(long id) {
    GoRecord g = ctx.goroutines.get(id);
    if (g == null) {
      g = new GoRecord(id, 0, ctx.generation);
      ctx.goroutines.put(id, g);
    }
    return g;
  }

  /** Says that a goroutine must be in that state by now, though nothing was recorded about it. */
  private void become(EventStream s, GoRecord g, int status) {
    if (g.status == status) {
      return;
    }
    int row = ctx.row(s, EventTypes.GO_STATUS_INFO);
    ctx.transition(
        row,
        ResourceKind.GOROUTINE,
        g.id,
        GoRecord.publicState(g.status),
        GoRecord.publicState(status));
    ctx.names(row, lostReason, 0);
    g.status = status;
  }

  /** The same for a P. */
  private void become(EventStream s, ProcRecord p, int status) {
    int from = ProcRecord.publicState(p.status);
    int to = ProcRecord.publicState(status);
    if (from != to) {
      int row = ctx.row(s, EventTypes.PROC_STATUS_INFO);
      ctx.transition(row, ResourceKind.PROC, p.id, from, to);
      ctx.names(row, lostReason, 0);
    }
    p.status = status;
  }

  private void release(GoRecord g) {
    for (ThreadState t : ctx.threads.values()) {
      if (t.g == g.id) {
        t.dropG();
      }
    }
  }

  private void release(ProcRecord p) {
    for (ThreadState t : ctx.threads.values()) {
      if (t.p == p.id) {
        t.dropP();
      }
    }
  }
}
