package dev.gmptrace.runtime.sched;

import dev.gmptrace.runtime.jdk.Jdk;
import dev.gmptrace.tracer.record.EntrySite;
import dev.gmptrace.tracer.record.TraceStack;
import dev.gmptrace.tracer.record.TraceString;
import dev.gmptrace.tracer.record.TracedG;
import dev.gmptrace.tracer.wire.GoStatus;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * A goroutine: a JDK virtual thread with a scheduler of its own, which is the G itself.
 *
 * <h2>States</h2>
 *
 * <pre>
 *          newproc              execute               gopark, JDK park
 *   IDLE ----------&gt; RUNNABLE ----------&gt; RUNNING ---------------------&gt; WAITING
 *   DEAD ----------&gt;    ^  ^                | | |  goready, JDK unpark       |
 *     ^   (reuse)       |  +----------------|-|-|----------------------------+
 *     |                 |   Gosched,        | | |
 *     |                 |   Thread.yield    | | | entersyscall            exitsyscall
 *     |                 +-- PREEMPTED &lt;-----+ | +------------&gt; SYSCALL -------------&gt; RUNNING
 *     |                                       |                   |  (no P: RUNNABLE)
 *     +--------------- goexit0 ---------------+
 * </pre>
 *
 * Three bits may be set on top. {@link #SCAN}: sysmon holds a G in SYSCALL still while it takes the
 * P. {@link #READY}: the JDK asked for a G to run while its M had not yet come back from it. {@link
 * #JDK}, with WAITING: the JDK parked it, and the JDK may make it run again; for both see below.
 * Go's copystack does not exist: stacks of virtual threads are grown by the JVM.
 *
 * <h2>How a G leaves its M</h2>
 *
 * A virtual thread comes off its carrier in one of two ways.
 *
 * <ol>
 *   <li><b>The runtime's</b> (gopark, Gosched, preemption): the G writes what it wants into {@link
 *       #leaving} and calls Thread.yield. The JDK unmounts it, and then tells us that the thread
 *       can run again by {@link #execute}, which ignores it because {@code leaving} is set. The
 *       continuation returns to the M, which now, with the thread completely unmounted, does on g0
 *       what Go's mcall does: changes the status, runs the unlock function, schedules. So nobody
 *       can run the G before it is off its M, with no permit, no extra CAS, no allocation.
 *       (Rejected: LockSupport.park, which costs two more atomics a switch on the permit, and lets
 *       interrupts and stray unparks wake the G.)
 *   <li><b>The JDK's</b> (LockSupport.park, monitors, Object.wait, sockets): the continuation
 *       returns with {@code leaving} clear. An unpark may come at any time, even before the M has
 *       noticed. One CAS on the status settles it: the M does RUNNING to WAITING|JDK; execute does
 *       WAITING|JDK to RUNNABLE and queues the G, or, when it comes first, RUNNING to
 *       RUNNING|READY, and the M finds that instead and queues the G itself. In neither order is it
 *       queued twice or run while its last M still handles it.
 * </ol>
 *
 * A submission of the JDK may come late: its thread is held up between the unpark, or the end of a
 * thread dump, and execute, and by then the G waits in a gopark. That is plain WAITING, from which
 * only goready leads. Looking at {@code leaving} first is not enough; the two are not read at one
 * moment.
 *
 * <p>A thread dump suspends unmounted threads for a moment and resubmits them afterwards, whether
 * somebody tried to run them or not. Such a submission is ignored or becomes a READY that only
 * makes the M look once more; and an M whose attempt to run found the thread suspended queues it
 * again.
 */
@SuppressWarnings("ReferenceEquality") // threads and continuations are compared by identity
public final class G extends TracedG implements Executor, Runnable {
  public static final int IDLE = 0;
  public static final int RUNNABLE = 1;
  public static final int RUNNING = 2;
  public static final int SYSCALL = 3;
  public static final int WAITING = 4;
  public static final int DEAD = 6;
  public static final int PREEMPTED = 9;
  static final int READY = 0x100;
  static final int JDK = 0x200;
  static final int SCAN = 0x1000;
  private static final int BASE = 0xff;

  /** Values of {@link #leaving}. */
  static final int STAYS = 0;

  static final int PARKS = 1;
  static final int YIELDS = 2;
  static final int PREEMPTS = 3;
  static final int STARTS = 4;

  private static final VarHandle STATUS;

  static {
    try {
      STATUS = MethodHandles.lookup().findVarHandle(G.class, "status", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  final Sched sched;
  long parentGoid;

  /**
   * It parked on an M that had been robbed of its P. For the trace it came out of a syscall and is
   * runnable, since nothing can block without a P; so its unblocking is no event.
   */
  boolean silentPark;

  /** Where it is about to block, when stacks are recorded. */
  TraceStack traceStack = TraceStack.NONE;

  /** What the G runs first; null once it has begun. */
  @Nullable Runnable fn;

  @Nullable String name;
  @Nullable ClassLoader loader;

  /** The virtual thread, made by the first M that runs the G; null when dead. */
  volatile @Nullable Thread thread;

  /** The JDK's runContinuation of {@link #thread}: mounts and runs it on the calling thread. */
  @Nullable Runnable cont;

  @SuppressWarnings("UnusedVariable") // through STATUS
  private volatile int status;

  /** What this G is about to do to itself; written by the G, read by its M after it unmounted. */
  int leaving;

  /** The M that runs it, while RUNNING or SYSCALL. */
  @Nullable M m;

  /** Where it is in AllGs. */
  int slot;

  /** Next in a queue or free list. */
  @Nullable G schedlink;

  WaitReason waitreason = WaitReason.ZERO;
  @Nullable UnlockFunction waitunlockf;
  @Nullable Object waitlock;

  /** Where it waits, as far as the checks know. */
  @Nullable WaitPlace waitsIn;

  /** The M this G is locked to (LockOSThread), how often, and by the runtime for a pinned park. */
  @Nullable M lockedm;

  int lockedExt;
  int lockedInt;

  /** Nesting of entersyscall. */
  int syscallDepth;

  /** Not counted as a goroutine of the program. */
  boolean system;

  /** Adopted: a virtual thread that some other G is the Executor of. */
  boolean adopted;

  /** When it became runnable, if this transition is one of those that are measured; else 0. */
  long runnableSince;

  int trackingSeq;

  /** For what woke the G to leave a message, under the lock of the primitive. Go's gp.param. */
  public @Nullable Object param;

  /** Its place in a wait queue; see Sudog.acquire. */
  @Nullable Sudog sudog;

  /** For the primitive the G waits on. Only the G itself and the holder of that lock use it. */
  public @Nullable Object waiting;

  G(Sched sched) {
    this.sched = sched;
  }

  /** The scheduler it belongs to. */
  public Sched sched() {
    return sched;
  }

  /** Its virtual thread, or null before it first ran and after it ended. */
  public @Nullable Thread thread() {
    return thread;
  }

  /** Why it last waited. */
  public WaitReason waitReason() {
    return waitreason;
  }

  /** The state, one of the constants of this class. */
  public int status() {
    return (int) STATUS.getAcquire(this) & BASE;
  }

  int statusWithBits() {
    return (int) STATUS.getAcquire(this);
  }

  /**
   * For the one who owns the G now and knows that nobody else can change its status: a G being
   * made, one just taken from a run queue, or one that left its M the runtime's way. The release
   * makes all the owner did to the G visible to who finds it in the new state.
   */
  void setStatusRelease(int from, int to) {
    if (sched.check) {
      Check.transition(this, from, to);
    }
    STATUS.setRelease(this, to);
  }

  boolean casStatus(int from, int to) {
    if (STATUS.compareAndSet(this, from, to)) {
      return true;
    }
    return false;
  }

  /** WAITING to RUNNABLE by the one who found the G on a wait queue. */
  void readied() {
    if (sched.check) {
      Check.readied(this);
    }
    if (!STATUS.compareAndSet(this, WAITING, RUNNABLE)) {
      throw new FatalError("bad g->status in ready: goroutine " + goid() + " " + describeStatus());
    }
  }

  String describeStatus() {
    int s = statusWithBits();
    String base =
        switch (s & BASE) {
          case IDLE -> "idle";
          case RUNNABLE -> "runnable";
          case RUNNING -> "running";
          case SYSCALL -> "syscall";
          case WAITING -> "waiting";
          case DEAD -> "dead";
          case PREEMPTED -> "preempted";
          default -> "status " + (s & BASE);
        };
    return base
        + ((s & JDK) != 0 ? "+jdk" : "")
        + ((s & READY) != 0 ? "+ready" : "")
        + ((s & SCAN) != 0 ? "+scan" : "");
  }

  /** Where a task comes from, asked by the one who spawns it. */
  static EntrySite siteOf(Runnable f) {
    Object named = f instanceof TaskWrapper w ? w.fn() : f;
    return EntrySite.of(named.getClass());
  }

  void init(long goid, long parent, Runnable f, EntrySite site) {
    initTrace(goid, site);
    parentGoid = parent;
    fn = f;
    name = null;
    leaving = STAYS;
    waitreason = WaitReason.ZERO;
  }

  @Override
  protected int traceStatus() {
    return switch (status()) {
      case RUNNABLE, PREEMPTED -> GoStatus.RUNNABLE;
      case RUNNING -> GoStatus.RUNNING;
      case SYSCALL -> GoStatus.SYSCALL;
      case WAITING -> GoStatus.WAITING;
      default -> 0;
    };
  }

  @Override
  protected int traceThread() {
    M on = m;
    return on == null ? -1 : (int) on.id;
  }

  @Override
  protected TraceString traceWaitReason() {
    return status() == WAITING ? waitreason.traced() : TraceString.NONE;
  }

  /** Makes and starts the virtual thread, on the M that is about to run it. */
  void startThread() {
    Thread t = Jdk.newVirtualThread(this, name == null ? "" : name, this);
    ClassLoader inherited = loader;
    if (inherited != null && inherited != t.getContextClassLoader()) {
      t.setContextClassLoader(inherited);
    }
    loader = null;
    thread = t;
    leaving = STARTS;
    t.start();
  }

  /** The body of the virtual thread. */
  @Override
  public void run() {
    Runnable f = fn;
    fn = null;
    if (f != null) {
      f.run();
    }
  }

  /**
   * The JDK says: run this continuation. Called by the M that the thread has just left, by any
   * thread that unparked it, by the JDK's timer and poller threads, or for a virtual thread that
   * was started inside this G and inherited its Executor.
   */
  @Override
  public void execute(Runnable r) {
    if (r != cont) {
      executeOther(r);
      return;
    }
    if (leaving != STAYS) {
      // Our own yield, about to come back to the M; or a thread dump resubmitting a G that waits.
      return;
    }
    for (; ; ) {
      int s = (int) STATUS.getAcquire(this);
      switch (s & BASE) {
        case WAITING -> {
          if ((s & JDK) == 0) {
            return; // in a gopark: this submission is of an earlier wait
          }
          if (STATUS.compareAndSet(this, s, RUNNABLE)) {
            Proc.readyExecuted(this);
            return;
          }
        }
        case RUNNING, SYSCALL -> {
          if ((s & READY) != 0) {
            return;
          }
          if ((s & SCAN) == 0 && STATUS.compareAndSet(this, s, s | READY)) {
            return;
          }
          Thread.onSpinWait();
        }
        default -> {
          return; // already queued, or dead: a late resubmission
        }
      }
    }
  }

  private void executeOther(Runnable r) {
    Thread t = Jdk.threadOf(r);
    if (t == thread && cont == null) {
      cont = r;
      if (leaving != STARTS) {
        NewProc.started(this);
      }
      return;
    }
    NewProc.adopt(sched, t, r);
  }

  @Override
  public String toString() {
    return "G" + goid() + "[" + describeStatus() + "]";
  }
}
