package dev.gmptrace.tracer.record;

import dev.gmptrace.tracer.wire.EventType;
import dev.gmptrace.tracer.wire.GoStatus;
import dev.gmptrace.tracer.wire.ProcStatus;
import dev.gmptrace.tracer.wire.ThreadStatus;
import dev.gmptrace.tracer.wire.Varint;
import org.jspecify.annotations.Nullable;

/**
 * Where a scheduler writes its events. Each P has one, and each thread has a small one of its own
 * for when it holds no P.
 *
 * <pre>{@code
 * if (tracer.enabled()) {
 *   TraceBuffer trace = p != null ? p.trace : m.traceThread.buffer();
 *   if (trace.begin(m.traceThread)) {
 *     trace.goBlock(g, reason, TraceStack.NONE);
 *     trace.procStop(p);
 *     trace.end();
 *   }
 * }
 * }</pre>
 *
 * <p>What the caller promises, and what breaks otherwise:
 *
 * <ol>
 *   <li>Only the thread that holds the P writes into its buffer, and the P's way from thread to
 *       thread orders memory. Otherwise bytes of two threads mix.
 *   <li>Inside of a section nothing blocks, parks, yields or opens another section on the same
 *       buffer. Otherwise events of the inner section are dropped (and counted).
 *   <li>An event that lets go of a goroutine or a P (goUnblock, goCreate, goBlock, goStop,
 *       procStop, goSyscallBegin) is ended before another thread can get hold of it. Otherwise that
 *       thread's event may come first, and a status repeated: a resync.
 * </ol>
 *
 * <p>Statuses are written by themselves: before the first event of a goroutine or P in a
 * generation, the state it must have been in. The numbers and meanings of the events are in {@link
 * EventType}.
 *
 * <p>For implementers: an event method asks for the right mark first (which may write a status),
 * then for room (which may start a segment), and then writes bytes ({@link EventBytes}). Marks
 * change behind the event, by stores: should the stack overflow in between, nothing has been said
 * that is not so. See {@link BufferCore}.
 */
public final class TraceBuffer extends EventBytes {

  private static final byte PROCS_CHANGE = (byte) EventType.PROCS_CHANGE.id();
  private static final byte PROC_START = (byte) EventType.PROC_START.id();
  private static final byte PROC_STOP = (byte) EventType.PROC_STOP.id();
  private static final byte PROC_STEAL = (byte) EventType.PROC_STEAL.id();
  private static final byte GO_CREATE = (byte) EventType.GO_CREATE.id();
  private static final byte GO_CREATE_SYSCALL = (byte) EventType.GO_CREATE_SYSCALL.id();
  private static final byte GO_CREATE_BLOCKED = (byte) EventType.GO_CREATE_BLOCKED.id();
  private static final byte GO_START = (byte) EventType.GO_START.id();
  private static final byte GO_DESTROY = (byte) EventType.GO_DESTROY.id();
  private static final byte GO_DESTROY_SYSCALL = (byte) EventType.GO_DESTROY_SYSCALL.id();
  private static final byte GO_STOP = (byte) EventType.GO_STOP.id();
  private static final byte GO_BLOCK = (byte) EventType.GO_BLOCK.id();
  private static final byte GO_UNBLOCK = (byte) EventType.GO_UNBLOCK.id();
  private static final byte GO_SYSCALL_BEGIN = (byte) EventType.GO_SYSCALL_BEGIN.id();
  private static final byte GO_SYSCALL_END = (byte) EventType.GO_SYSCALL_END.id();
  private static final byte GO_SYSCALL_END_BLOCKED = (byte) EventType.GO_SYSCALL_END_BLOCKED.id();
  private static final byte GO_SWITCH = (byte) EventType.GO_SWITCH.id();
  private static final byte GO_SWITCH_DESTROY = (byte) EventType.GO_SWITCH_DESTROY.id();
  private static final byte STW_BEGIN = (byte) EventType.STW_BEGIN.id();
  private static final byte STW_END = (byte) EventType.STW_END.id();
  private static final byte GO_LABEL = (byte) EventType.GO_LABEL.id();
  private static final byte USER_TASK_BEGIN = (byte) EventType.USER_TASK_BEGIN.id();
  private static final byte USER_TASK_END = (byte) EventType.USER_TASK_END.id();
  private static final byte USER_REGION_BEGIN = (byte) EventType.USER_REGION_BEGIN.id();
  private static final byte USER_REGION_END = (byte) EventType.USER_REGION_END.id();
  private static final byte USER_LOG = (byte) EventType.USER_LOG.id();
  private static final byte WORK_STEAL = (byte) EventType.WORK_STEAL.id();
  private static final byte GLOBAL_GET = (byte) EventType.GLOBAL_GET.id();
  private static final byte GLOBAL_PUT = (byte) EventType.GLOBAL_PUT.id();
  private static final byte LOCAL_OVERFLOW = (byte) EventType.LOCAL_OVERFLOW.id();
  private static final byte M_START = (byte) EventType.M_START.id();
  private static final byte M_STOP = (byte) EventType.M_STOP.id();
  private static final byte M_PARK = (byte) EventType.M_PARK.id();
  private static final byte M_UNPARK = (byte) EventType.M_UNPARK.id();
  private static final byte SPIN_START = (byte) EventType.SPIN_START.id();
  private static final byte SPIN_STOP = (byte) EventType.SPIN_STOP.id();
  private static final byte WAKE_P = (byte) EventType.WAKE_P.id();
  private static final byte PROC_HANDOFF = (byte) EventType.PROC_HANDOFF.id();
  private static final byte TIMER_FIRED = (byte) EventType.TIMER_FIRED.id();
  private static final byte NETPOLL_READY = (byte) EventType.NETPOLL_READY.id();
  private static final byte SCHED_SAMPLE = (byte) EventType.SCHED_SAMPLE.id();
  private static final byte QUEUE_SAMPLE = (byte) EventType.QUEUE_SAMPLE.id();
  private static final byte GO_WAKE_REASON = (byte) EventType.GO_WAKE_REASON.id();

  private static final int RUNNABLE = GoStatus.RUNNABLE;
  private static final int RUNNING = GoStatus.RUNNING;
  private static final int SYSCALL = GoStatus.SYSCALL;
  private static final int WAITING = GoStatus.WAITING;
  private static final int P_RUNNING = ProcStatus.RUNNING;
  private static final int P_IDLE = ProcStatus.IDLE;
  private static final int P_SYSCALL = ProcStatus.SYSCALL;

  TraceBuffer(Tracer tracer, @Nullable TracedP proc) {
    super(tracer, proc);
  }

  // ---- Ps

  /** The number of Ps changed. */
  public void procsChange(int procs, TraceStack stack) {
    use(stack);
    write(PROCS_CHANGE, procs, stack.id);
  }

  /** The thread took {@code p}: written into the buffer of {@code p}, first thing. */
  public void procStart(TracedP p) {
    if (!isOrSay(p, P_IDLE, currentThread().id) || !room(ANY)) {
      drop(p);
      return;
    }
    TraceThread t = currentThread();
    if (TraceMark.state(t.mark) == ThreadStatus.PARKED) {
      t.mark += ThreadStatus.RUNNING - ThreadStatus.PARKED;
    }
    append(PROC_START, p.procId, nextSeq(p));
    p.mark += P_RUNNING - P_IDLE;
  }

  /** The thread lets {@code p} go idle: written into the buffer of {@code p}, last thing. */
  public void procStop(TracedP p) {
    if (!isOrSay(p, P_RUNNING, currentThread().id) || !room(P_RUNNING)) {
      drop(p);
      return;
    }
    append(PROC_STOP);
    p.mark += P_IDLE - P_RUNNING;
  }

  /** The thread took {@code p} away from M {@code fromThread}, which is in a syscall. */
  public void procSteal(TracedP p, int fromThread) {
    if (!isOrSay(p, P_SYSCALL, fromThread) || !room(ANY)) {
      drop(p);
      return;
    }
    append(PROC_STEAL, p.procId, nextSeq(p), Varint.zigzag(fromThread));
    p.mark += P_IDLE - P_SYSCALL;
  }

  // ---- goroutines

  /** A new goroutine is runnable. */
  public void goCreate(TracedG g, TraceStack stack) {
    create(GO_CREATE, g, RUNNABLE, stack);
  }

  /** A new goroutine waits to be switched to. */
  public void goCreateBlocked(TracedG g, TraceStack stack) {
    create(GO_CREATE_BLOCKED, g, WAITING, stack);
  }

  private void create(byte type, TracedG g, int state, TraceStack stack) {
    if (!room(P_RUNNING)) {
      drop(g);
      return;
    }
    use(stack);
    append(type, g.goid, g.entry.stack.id, stack.id);
    born(g, state);
  }

  /** This foreign thread became a goroutine, which counts as being in a syscall. */
  public void goCreateSyscall(TracedG g) {
    if (!room(ANY)) {
      drop(g);
      return;
    }
    append(GO_CREATE_SYSCALL, g.goid);
    born(g, SYSCALL);
  }

  private void born(TracedG g, int state) {
    g.mark = TraceMark.touch(g.mark, gen, state);
    g.seq = 0;
    g.last = thread;
    g.reason = TraceString.NONE;
  }

  /** The thread runs {@code g}. */
  public void goStart(TracedG g) {
    if (!isOrSay(g, RUNNABLE, P_RUNNING) || !room(P_RUNNING)) {
      drop(g);
      return;
    }
    append(GO_START, g.goid, nextSeq(g));
    g.mark += RUNNING - RUNNABLE;
  }

  /** {@code g}, which is running, gives way. */
  public void goStop(TracedG g, TraceString reason, TraceStack stack) {
    if (!isOrSay(g, RUNNING, P_RUNNING) || !room(P_RUNNING)) {
      drop(g);
      return;
    }
    use(reason);
    use(stack);
    append(GO_STOP, reason.id, stack.id);
    g.mark += RUNNABLE - RUNNING;
  }

  /** {@code g}, which is running, waits. */
  public void goBlock(TracedG g, TraceString reason, TraceStack stack) {
    if (!isOrSay(g, RUNNING, P_RUNNING) || !room(P_RUNNING)) {
      drop(g);
      return;
    }
    if (g.reason != reason) {
      g.reason = reason;
    }
    use(reason);
    use(stack);
    append(GO_BLOCK, reason.id, stack.id);
    g.mark += WAITING - RUNNING;
  }

  /** {@code g}, which was waiting, is runnable. */
  public void goUnblock(TracedG g, TraceStack stack) {
    if (!isOrSay(g, WAITING, P_RUNNING) || !room(P_RUNNING)) {
      drop(g);
      return;
    }
    use(stack);
    append(GO_UNBLOCK, g.goid, nextSeq(g), stack.id);
    g.mark += RUNNABLE - WAITING;
  }

  /** {@code g}, which is running, ends. */
  public void goDestroy(TracedG g) {
    if (!isOrSay(g, RUNNING, P_RUNNING) || !room(P_RUNNING)) {
      drop(g);
      return;
    }
    append(GO_DESTROY);
    g.mark += TraceMark.DEAD - RUNNING;
  }

  /** The foreign thread is a goroutine no more. */
  public void goDestroySyscall(TracedG g) {
    if (!isOrSay(g, SYSCALL, ANY) || !room(ANY)) {
      drop(g);
      return;
    }
    append(GO_DESTROY_SYSCALL);
    g.mark += TraceMark.DEAD - SYSCALL;
  }

  /**
   * {@code from}, which is running, waits, and {@code to}, which was waiting, runs in its place.
   */
  public void goSwitch(TracedG from, TracedG to) {
    switchTo(GO_SWITCH, from, to, WAITING);
  }

  /** As {@link #goSwitch}, and {@code from} ends. */
  public void goSwitchDestroy(TracedG from, TracedG to) {
    switchTo(GO_SWITCH_DESTROY, from, to, TraceMark.DEAD);
  }

  private void switchTo(byte type, TracedG from, TracedG to, int state) {
    if (!isOrSay(from, RUNNING, P_RUNNING)
        || !isOrSay(to, WAITING, P_RUNNING)
        || !room(P_RUNNING)) {
      drop(from);
      to.mark = TraceMark.touch(to.mark, gen, TraceMark.UNKNOWN);
      to.last = null;
      return;
    }
    append(type, to.goid, nextSeq(to));
    from.mark += state - RUNNING;
    to.mark += RUNNING - WAITING;
  }

  /** {@code g}, which is running on {@code p}, enters a syscall and keeps its P for now. */
  public void goSyscallBegin(TracedG g, TracedP p, TraceStack stack) {
    if (!isOrSay(g, RUNNING, P_RUNNING)
        || !isOrSay(p, P_RUNNING, currentThread().id)
        || !room(P_RUNNING)) {
      drop(g);
      p.last = null;
      return;
    }
    use(stack);
    append(GO_SYSCALL_BEGIN, nextSeq(p), stack.id);
    g.mark += SYSCALL - RUNNING;
    p.mark += P_SYSCALL - P_RUNNING;
  }

  /** {@code g} left its syscall, and {@code p} was still its own. */
  public void goSyscallEnd(TracedG g, TracedP p) {
    if (!isOrSay(p, P_SYSCALL, currentThread().id)
        || !isOrSay(g, SYSCALL, P_SYSCALL)
        || !room(P_SYSCALL)) {
      drop(g);
      return;
    }
    append(GO_SYSCALL_END);
    g.mark += RUNNING - SYSCALL;
    p.mark += P_RUNNING - P_SYSCALL;
  }

  /** {@code g} left its syscall, has no P and is runnable. Written into the thread's own buffer. */
  public void goSyscallEndBlocked(TracedG g) {
    if (!isOrSay(g, SYSCALL, ANY) || !room(ANY)) {
      drop(g);
      return;
    }
    append(GO_SYSCALL_END_BLOCKED);
    g.mark += RUNNABLE - SYSCALL;
  }

  /** Why {@code g} is about to be unblocked, where the unblocking event alone would not tell. */
  public void goWakeReason(TracedG g, TraceString reason) {
    use(reason);
    write(GO_WAKE_REASON, g.goid, reason.id);
  }

  // ---- ranges and annotations

  /** The world stops. */
  public void stwBegin(TraceString kind, TraceStack stack) {
    use(kind);
    use(stack);
    write(STW_BEGIN, kind.id, stack.id);
  }

  /** The world runs again. */
  public void stwEnd() {
    write(STW_END);
  }

  /** {@code g}, which is running, has a new label. */
  public void goLabel(TracedG g, TraceString label) {
    if (running(g)) {
      use(label);
      append(GO_LABEL, label.id);
    }
  }

  void taskBegin(TracedG g, long task, long parent, TraceString name, TraceStack stack) {
    if (running(g)) {
      use(name);
      use(stack);
      append(USER_TASK_BEGIN, task, parent, name.id, stack.id);
    }
  }

  void taskEnd(TracedG g, long task, TraceStack stack) {
    if (running(g)) {
      use(stack);
      append(USER_TASK_END, task, stack.id);
    }
  }

  void regionBegin(TracedG g, long task, TraceString name, TraceStack stack) {
    if (running(g)) {
      use(name);
      use(stack);
      append(USER_REGION_BEGIN, task, name.id, stack.id);
    }
  }

  void regionEnd(TracedG g, long task, TraceString name, TraceStack stack) {
    if (running(g)) {
      use(name);
      use(stack);
      append(USER_REGION_END, task, name.id, stack.id);
    }
  }

  void log(TracedG g, long task, TraceString key, TraceString value, TraceStack stack) {
    if (running(g)) {
      use(key);
      use(value);
      use(stack);
      append(USER_LOG, task, key.id, value.id, stack.id);
    }
  }

  /** Makes room for an event of the running goroutine that does not change its state. */
  private boolean running(TracedG g) {
    if (!isOrSay(g, RUNNING, P_RUNNING) || !room(P_RUNNING)) {
      drop();
      return false;
    }
    return true;
  }

  // ---- what the scheduler does

  /** This P took work from another. See {@link dev.gmptrace.tracer.wire.StealKind}. */
  public void workSteal(int victimProc, int count, int kind) {
    write(WORK_STEAL, victimProc, count, kind);
  }

  /** This P took goroutines from the global queue. */
  public void globalGet(int count) {
    write(GLOBAL_GET, count);
  }

  /** Goroutines went to the global queue. */
  public void globalPut(int count) {
    write(GLOBAL_PUT, count);
  }

  /** This P's ring was full, and a part of it went to the global queue. */
  public void localOverflow(int count) {
    write(LOCAL_OVERFLOW, count);
  }

  /** The thread began. */
  public void mStart() {
    threadEvent(M_START, ThreadStatus.RUNNING);
  }

  /** The thread ends. */
  public void mStop() {
    threadEvent(M_STOP, 0);
  }

  /** The thread is about to sleep. */
  public void mPark() {
    threadEvent(M_PARK, ThreadStatus.PARKED);
  }

  /** The thread wakes M {@code otherThread}. */
  public void mUnpark(int otherThread) {
    write(M_UNPARK, Varint.zigzag(otherThread));
  }

  /** The thread begins to look for work; one that was asleep is awake now. */
  public void spinStart() {
    threadEvent(SPIN_START, ThreadStatus.SPINNING);
  }

  /** The thread stops looking for work. */
  public void spinStop() {
    threadEvent(SPIN_STOP, ThreadStatus.RUNNING);
  }

  private void threadEvent(byte type, int state) {
    write(type);
    TraceThread t = currentThread();
    t.mark = TraceMark.touch(t.mark, TraceMark.generation(t.mark), state);
  }

  /** There is work, so idle P {@code proc} gets a thread. */
  public void wakeP(int proc) {
    write(WAKE_P, proc);
  }

  /** A P goes to another thread. See {@link dev.gmptrace.tracer.wire.HandoffCause}. */
  public void procHandoff(int proc, int fromThread, int cause) {
    write(PROC_HANDOFF, proc, Varint.zigzag(fromThread), cause);
  }

  /** A timer ran: it readied goroutine {@code goid}, or called a function if that is 0. */
  public void timerFired(long goid, long lateNanos) {
    write(TIMER_FIRED, goid, Math.max(0, lateNanos));
  }

  /** The poller readied goroutines. */
  public void netpollReady(int count) {
    write(NETPOLL_READY, count);
  }

  /**
   * The counts that a schedtrace line begins with; {@link #queueSample} for each P should follow.
   */
  public void schedSample(
      int procs,
      int idleProcs,
      int threads,
      int spinning,
      int needSpinning,
      int idleThreads,
      int globalLength) {
    write(
        SCHED_SAMPLE, procs, idleProcs, threads, spinning, needSpinning, idleThreads, globalLength);
  }

  /** The queues of a P. */
  public void queueSample(int proc, int local, int runnext, int timers, long schedtick) {
    write(QUEUE_SAMPLE, proc, local, runnext, timers, schedtick);
  }
}
