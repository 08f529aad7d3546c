package dev.gmptrace.analyzer.read;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Puts the events of all threads into one order.
 *
 * <p>Every thread recorded its own events in order; nothing but the scheduler's rules says how they
 * interleave. Clocks of different cores may disagree, so time stamps only choose among what the
 * rules allow:
 *
 * <ol>
 *   <li>All threads' streams stand in a heap by the time of their next event.
 *   <li>The earliest is tried. If the rules ({@link SchedulingRules}, {@link AnnotationRules}) let
 *       it happen, it happens, and its stream moves on.
 *   <li>If not yet, the other streams are tried in the order of their times, and the first event
 *       that may happen, happens.
 *   <li>If none may, or one contradicts its own thread, the trace is broken here.
 * </ol>
 *
 * <p>Rejected: sorting by time and repairing (no repair knows which of two clocks was right), and
 * building the whole graph of happens-before edges (memory of the size of the trace, and the heap
 * is nearly always right at its first try).
 */
final class Ordering {
  /** The most rows one event becomes. */
  private static final int MAX_ROWS = 8;

  private final OrderContext ctx;
  private final SchedulingRules scheduling;
  private final AnnotationRules annotations;
  private final @Nullable GmpRules gmp;
  private final Frontier frontier = new Frontier();

  /** Takes a full block and returns an empty one. */
  private final UnaryOperator<EventBlock> exchange;

  private int syncs;

  Ordering(TraceTables tables, boolean gmpTrace, UnaryOperator<EventBlock> exchange) {
    this.ctx = new OrderContext(tables);
    this.scheduling = new SchedulingRules(ctx, gmpTrace);
    this.annotations = new AnnotationRules(ctx);
    this.gmp = gmpTrace ? new GmpRules(ctx, scheduling, annotations) : null;
    this.exchange = exchange;
  }

  List<TraceWarning> warnings() {
    return gmp == null ? List.of() : gmp.warnings();
  }

  OrderContext context() {
    return ctx;
  }

  /** Delivers a generation: a sync event, then all that happened, up to its end or the damage. */
  void order(Generation generation) throws DamageException {
    ctx.generation = generation.number;
    ctx.strings = generation.strings;
    ctx.stacks = generation.stacks;
    if (gmp != null) {
      gmp.begin(generation);
    }
    frontier.clear();
    for (StreamSource source : generation.streams) {
      EventStream s = source.open(ctx);
      if (s.next()) {
        frontier.add(s);
      }
    }
    if (ctx.initialGeneration == 0 && frontier.size() > 0) {
      ctx.initialGeneration = generation.number;
    }
    sync(generation.startTime, generation.offset, generation.clock, generation.torn);
    CpuSamples samples = generation.samples;
    int sample = 0;
    int loss = 0;
    while (true) {
      makeRoom();
      if (sample < samples.count()
          && (frontier.size() == 0
              || samples.get(sample)[CpuSamples.TIME] < frontier.get(0).time)) {
        sample(samples.get(sample++));
      } else if (loss < generation.losses.size()
          && (frontier.size() == 0 || generation.losses.get(loss).from() < frontier.get(0).time)) {
        lost(generation.losses.get(loss++));
      } else if (frontier.size() == 0) {
        break;
      } else if (!happens(0)) {
        anyButFirst();
      }
    }
    if (gmp != null) {
      gmp.end();
      for (GoRecord g : gmp.endedUnseen()) {
        makeRoom();
        gmp.endUnseen(g, generation.offset);
      }
    }
  }

  private void anyButFirst() throws DamageException {
    frontier.sort();
    for (int i = 1; i < frontier.size(); i++) {
      if (happens(i)) {
        return;
      }
    }
    if (gmp == null || !gmp.lossy()) {
      throw stuck();
    }
    // Something that one of them waits for was lost. Which one is not known; believe the clocks.
    EventStream s = frontier.get(0);
    gmp.force(s);
    advance(0, s.next());
  }

  private boolean happens(int i) throws DamageException {
    EventStream s = frontier.get(i);
    int rows = ctx.block().count;
    long time = ctx.lastTime();
    if (!(gmp == null ? apply(s) : gmp.apply(s, i == 0))) {
      return false;
    }
    boolean more;
    try {
      more = s.next();
    } catch (DamageException e) {
      // Go reads one event ahead of what it delivers, and does not deliver the last before damage.
      ctx.rollBack(rows, time);
      throw e;
    }
    advance(i, more);
    return true;
  }

  private void advance(int i, boolean more) {
    if (more) {
      frontier.update(i);
    } else {
      frontier.remove(i);
    }
  }

  private boolean apply(EventStream s) throws DamageException {
    s.thread.seen = true;
    return switch (s.type) {
      case EventTypes.PROCS_CHANGE -> annotations.procsChange(s);
      case EventTypes.PROC_START -> scheduling.procStart(s);
      case EventTypes.PROC_STOP -> scheduling.procStop(s);
      case EventTypes.PROC_STEAL -> scheduling.procSteal(s);
      case EventTypes.PROC_STATUS -> scheduling.procStatus(s);
      case EventTypes.GO_CREATE, EventTypes.GO_CREATE_BLOCKED -> scheduling.goCreate(s);
      case EventTypes.GO_CREATE_SYSCALL -> scheduling.goCreateSyscall(s);
      case EventTypes.GO_START -> scheduling.goStart(s);
      case EventTypes.GO_DESTROY -> scheduling.goDestroy(s);
      case EventTypes.GO_DESTROY_SYSCALL -> scheduling.goDestroySyscall(s);
      case EventTypes.GO_STOP, EventTypes.GO_BLOCK -> scheduling.goStop(s);
      case EventTypes.GO_UNBLOCK -> scheduling.goUnblock(s);
      case EventTypes.GO_SYSCALL_BEGIN -> scheduling.goSyscallBegin(s);
      case EventTypes.GO_SYSCALL_END -> scheduling.goSyscallEnd(s);
      case EventTypes.GO_SYSCALL_END_BLOCKED -> scheduling.goSyscallEndBlocked(s);
      case EventTypes.GO_STATUS, EventTypes.GO_STATUS_STACK -> scheduling.goStatus(s);
      case EventTypes.GO_SWITCH, EventTypes.GO_SWITCH_DESTROY -> scheduling.goSwitch(s);
      default -> applyAnnotation(s);
    };
  }

  private boolean applyAnnotation(EventStream s) throws DamageException {
    return switch (s.type) {
      case EventTypes.STW_BEGIN -> annotations.stwBegin(s);
      case EventTypes.STW_END -> annotations.stwEnd(s);
      case EventTypes.GC_ACTIVE -> annotations.gcActive(s);
      case EventTypes.GC_BEGIN -> annotations.gcBegin(s);
      case EventTypes.GC_END -> annotations.gcEnd(s);
      case EventTypes.GC_SWEEP_ACTIVE -> annotations.sweepActive(s);
      case EventTypes.GC_SWEEP_BEGIN -> annotations.sweepBegin(s);
      case EventTypes.GC_SWEEP_END -> annotations.sweepEnd(s);
      case EventTypes.GC_MARK_ASSIST_ACTIVE -> annotations.assistActive(s);
      case EventTypes.GC_MARK_ASSIST_BEGIN -> annotations.assistBegin(s);
      case EventTypes.GC_MARK_ASSIST_END -> annotations.assistEnd(s);
      case EventTypes.HEAP_ALLOC, EventTypes.HEAP_GOAL -> annotations.heapMetric(s);
      case EventTypes.GO_LABEL -> annotations.label(s);
      case EventTypes.USER_TASK_BEGIN -> annotations.taskBegin(s);
      case EventTypes.USER_TASK_END -> annotations.taskEnd(s);
      case EventTypes.USER_REGION_BEGIN, EventTypes.USER_REGION_END -> annotations.region(s);
      case EventTypes.USER_LOG -> annotations.log(s);
      default -> {
        if (EventTypes.kind(s.type) != EventKind.EXPERIMENTAL) {
          throw ctx.impossible(s, "no thread's stream contains such");
        }
        yield annotations.experimental(s);
      }
    };
  }

  /** Delivers a sync event: a generation begins, or the trace is at its end. */
  void sync(long time, long offset, @Nullable ClockSnapshot clock, boolean torn) {
    makeRoom();
    syncs++;
    int row =
        ctx.row(time, offset, EventTypes.SYNC, TraceEvent.NONE, TraceEvent.NONE, TraceEvent.NONE);
    ctx.set(row, TraceEvent.VALUE, syncs);
    long traceTime = clock == null ? 0 : clock.traceTime();
    ctx.transition(row, ResourceKind.NONE, traceTime, clock == null ? 0 : 1, torn ? 1 : 0);
    if (clock != null) {
      ctx.set(row, TraceEvent.VALUE2, clock.mono());
      ctx.set(row, TraceEvent.TASK, ChronoUnit.NANOS.between(Instant.EPOCH, clock.wall()));
    }
  }

  /** Delivers the sync event after which nothing comes. */
  void lastSync(long offset) {
    sync(ctx.lastTime(), offset, null, false);
  }

  private void lost(Loss loss) {
    int row =
        ctx.row(
            loss.from(),
            loss.offset(),
            EventTypes.EVENTS_LOST,
            loss.thread(),
            loss.proc(),
            TraceEvent.NONE);
    ctx.put(row, ArgumentSlots.of(EventTypes.EVENTS_LOST, 0), loss.count());
    ctx.put(row, ArgumentSlots.of(EventTypes.EVENTS_LOST, 1), loss.from());
    ctx.put(row, ArgumentSlots.of(EventTypes.EVENTS_LOST, 2), loss.to());
  }

  private void sample(long[] sample) throws DamageException {
    int stack = ctx.stacks.get(sample[CpuSamples.STACK]);
    if (stack < 0) {
      throw new DamageException(
          sample[CpuSamples.OFFSET],
          "a CPU sample in generation "
              + ctx.generation
              + " has stack "
              + sample[CpuSamples.STACK]
              + ", which is not in the table");
    }
    int row =
        ctx.row(
            sample[CpuSamples.TIME],
            sample[CpuSamples.OFFSET],
            EventTypes.CPU_SAMPLE,
            sample[CpuSamples.THREAD],
            sample[CpuSamples.PROC],
            sample[CpuSamples.GOROUTINE]);
    ctx.stacks(row, stack, 0);
  }

  /** Hands the block over if another event might not fit. */
  private void makeRoom() {
    if (ctx.block().count > EventBlock.EVENTS - MAX_ROWS) {
      flush();
    }
  }

  /** Hands over what has been ordered so far. */
  void flush() {
    if (ctx.block().count > 0) {
      ctx.block(exchange.apply(ctx.block()));
    }
  }

  private DamageException stuck() {
    EventStream first = frontier.get(0);
    StringBuilder text = new StringBuilder("no thread can go on in generation ");
    text.append(ctx.generation).append(": ");
    int shown = Math.min(frontier.size(), 3);
    for (int i = 0; i < shown; i++) {
      EventStream s = frontier.get(i);
      text.append(i == 0 ? "" : "; ").append(OrderContext.describe(s)).append(" waits");
      why(s, text);
    }
    if (frontier.size() > shown) {
      text.append("; and ").append(frontier.size() - shown).append(" more threads");
    }
    return new DamageException(first.offset, text.toString());
  }

  private void why(EventStream s, StringBuilder text) {
    if (s.type == EventTypes.PROC_START || s.type == EventTypes.PROC_STEAL) {
      ProcRecord p = ctx.procs.get(s.args[0]);
      text.append(
          p == null
              ? ", nothing is known of that P"
              : ", that P is "
                  + ProcRecord.name(p.status)
                  + " at "
                  + p.seq
                  + (s.type == EventTypes.PROC_START ? ", would become Running" : ""));
    } else if (s.type == EventTypes.GO_START
        || s.type == EventTypes.GO_UNBLOCK
        || s.type == EventTypes.GO_SWITCH
        || s.type == EventTypes.GO_SWITCH_DESTROY) {
      GoRecord g = ctx.goroutines.get(s.args[0]);
      text.append(
          g == null
              ? ", nothing is known of that G"
              : ", that G is "
                  + GoRecord.name(g.status)
                  + " at "
                  + g.seq
                  + (s.type == EventTypes.GO_UNBLOCK
                      ? ", would become Runnable"
                      : ", would become Running"));
    }
  }
}
