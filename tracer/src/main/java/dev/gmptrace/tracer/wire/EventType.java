package dev.gmptrace.tracer.wire;

import static dev.gmptrace.tracer.wire.ArgKind.DELTA;
import static dev.gmptrace.tracer.wire.ArgKind.GOROUTINE;
import static dev.gmptrace.tracer.wire.ArgKind.PROC;
import static dev.gmptrace.tracer.wire.ArgKind.SEQUENCE;
import static dev.gmptrace.tracer.wire.ArgKind.STACK;
import static dev.gmptrace.tracer.wire.ArgKind.STRING;
import static dev.gmptrace.tracer.wire.ArgKind.TASK;
import static dev.gmptrace.tracer.wire.ArgKind.THREAD;
import static dev.gmptrace.tracer.wire.ArgKind.THREAD_STATUS;
import static dev.gmptrace.tracer.wire.ArgKind.TIME;
import static dev.gmptrace.tracer.wire.ArgKind.VALUE;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The one table of events. The encoder, the decoder, {@code docs/TRACE_FORMAT.md} and the tests all
 * use it; nothing else says what an event looks like.
 *
 * <p>An event is its id in one byte, then its arguments as unsigned LEB128 varints in the order
 * given here. Ids up to 63 are Go's, with Go's arguments and meaning; ids from 64 are gmptrace's
 * own. Events that Go keeps for its container (batches, tables, clocks) have no place here: packets
 * do their work. {@link #GO_STATUS}, {@link #GO_STATUS_STACK} and {@link #PROC_STATUS} are in the
 * table because a reader of Go traces needs them; a gmptrace recorder writes {@link
 * #GO_STATUS_INFO} and {@link #PROC_STATUS_INFO}, which say more.
 */
public enum EventType {
  PROCS_CHANGE(9, "ProcsChange", "the number of Ps is now procs", arg("procs", VALUE), stack()),
  PROC_START(10, "ProcStart", "this M took P p", proc("p"), seq("p_seq")),
  PROC_STOP(11, "ProcStop", "this M let its P go idle"),
  PROC_STEAL(
      12,
      "ProcSteal",
      "P p was taken away from M m, which is in a syscall",
      proc("p"),
      seq("p_seq"),
      thread("m")),
  PROC_STATUS(
      13,
      "ProcStatus",
      "Go only: see ProcStatusInfo",
      proc("p"),
      arg("pstatus", ArgKind.PROC_STATUS)),
  GO_CREATE(
      14,
      "GoCreate",
      "a new goroutine is runnable; new_stack is where it starts, and its name",
      go("new_g"),
      arg("new_stack", STACK),
      stack()),
  GO_CREATE_SYSCALL(
      15, "GoCreateSyscall", "a foreign thread became a goroutine, now in a syscall", go("new_g")),
  GO_START(16, "GoStart", "this M runs g", go("g"), seq("g_seq")),
  GO_DESTROY(17, "GoDestroy", "the running goroutine ended"),
  GO_DESTROY_SYSCALL(18, "GoDestroySyscall", "the foreign thread is a goroutine no more"),
  GO_STOP(
      19, "GoStop", "the running goroutine gave way and is runnable", string("reason"), stack()),
  GO_BLOCK(20, "GoBlock", "the running goroutine waits", string("reason"), stack()),
  GO_UNBLOCK(21, "GoUnblock", "g waited and is runnable now", go("g"), seq("g_seq"), stack()),
  GO_SYSCALL_BEGIN(
      22, "GoSyscallBegin", "the running goroutine enters a syscall", seq("p_seq"), stack()),
  GO_SYSCALL_END(23, "GoSyscallEnd", "the goroutine left its syscall and still has its P"),
  GO_SYSCALL_END_BLOCKED(
      24, "GoSyscallEndBlocked", "the goroutine left its syscall without a P and is runnable"),
  GO_STATUS(
      25,
      "GoStatus",
      "Go only: see GoStatusInfo",
      go("g"),
      thread("m"),
      arg("gstatus", ArgKind.GO_STATUS)),
  STW_BEGIN(26, "STWBegin", "the world stops", string("kind"), stack()),
  STW_END(27, "STWEnd", "the world runs again"),
  GC_ACTIVE(28, "GCActive", "a collection was running when the generation began", value("gc_seq")),
  GC_BEGIN(29, "GCBegin", "a collection begins", value("gc_seq"), stack()),
  GC_END(30, "GCEnd", "the collection is done", value("gc_seq")),
  GC_SWEEP_ACTIVE(31, "GCSweepActive", "Go only", proc("p")),
  GC_SWEEP_BEGIN(32, "GCSweepBegin", "Go only", stack()),
  GC_SWEEP_END(33, "GCSweepEnd", "Go only", value("swept"), value("reclaimed")),
  GC_MARK_ASSIST_ACTIVE(34, "GCMarkAssistActive", "Go only", go("g")),
  GC_MARK_ASSIST_BEGIN(35, "GCMarkAssistBegin", "Go only", stack()),
  GC_MARK_ASSIST_END(36, "GCMarkAssistEnd", "Go only"),
  HEAP_ALLOC(37, "HeapAlloc", "bytes of heap in use", value("bytes")),
  HEAP_GOAL(38, "HeapGoal", "bytes of heap committed (Go: the goal)", value("bytes")),
  GO_LABEL(39, "GoLabel", "the running goroutine has a new label", string("label")),
  USER_TASK_BEGIN(
      40,
      "UserTaskBegin",
      "a user's task begins",
      task("task"),
      task("parent"),
      string("name"),
      stack()),
  USER_TASK_END(41, "UserTaskEnd", "a user's task ends", task("task"), stack()),
  USER_REGION_BEGIN(
      42,
      "UserRegionBegin",
      "the goroutine enters a region",
      task("task"),
      string("name"),
      stack()),
  USER_REGION_END(
      43, "UserRegionEnd", "the goroutine leaves a region", task("task"), string("name"), stack()),
  USER_LOG(44, "UserLog", "a line of log", task("task"), string("key"), string("value"), stack()),
  GO_SWITCH(
      45, "GoSwitch", "the running goroutine waits and g runs instead", go("g"), seq("g_seq")),
  GO_SWITCH_DESTROY(
      46,
      "GoSwitchDestroy",
      "the running goroutine ends and g runs instead",
      go("g"),
      seq("g_seq")),
  GO_CREATE_BLOCKED(
      47,
      "GoCreateBlocked",
      "a new goroutine waits to be switched to",
      go("new_g"),
      arg("new_stack", STACK),
      stack()),
  GO_STATUS_STACK(
      48,
      "GoStatusStack",
      "Go only: see GoStatusInfo",
      go("g"),
      thread("m"),
      arg("gstatus", ArgKind.GO_STATUS),
      stack()),

  /** Not timed: its time is absolute, and the deltas that follow count from it. */
  SEGMENT(
      64,
      "Segment",
      "what follows was written by M m; its m_seq-th piece in this generation",
      Timing.ABSOLUTE,
      thread("m"),
      value("m_seq"),
      arg("time", TIME)),
  WORK_STEAL(
      65,
      "WorkSteal",
      "this P took count from P victim_p: kind 0 of its ring, 1 its runnext, 2 timers",
      proc("victim_p"),
      value("count"),
      value("kind")),
  GLOBAL_GET(66, "GlobalGet", "this P took count from the global queue", value("count")),
  GLOBAL_PUT(67, "GlobalPut", "count went to the global queue", value("count")),
  LOCAL_OVERFLOW(
      68, "LocalOverflow", "the ring was full: count moved to the global queue", value("count")),
  M_START(69, "MStart", "this M began"),
  M_STOP(70, "MStop", "this M ended"),
  M_PARK(71, "MPark", "this M sleeps"),
  M_UNPARK(72, "MUnpark", "M m is woken by this one", thread("m")),
  SPIN_START(73, "SpinStart", "this M looks for work"),
  SPIN_STOP(74, "SpinStop", "this M stopped looking for work"),
  WAKE_P(75, "WakeP", "there is work, so idle P p gets an M", proc("p")),
  PROC_HANDOFF(
      76,
      "ProcHandoff",
      "P p of M m goes to another M: cause 0 sysmon, 1 syscall, 2 locked, 3 stop the world,"
          + " 4 found blocked",
      proc("p"),
      thread("m"),
      value("cause")),
  TIMER_FIRED(
      77,
      "TimerFired",
      "a timer of g (0: of a function) ran, late by late_ns",
      go("g"),
      value("late_ns")),
  NETPOLL_READY(78, "NetpollReady", "the poller readied count goroutines", value("count")),
  SCHED_SAMPLE(
      79,
      "SchedSample",
      "the scheduler's counts; a QueueSample for each P follows",
      value("procs"),
      value("idle_procs"),
      value("threads"),
      value("spinning"),
      value("need_spinning"),
      value("idle_threads"),
      value("global")),
  QUEUE_SAMPLE(
      80,
      "QueueSample",
      "the queues of P p",
      proc("p"),
      value("local"),
      value("runnext"),
      value("timers"),
      value("schedtick")),
  EVENTS_LOST(
      81,
      "EventsLost",
      "count events of this buffer were dropped in that time, for want of a free buffer",
      value("count"),
      arg("from", TIME),
      arg("to", TIME)),
  GO_STATUS_INFO(
      82,
      "GoStatusInfo",
      "goroutine g is gstatus (on M m), is called entry, and waits for reason",
      go("g"),
      thread("m"),
      arg("gstatus", ArgKind.GO_STATUS),
      arg("entry", STACK),
      string("reason")),
  PROC_STATUS_INFO(
      83,
      "ProcStatusInfo",
      "P p is pstatus (on M m)",
      proc("p"),
      arg("pstatus", ArgKind.PROC_STATUS),
      thread("m")),
  M_STATUS(84, "MStatus", "M m is mstatus", thread("m"), arg("mstatus", THREAD_STATUS)),
  GO_WAKE_REASON(85, "GoWakeReason", "why g is about to be unblocked", go("g"), string("reason")),
  GC_INFO(
      86,
      "GCInfo",
      "the collector and the cause of collection gc_seq",
      value("gc_seq"),
      string("name"),
      string("cause")),
  CPU_SAMPLE_INFO(
      87,
      "CPUSampleInfo",
      "goroutine g used a CPU, on M m with P p, and was here",
      go("g"),
      proc("p"),
      thread("m"),
      stack());

  /** A name and a kind. */
  public record Arg(String name, ArgKind kind) {}

  private enum Timing {
    DELTA,
    ABSOLUTE
  }

  /** More than any event has. */
  public static final int MAX_ARGS = 8;

  /** More bytes than any event needs: a byte of type and {@link #MAX_ARGS} varints of ten bytes. */
  public static final int MAX_BYTES = 1 + 10 * MAX_ARGS;

  private static final @Nullable EventType[] BY_ID = new EventType[256];

  static {
    for (EventType type : values()) {
      if (BY_ID[type.id] != null || type.args.size() > MAX_ARGS) {
        throw new AssertionError(type);
      }
      BY_ID[type.id] = type;
    }
  }

  private final int id;
  private final String wireName;
  private final String meaning;

  @SuppressWarnings("ImmutableEnumChecker") // List.of
  private final List<Arg> args;

  private final boolean timed;

  EventType(int id, String wireName, String meaning, Arg... args) {
    this(id, wireName, meaning, Timing.DELTA, args);
  }

  EventType(int id, String wireName, String meaning, Timing timing, Arg... args) {
    this.id = id;
    this.wireName = wireName;
    this.meaning = meaning;
    this.timed = timing == Timing.DELTA;
    if (timed) {
      Arg[] all = new Arg[args.length + 1];
      all[0] = new Arg("dt", DELTA);
      System.arraycopy(args, 0, all, 1, args.length);
      this.args = List.of(all);
    } else {
      this.args = List.of(args);
    }
  }

  private static Arg arg(String name, ArgKind kind) {
    return new Arg(name, kind);
  }

  private static Arg stack() {
    return new Arg("stack", STACK);
  }

  private static Arg string(String name) {
    return new Arg(name, STRING);
  }

  private static Arg go(String name) {
    return new Arg(name, GOROUTINE);
  }

  private static Arg proc(String name) {
    return new Arg(name, PROC);
  }

  private static Arg thread(String name) {
    return new Arg(name, THREAD);
  }

  private static Arg seq(String name) {
    return new Arg(name, SEQUENCE);
  }

  private static Arg task(String name) {
    return new Arg(name, TASK);
  }

  private static Arg value(String name) {
    return new Arg(name, VALUE);
  }

  /** The type with this id, or null if the table has none. */
  public static @Nullable EventType byId(int id) {
    return BY_ID[id & 0xff];
  }

  /** The byte that an event of this type begins with. */
  public int id() {
    return id;
  }

  /** The name as in Go's and in our own documents, such as {@code GoBlock}. */
  public String wireName() {
    return wireName;
  }

  /** What the event says, in half a sentence. */
  public String meaning() {
    return meaning;
  }

  /** Every argument in the order of the wire, the time delta included. */
  public List<Arg> args() {
    return args;
  }

  /** Whether the first argument is a time delta. Only {@link #SEGMENT} has none. */
  public boolean timed() {
    return timed;
  }

  /** Whether the last argument is the stack of the one who did it. */
  public boolean hasStack() {
    return !args.isEmpty() && args.getLast().name().equals("stack");
  }

  /** Whether it takes its place by a sequence number, not only by the stream it is in. */
  public boolean sequenced() {
    return args.stream().anyMatch(arg -> arg.kind() == SEQUENCE);
  }

  /** Whether the id and the arguments are Go's. */
  public boolean fromGo() {
    return id < SEGMENT.id;
  }

  /** The place of an argument, for code that looks it up once. */
  public int indexOf(String argName) {
    for (int i = 0; i < args.size(); i++) {
      if (args.get(i).name().equals(argName)) {
        return i;
      }
    }
    throw new IllegalArgumentException(wireName + " has no argument " + argName);
  }
}
