package dev.gmptrace.analyzer.read;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the rules of the ordering share: the states of all Gs, Ps and Ms at this point of the trace,
 * the tables of the open generation, and the block that ordered events are written to.
 */
final class OrderContext {
  final LongMap<GoRecord> goroutines = new LongMap<>();
  final LongMap<ProcRecord> procs = new LongMap<>();
  final LongMap<ThreadState> threads = new LongMap<>();
  final TraceTables tables;

  /** The open generation, and the first one: only there may things appear out of nothing. */
  long generation;

  long initialGeneration;
  LocalIds strings = new LocalIds();
  LocalIds stacks = new LocalIds();

  private EventBlock block = new EventBlock();
  private long lastTime;

  OrderContext(TraceTables tables) {
    this.tables = tables;
  }

  boolean firstGeneration() {
    return generation == initialGeneration;
  }

  ThreadState thread(long id) {
    ThreadState t = threads.get(id);
    if (t == null) {
      t = new ThreadState(id);
      threads.put(id, t);
    }
    return t;
  }

  /** The goroutine running on a thread, or null if none is known. */
  @Nullable GoRecord current(ThreadState t) {
    GoRecord g = t.goroutine;
    if (g != null && g.live) {
      return g;
    }
    return t.g == TraceEvent.NONE ? null : goroutines.get(t.g);
  }

  // Requirements on where an event happens.

  void needThread(EventStream s) throws DamageException {
    if (s.thread.id == TraceEvent.NONE) {
      throw impossible(s, "expected a thread but didn't have one");
    }
  }

  void needProc(EventStream s) throws DamageException {
    needThread(s);
    if (s.thread.p == TraceEvent.NONE) {
      throw impossible(s, "expected a proc but didn't have one");
    }
  }

  void needGoroutine(EventStream s) throws DamageException {
    needProc(s);
    if (s.thread.g == TraceEvent.NONE) {
      throw impossible(s, "expected a goroutine but didn't have one");
    }
  }

  void needNoGoroutine(EventStream s) throws DamageException {
    if (s.thread.g != TraceEvent.NONE) {
      throw impossible(s, "expected no goroutine but had one");
    }
  }

  /** The goroutine running on the stream's thread, which must be in that state. */
  GoRecord need(EventStream s, int status) throws DamageException {
    GoRecord g = current(s.thread);
    if (g == null) {
      throw impossible(s, "nothing is known of goroutine " + s.thread.g);
    }
    if (g.status != status) {
      throw impossible(s, change(g, status, s.type));
    }
    return g;
  }

  /** The state an event finds a goroutine in, and the one it would take it to. */
  private static String change(GoRecord g, int needed, int type) {
    String becomes =
        switch (type) {
          case EventTypes.GO_STOP, EventTypes.GO_SYSCALL_END_BLOCKED -> ", would become Runnable";
          case EventTypes.GO_BLOCK, EventTypes.GO_SWITCH -> ", would become Waiting";
          case EventTypes.GO_SYSCALL_BEGIN -> ", would become Syscall";
          case EventTypes.GO_SYSCALL_END -> ", would become Running";
          case EventTypes.GO_DESTROY, EventTypes.GO_DESTROY_SYSCALL, EventTypes.GO_SWITCH_DESTROY ->
              ", would become NotExist";
          default -> "";
        };
    String is = "G " + g.id + " is " + GoRecord.name(g.status);
    return is + becomes + "; it must be " + GoRecord.name(needed);
  }

  /** What is wrong with the event a stream stands at. */
  DamageException impossible(EventStream s, String why) {
    return new DamageException(
        s.offset, "impossible event " + describe(s) + " in generation " + generation + ": " + why);
  }

  static String describe(EventStream s) {
    StringBuilder text = new StringBuilder(EventTypes.name(s.type));
    List<String> names = EventTypes.argumentNames(s.type);
    for (int i = 0; i < names.size(); i++) {
      text.append(i == 0 ? "(" : " ").append(names.get(i)).append('=').append(s.args[i]);
    }
    if (!names.isEmpty()) {
      text.append(')');
    }
    ThreadState t = s.thread;
    return text.append(" on M ")
        .append(t.id)
        .append(" P ")
        .append(t.p)
        .append(" G ")
        .append(t.g)
        .toString();
  }

  // Ids of the generation to ids of the trace.

  int stack(EventStream s, long local) throws DamageException {
    int id = stacks.get(local);
    if (id < 0) {
      throw impossible(s, "there is no stack " + local);
    }
    return id;
  }

  int string(EventStream s, long local) throws DamageException {
    int id = strings.get(local);
    if (id < 0) {
      throw impossible(s, "there is no string " + local);
    }
    return id;
  }

  // Output.

  /** Starts a row for the event a stream stands at, in the context it stands in. */
  int row(EventStream s, int type) {
    ThreadState t = s.thread;
    return row(s.time, s.offset, type, t.id, t.p, t.g);
  }

  /** Starts a row; times are made to rise strictly here. */
  int row(long time, long offset, int type, long m, long p, long g) {
    long[] rows = block.rows;
    int at = block.count++ * TraceEvent.ROW;
    long t = time > lastTime ? time : lastTime + 1;
    lastTime = t;
    rows[at + TraceEvent.TIME] = t;
    rows[at + TraceEvent.HEAD] = generation << 32 | type;
    rows[at + TraceEvent.THREAD] = m;
    rows[at + TraceEvent.PROC] = p;
    rows[at + TraceEvent.GOROUTINE] = g;
    rows[at + TraceEvent.RESOURCE_ID] = 0;
    rows[at + TraceEvent.STACKS] = 0;
    rows[at + TraceEvent.STRINGS] = 0;
    rows[at + TraceEvent.VALUE] = 0;
    rows[at + TraceEvent.VALUE2] = 0;
    rows[at + TraceEvent.OFFSET] = offset;
    rows[at + TraceEvent.TASK] = 0;
    return at;
  }

  void set(int row, int field, long value) {
    block.rows[row + field] = value;
  }

  /** Sets a field, or one int of it, as {@link ArgumentSlots} says. */
  void put(int row, int slot, long value) {
    int at = row + (slot & ArgumentSlots.FIELD);
    switch (slot & ~ArgumentSlots.FIELD) {
      case ArgumentSlots.LOW ->
          block.rows[at] = (block.rows[at] & ~0xffffffffL) | (value & 0xffffffffL);
      case ArgumentSlots.HIGH -> block.rows[at] = (block.rows[at] & 0xffffffffL) | value << 32;
      default -> block.rows[at] = value;
    }
  }

  void transition(int row, ResourceKind kind, long id, int from, int to) {
    block.rows[row + TraceEvent.HEAD] |= (long) from << 8 | (long) to << 16 | resource(kind);
    block.rows[row + TraceEvent.RESOURCE_ID] = id;
  }

  void scope(int row, ResourceKind kind, long id) {
    block.rows[row + TraceEvent.HEAD] |= resource(kind);
    block.rows[row + TraceEvent.RESOURCE_ID] = id;
  }

  private static long resource(ResourceKind kind) {
    return (long) kind.code() << 24;
  }

  void stacks(int row, int stack, int transitionStack) {
    block.rows[row + TraceEvent.STACKS] = (long) transitionStack << 32 | stack;
  }

  void names(int row, int name, int text) {
    block.rows[row + TraceEvent.STRINGS] = (long) text << 32 | name;
  }

  EventBlock block() {
    return block;
  }

  void block(EventBlock empty) {
    block = empty;
  }

  long lastTime() {
    return lastTime;
  }

  /** Takes back the rows written since the block had that many, when the last time was that. */
  void rollBack(int count, long time) {
    block.count = count;
    lastTime = time;
  }
}
