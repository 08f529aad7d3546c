package dev.gmptrace.runtime.sched;

import dev.gmptrace.tracer.record.TraceStack;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Platform threads that are no M of ours: Go's needm and dropm. Such a thread becomes an extra M
 * for the time of one call, with one G locked to it, so the G runs on that very thread; extra Ms
 * are not counted against the thread limit.
 */
@SuppressWarnings("ReferenceEquality") // Gs, Ms and Ps are identities
public final class Foreign {
  private static final AtomicInteger COUNT = new AtomicInteger();
  private static final ConcurrentHashMap<Thread, M> EXTRA = new ConcurrentHashMap<>();

  private Foreign() {}

  /** The extra M of a carrier thread. */
  static @Nullable M current(Thread carrier) {
    return COUNT.get() == 0 ? null : EXTRA.get(carrier);
  }

  /**
   * Runs {@code task} as a goroutine on the calling platform thread and returns when it has ended.
   * In a goroutine of {@code s} it just runs it; on a virtual thread of another scheduler the
   * goroutine runs on an M of {@code s} while the caller waits. An interrupt of a caller that waits
   * is passed on to the goroutine, and what it leaves of it is the caller's again.
   *
   * @throws IllegalStateException when the scheduler is shut down, now or before the task ends
   */
  public static void call(Sched s, Runnable task) {
    M here = M.current();
    if (here != null && here.sched == s && here.curg != null) {
      task.run();
      return;
    }
    if (here != null || Thread.currentThread().isVirtual()) {
      MainRun.run(s, task, null);
    } else {
      runHere(s, new Call(task));
    }
  }

  /** A task on its caller's thread. */
  private static final class Call implements TaskWrapper {
    private final Runnable task;
    @Nullable Throwable thrown;
    boolean interrupted;
    boolean ended;

    Call(Runnable task) {
      this.task = task;
    }

    @Override
    public Object fn() {
      return task instanceof TaskWrapper w ? w.fn() : task;
    }

    @Override
    public void run() {
      M m = M.current();
      if (m != null && m.takeInterrupt()) {
        Thread.currentThread().interrupt();
      }
      try {
        task.run();
      } catch (Throwable t) {
        thrown = t;
      }
      interrupted = Thread.currentThread().isInterrupted();
      ended = true;
    }
  }

  private static void runHere(Sched s, Call call) {
    s.requireOpen();
    s.lock.lock();
    M m = Threads.allocm(s, true);
    s.lock.unlock();
    m.thread = Thread.currentThread();
    m.tid = Kernel.currentTid();
    EXTRA.put(Thread.currentThread(), m);
    COUNT.incrementAndGet();
    try {
      if (Thread.interrupted()) {
        m.interrupted();
      }
      G gp = NewProc.prepare(s, call, G.siteOf(call));
      gp.lockedInt = 1; // the runtime's lock, which no unlockOSThread of the task's takes back
      gp.lockedm = m;
      m.lockedg = gp;
      Trace.goCreate(m, gp, TraceStack.NONE); // before it is alive; see NewProc
      gp.setStatusRelease(G.DEAD, G.RUNNABLE);
      s.foreignBorn.incrementAndGet();
      s.globrunqputLocked(gp);
      Threads.wakep(s, m);
      Schedule.loop(m);
    } finally {
      COUNT.decrementAndGet();
      EXTRA.remove(Thread.currentThread());
      Threads.mexit(m);
      if (m.takeInterrupt() || call.interrupted) {
        Thread.currentThread().interrupt();
      }
    }
    rethrow(call.ended ? call.thrown : s.ending.reason());
  }

  private static void rethrow(@Nullable Throwable t) {
    if (t instanceof RuntimeException e) {
      throw e;
    }
    if (t instanceof Error e) {
      throw e;
    }
    if (t != null) {
      throw new IllegalStateException(t);
    }
  }
}
