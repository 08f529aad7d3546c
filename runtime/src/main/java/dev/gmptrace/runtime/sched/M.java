package dev.gmptrace.runtime.sched;

import dev.gmptrace.runtime.jdk.Jdk;
import dev.gmptrace.tracer.record.TraceThread;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A machine: a platform thread that runs Gs. Its own stack, where {@link Schedule} loops, is what
 * Go calls g0; a G runs on it as a mounted virtual thread.
 *
 * <h2>Runtime sections</h2>
 *
 * Code of the runtime that uses the current P runs between {@link #acquire} and {@link #release}
 * (Go's acquirem), whether on g0, where {@code locks} is never 0, or inside a G. sysmon takes the P
 * of an M that sleeps in the kernel in code that did not announce it, but never from one with
 * {@code locks != 0}. No fence is needed on this side. sysmon sets {@link #ATTENTION_TAKE}, then
 * looks at the thread twice in the kernel's books: if it was asleep at both looks and did not run
 * between them, then it will see the request, when it wakes, at its next acquire; and what it wrote
 * to {@code locks} before it fell asleep is visible to sysmon. acquire waits for sysmon to make up
 * its mind.
 */
public final class M {
  /** sysmon wants the P of an M that seems blocked. */
  static final int ATTENTION_TAKE = 1;

  /** The current G should give way at the next safe point. */
  static final int ATTENTION_PREEMPT = 2;

  private static final VarHandle LOCKS;
  private static final VarHandle ATTENTION;

  static {
    try {
      MethodHandles.Lookup l = MethodHandles.lookup();
      LOCKS = l.findVarHandle(M.class, "locks", int.class);
      ATTENTION = l.findVarHandle(M.class, "attention", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  final long id;
  final Sched sched;
  @Nullable Thread thread;

  /** The P it holds; null when idle, in a syscall, or robbed of it. */
  @Nullable P p;

  /** The G it runs. */
  @Nullable G curg;

  /** The P to begin with after startm. */
  @Nullable P nextp;

  /** The P it held when its G entered a syscall; still its own until sysmon clears it. */
  volatile @Nullable P syscallp;

  /** The P it had last; tried first after a syscall. */
  @Nullable P oldp;

  /** Looking for work with an empty queue. Counted in Sched.nmspinning. */
  boolean spinning;

  /** Whether the G picked last runs on in its predecessor's time slice. */
  boolean inheritTime;

  /** The M ends after this G. */
  boolean ending;

  // What the search for work found besides a G.
  boolean newWork;
  long pollUntil;
  int ranTimers;

  /** When its last G left, while the next is looked for in the P's own queue; else 0. */
  long stepNanos;

  // Its next nap, and how often each P had set its runnext when it last lay down; see Nap.
  long napNanos = Nap.FIRST;
  int[] nextPutsSeen = {};

  private int locks = 1;

  @SuppressWarnings("UnusedVariable") // through ATTENTION
  private int attention;

  final RuntimeMutex takeLock = new RuntimeMutex();

  final Note park =
      new Note() {
        @Override
        void interrupted() {
          M.this.interrupted();
        }
      };

  /** Asleep on {@link #park}; for schedtrace and checks. */
  volatile boolean blocked;

  /**
   * Its locked G does not run, and it sleeps, or is about to, until somebody brings a P. Set under
   * Sched.lock.
   */
  volatile boolean waitsForLocked;

  /** An interrupt that its sleeping thread took note of, to be passed on. */
  private volatile boolean interrupted;

  /** Next on the idle list; under Sched.lock. */
  @Nullable M schedlink;

  /** Next of all Ms, older; under Sched.lock for writing. */
  @Nullable M alllink;

  /** The G that only this M may run, and that this M runs only. */
  volatile @Nullable G lockedg;

  /** A thread of somebody else's that runs one G; see Foreign. */
  final boolean extra;

  /** Runtime locks that are held on this thread, when they are counted; see HeldLocks. */
  int heldLocks;

  @Nullable RuntimeMutex lastLock;

  /** The kernel's id of the thread, 0 where that is not known. */
  int tid;

  long mstartnano;

  /** Receives what findRunnable steals; saves an allocation. */
  final G[] stolen = new G[1];

  /** As the tracer knows it. */
  final TraceThread trace;

  M(Sched sched, long id, boolean extra) {
    this.trace = sched.tracer.newThread((int) id, sched.name + "-M" + id);
    this.sched = sched;
    this.id = id;
    this.extra = extra;
  }

  /** The M under the calling thread, virtual or not; null when that is no M. */
  static @Nullable M current() {
    Thread t = Jdk.currentCarrierThread();
    return t instanceof MThread mt ? mt.m : Foreign.current(t);
  }

  /** Begins a section in which the P cannot be taken away. */
  void acquire() {
    LOCKS.setOpaque(this, locks + 1);
    VarHandle.storeStoreFence(); // the JIT must not sink it below the use of the P
    if (((int) ATTENTION.getAcquire(this) & ATTENTION_TAKE) != 0) {
      awaitTake();
    }
  }

  /** Ends the section. */
  void release() {
    VarHandle.releaseFence();
    LOCKS.setOpaque(this, locks - 1);
  }

  int locks() {
    return (int) LOCKS.getOpaque(this);
  }

  private void awaitTake() {
    takeLock.lock();
    takeLock.unlock();
  }

  /**
   * Asleep on {@link #park}, and interrupted. A pinned G sleeps there itself and gets its flag back
   * when it wakes. A foreign thread is in a call, so the G of that call is meant; it may have no
   * thread yet, and then asks when it begins.
   */
  void interrupted() {
    if (!extra && !Thread.currentThread().isVirtual()) {
      return;
    }
    interrupted = true;
    G gp = lockedg;
    Thread t = gp == null || Thread.currentThread().isVirtual() ? null : gp.thread;
    if (t != null && takeInterrupt()) {
      t.interrupt();
    }
  }

  /** Whether there was an interrupt to be passed on; the caller does that. */
  boolean takeInterrupt() {
    if (!interrupted) {
      return false;
    }
    interrupted = false;
    return true;
  }

  int attention() {
    return (int) ATTENTION.getAcquire(this);
  }

  void attend(int bit) {
    int _ = (int) ATTENTION.getAndBitwiseOr(this, bit);
  }

  void attended(int bit) {
    if ((attention() & bit) != 0) {
      int _ = (int) ATTENTION.getAndBitwiseAnd(this, ~bit);
    }
  }

  P p() {
    P held = p;
    if (held == null) {
      throw new FatalError("M" + id + " has no P");
    }
    return held;
  }

  /** Its number in this scheduler. */
  public long id() {
    return id;
  }

  @Override
  public String toString() {
    return "M" + id;
  }
}
