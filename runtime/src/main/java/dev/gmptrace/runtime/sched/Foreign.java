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
   * goroutine runs on an M of {@code s} while the caller waits.
   */
  public static void call(Sched s, Runnable task) {
    M here = M.current();
    if (here != null && here.sched == s && here.curg != null) {
      task.run();
      return;
    }
    Throwable[] thrown = new Throwable[1];
    Runnable body =
        () -> {
          try {
            task.run();
          } catch (Throwable t) {
            thrown[0] = t;
          }
        };
    if (here == null && !Thread.currentThread().isVirtual()) {
      runHere(s, body);
    } else {
      java.util.concurrent.CountDownLatch done = new java.util.concurrent.CountDownLatch(1);
      NewProc.newproc(
          s,
          () -> {
            try {
              body.run();
            } finally {
              done.countDown();
            }
          });
      boolean interrupted = false;
      for (; ; ) {
        try {
          done.await();
          break;
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
    rethrow(thrown[0]);
  }

  private static void runHere(Sched s, Runnable body) {
    s.lock.lock();
    M m = Threads.allocm(s, true);
    s.lock.unlock();
    m.thread = Thread.currentThread();
    m.tid = Kernel.currentTid();
    boolean interrupted = Thread.interrupted();
    EXTRA.put(Thread.currentThread(), m);
    COUNT.incrementAndGet();
    try {
      G gp = NewProc.prepare(s, body, G.siteOf(body));
      gp.lockedExt = 1;
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
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
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
