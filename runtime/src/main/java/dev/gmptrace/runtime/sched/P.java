package dev.gmptrace.runtime.sched;

import dev.gmptrace.tracer.record.TraceBuffer;
import dev.gmptrace.tracer.record.TracedP;
import dev.gmptrace.tracer.wire.ProcStatus;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A processor: the right to run goroutines, and what goes with it (run queue, timers, caches).
 * There are GOMAXPROCS of them. An M must hold one to run a G, except in a syscall.
 *
 * <pre>
 *           acquirep                    stopTheWorld
 *   IDLE &lt;-----------&gt; RUNNING ----------------------&gt; GCSTOP ----&gt; DEAD (beyond GOMAXPROCS)
 *           releasep      |                               |            |
 *     ^                   | retake (M in syscall)         |            | procresize
 *     +-------------------+ &lt;-----------------------------+ &lt;----------+
 *                              startTheWorld
 * </pre>
 *
 * <p>Fields without a note belong to the M that holds the P; a P changes hands under {@code
 * Sched.lock}, or through an M's note, or by sysmon's protocol for syscalls, each of which orders
 * the old owner's writes before the new one's reads. sysmon and schedtrace read some of them
 * racily.
 */
@SuppressWarnings("ReferenceEquality") // Ps are identities
public final class P extends TracedP {
  static final int IDLE = 0;
  static final int RUNNING = 1;
  static final int SYSCALL_UNUSED = 2;
  static final int GCSTOP = 3;
  static final int DEAD = 4;

  static final int GOID_CACHE = 16;

  private static final VarHandle STATUS;

  static {
    try {
      STATUS = MethodHandles.lookup().findVarHandle(P.class, "status", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  final int id;
  final Sched sched;
  final RunQueue runq = new RunQueue();
  final RunQueue.Overflow overflow = this::overflow;
  final Timers timers;
  final TraceBuffer trace;

  @SuppressWarnings("UnusedVariable") // through STATUS
  private int status = GCSTOP;

  /** The M that holds it; null when idle. */
  volatile @Nullable M m;

  /** Next on the idle list; under Sched.lock. */
  @Nullable P link;

  /** Counts calls of execute that began a time slice; read by sysmon. */
  int schedtick;

  /** Counts syscalls; read by sysmon. */
  int syscalltick;

  /** Slots of AllGs for new Gs. */
  final int[] slots = new int[64];

  int nslots;

  /** Goroutines that began and ended here. */
  long gborn;

  long gdied;

  /** Dead Gs for reuse. */
  @Nullable G gfree;

  int gfreeCount;

  long goidcache;
  long goidcacheend;

  /** sysmon's memory of this P. */
  int sysmonSchedtick;

  long sysmonSchedwhen;
  long sysmonLook;
  int sysmonSyscalltick;
  long sysmonSyscallwhen;

  /** xorshift state for stealing. */
  private int random;

  P(int id, Sched sched) {
    super(id);
    this.id = id;
    this.sched = sched;
    this.timers = new Timers(sched);
    this.trace = sched.tracer.bufferFor(this);
    this.random = (int) (sched.seed ^ (id + 1) * 0x9E3779B9L) | 1;
  }

  int status() {
    return (int) STATUS.getAcquire(this);
  }

  void setStatus(int s) {
    STATUS.setRelease(this, s);
  }

  /** Half of a full ring and one more, to the global queue in one batch. */
  private void overflow(GQueue batch) {
    if (sched.check) {
      Check.overflow(this, batch);
    }
    M holder = m;
    if (holder != null) {
      Trace.overflow(holder, batch.size());
    }
    sched.lock.lock();
    sched.globrunqputbatch(batch);
    sched.lock.unlock();
  }

  @Override
  protected int traceStatus() {
    M holder = m;
    return switch (status()) {
      case RUNNING ->
          holder != null && holder.syscallp == this ? ProcStatus.SYSCALL : ProcStatus.RUNNING;
      case DEAD -> 0;
      default -> ProcStatus.IDLE;
    };
  }

  @Override
  protected int traceThread() {
    M holder = m;
    return holder == null ? -1 : (int) holder.id;
  }

  int fastrand() {
    int x = random;
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    random = x;
    return x & 0x7fffffff;
  }

  /** Its number, from 0. */
  public int id() {
    return id;
  }

  @Override
  public String toString() {
    return "P" + id;
  }
}
