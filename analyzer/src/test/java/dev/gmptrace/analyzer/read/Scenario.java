package dev.gmptrace.analyzer.read;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A trace made by hand: says what a scheduler did, one call an event, and delivers it as a reader
 * would. It keeps nobody from doing the impossible; that is what the checks are tested with.
 */
public final class Scenario extends TraceReader {
  private static final String START = "main.worker";

  private final List<long[]> rows = new ArrayList<>();
  private final Map<Long, long[]> threads = new HashMap<>();
  private final Map<Long, GoState> goroutines = new HashMap<>();
  private final Map<Long, ProcState> procs = new HashMap<>();
  private long now = 1_000;

  public Scenario() {
    super(
        new TraceInfo(Path.of("scenario"), TraceInfo.Format.GMP, "gmp 1", 0, "scenario", Map.of()));
    row(EventTypes.SYNC, -1);
  }

  /** A scenario with a number of processors, none of them held. */
  public static Scenario withProcs(int n) {
    Scenario s = new Scenario();
    s.gomaxprocs(n);
    return s;
  }

  private long[] row(int type, long thread) {
    long[] r = new long[TraceEvent.ROW];
    long[] context = context(thread);
    r[TraceEvent.TIME] = ++now;
    r[TraceEvent.HEAD] = type | (1L << 32);
    r[TraceEvent.THREAD] = thread;
    r[TraceEvent.PROC] = context[0];
    r[TraceEvent.GOROUTINE] = context[1];
    r[TraceEvent.RESOURCE_ID] = -1;
    rows.add(r);
    return r;
  }

  private long[] context(long thread) {
    return thread < 0
        ? new long[] {-1, -1}
        : threads.computeIfAbsent(thread, t -> new long[] {-1, -1});
  }

  /** Time passes. */
  public Scenario sleep(long ns) {
    now += ns;
    return this;
  }

  /** The time of the latest event, since the first. */
  public long now() {
    return now - 1_001;
  }

  public Scenario gomaxprocs(int n) {
    long[] r = row(EventTypes.PROCS_CHANGE, -1);
    r[TraceEvent.STRINGS] = tables().addString("/sched/gomaxprocs:threads");
    r[TraceEvent.VALUE] = n;
    return this;
  }

  private void transition(long[] r, ResourceKind kind, long id, int from, int to, String reason) {
    long k = List.of(ResourceKind.values()).indexOf(kind);
    r[TraceEvent.HEAD] |= ((long) from << 8) | ((long) to << 16) | (k << 24);
    r[TraceEvent.RESOURCE_ID] = id;
    r[TraceEvent.STRINGS] = tables().addString(reason);
  }

  private long[] go(int type, long thread, long g, GoState to, String reason) {
    GoState from = goroutines.getOrDefault(g, GoState.NOT_EXIST);
    long[] r = row(type, thread);
    transition(r, ResourceKind.GOROUTINE, g, code(from), code(to), reason);
    goroutines.put(g, to);
    return r;
  }

  private static int code(GoState s) {
    return List.of(GoState.values()).indexOf(s);
  }

  private static int code(ProcState s) {
    return List.of(ProcState.values()).indexOf(s);
  }

  private void proc(int type, long thread, long p, ProcState to, long other) {
    ProcState from = procs.getOrDefault(p, ProcState.NOT_EXIST);
    long[] r = row(type, thread);
    transition(r, ResourceKind.PROC, p, code(from), code(to), "");
    r[TraceEvent.TASK] = other;
    procs.put(p, to);
  }

  public Scenario procStart(long m, long p) {
    proc(EventTypes.PROC_START, m, p, ProcState.RUNNING, -1);
    context(m)[0] = p;
    return this;
  }

  public Scenario procStop(long m) {
    proc(EventTypes.PROC_STOP, m, context(m)[0], ProcState.IDLE, -1);
    context(m)[0] = -1;
    return this;
  }

  /** {@code by} takes the processor of {@code victim}. */
  public Scenario procSteal(long by, long victim) {
    proc(EventTypes.PROC_STEAL, by, context(victim)[0], ProcState.IDLE, victim);
    context(victim)[0] = -1;
    return this;
  }

  /** The thread's goroutine, or nobody, creates one that starts in {@code function}. */
  public Scenario create(long m, long g, String function) {
    long[] r = go(EventTypes.GO_CREATE, m, g, GoState.RUNNABLE, "");
    r[TraceEvent.STACKS] = ((long) stack(function) << 32) | stack("main.spawn");
    return this;
  }

  public Scenario create(long m, long g) {
    return create(m, g, START);
  }

  public Scenario start(long m, long g) {
    go(EventTypes.GO_START, m, g, GoState.RUNNING, "");
    context(m)[1] = g;
    return this;
  }

  public Scenario block(long m, String reason) {
    long[] r = go(EventTypes.GO_BLOCK, m, context(m)[1], GoState.WAITING, reason);
    r[TraceEvent.STACKS] = stack("main.wait");
    context(m)[1] = -1;
    return this;
  }

  public Scenario unblock(long m, long g) {
    go(EventTypes.GO_UNBLOCK, m, g, GoState.RUNNABLE, "");
    return this;
  }

  public Scenario stop(long m, String reason) {
    go(EventTypes.GO_STOP, m, context(m)[1], GoState.RUNNABLE, reason);
    context(m)[1] = -1;
    return this;
  }

  public Scenario end(long m) {
    go(EventTypes.GO_DESTROY, m, context(m)[1], GoState.NOT_EXIST, "");
    context(m)[1] = -1;
    return this;
  }

  public Scenario syscall(long m) {
    long[] r = go(EventTypes.GO_SYSCALL_BEGIN, m, context(m)[1], GoState.SYSCALL, "");
    r[TraceEvent.STACKS] = stack("main.read");
    return this;
  }

  public Scenario syscallEnd(long m) {
    go(EventTypes.GO_SYSCALL_END, m, context(m)[1], GoState.RUNNING, "");
    return this;
  }

  public Scenario syscallEndBlocked(long m) {
    go(EventTypes.GO_SYSCALL_END_BLOCKED, m, context(m)[1], GoState.RUNNABLE, "");
    context(m)[1] = -1;
    return this;
  }

  public Scenario spinStart(long m) {
    row(EventTypes.SPIN_START, m);
    return this;
  }

  public Scenario spinStop(long m) {
    row(EventTypes.SPIN_STOP, m);
    return this;
  }

  public Scenario park(long m) {
    long[] r = row(EventTypes.M_PARK, m);
    r[TraceEvent.HEAD] |= 3L << 24;
    r[TraceEvent.RESOURCE_ID] = m;
    return this;
  }

  public Scenario steal(long m, long victim, int n) {
    long[] r = row(EventTypes.WORK_STEAL, m);
    r[TraceEvent.TASK] = victim;
    r[TraceEvent.VALUE] = n;
    return this;
  }

  public Scenario overflow(long m, int n) {
    row(EventTypes.LOCAL_OVERFLOW, m)[TraceEvent.VALUE] = n;
    return this;
  }

  /** How many goroutines are in the ring of a processor. */
  public Scenario queueSample(long p, int n) {
    long[] r = row(EventTypes.QUEUE_SAMPLE, -1);
    r[TraceEvent.RESOURCE_ID] = p;
    r[TraceEvent.VALUE2] = n;
    return this;
  }

  /** A generation ends and the next one begins. */
  public Scenario generation() {
    row(EventTypes.SYNC, -1);
    return this;
  }

  /** {@code by} says why it takes the processor of a thread, and takes it. */
  public Scenario handOff(long by, long victim) {
    long[] r = row(EventTypes.PROC_HANDOFF, by);
    r[TraceEvent.TASK] = context(victim)[0];
    r[TraceEvent.VALUE2] = victim;
    return procSteal(by, victim);
  }

  public Scenario globalPut(long m, int n) {
    row(EventTypes.GLOBAL_PUT, m)[TraceEvent.VALUE] = n;
    return this;
  }

  public Scenario globalGet(long m, int n) {
    row(EventTypes.GLOBAL_GET, m)[TraceEvent.VALUE] = n;
    return this;
  }

  public Scenario timer(long m, long g, long lateNs) {
    long[] r = row(EventTypes.TIMER_FIRED, m);
    r[TraceEvent.RESOURCE_ID] = g;
    r[TraceEvent.VALUE2] = lateNs;
    return this;
  }

  public Scenario lost(long m, int n, long lastNs) {
    long[] r = row(EventTypes.EVENTS_LOST, m);
    r[TraceEvent.VALUE] = n;
    r[TraceEvent.TASK] = now - lastNs;
    r[TraceEvent.VALUE2] = now;
    return this;
  }

  public Scenario rangeBegin(long m, String name) {
    return range(EventTypes.GC_BEGIN, m, name);
  }

  public Scenario rangeEnd(long m, String name) {
    return range(EventTypes.GC_END, m, name);
  }

  /** Of the thread that stops it, or of nobody. */
  public Scenario stopTheWorld(long m, String name) {
    return range(EventTypes.STW_BEGIN, m, name);
  }

  public Scenario startTheWorld(long m, String name) {
    return range(EventTypes.STW_END, m, name);
  }

  private Scenario range(int type, long m, String name) {
    long[] r = row(type, m);
    boolean ofThread = m >= 0 && (type == EventTypes.STW_BEGIN || type == EventTypes.STW_END);
    if (ofThread) {
      r[TraceEvent.HEAD] |= (long) ResourceKind.THREAD.code() << 24;
      r[TraceEvent.RESOURCE_ID] = m;
    }
    r[TraceEvent.STRINGS] = tables().addString(name);
    return this;
  }

  private int stack(String function) {
    int f = tables().addString(function);
    int file = tables().addString("main.go");
    int frame = tables().addFrame(new TraceTables.Frame(0, f, file, 1));
    return tables().addStack(new int[] {frame});
  }

  @Override
  public ReadResult read(EventSink sink) {
    TraceEvent e = new TraceEvent();
    for (int i = 0; i < rows.size(); i++) {
      e.moveTo(rows.get(i), 0, i);
      sink.event(e);
    }
    long first = rows.get(0)[TraceEvent.TIME];
    return new ReadResult(rows.size(), 1, first, now, null, null, List.of());
  }

  @Override
  public long position() {
    return 0;
  }

  @Override
  public void close() {}
}
