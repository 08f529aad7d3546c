package dev.gmptrace.runtime.sched;

import dev.gmptrace.tracer.record.TraceStack;
import org.jspecify.annotations.Nullable;

/**
 * The making of goroutines: {@code go f()}, threads that become goroutines, and the reuse of dead
 * Gs.
 *
 * <p>A new G has no virtual thread yet. The M that first runs it makes one, so a burst of {@code
 * go} costs a G each, not a thread and a continuation each, and the making is spread over the Ms
 * that run them. What a thread inherits at birth is passed on by hand (the context class loader);
 * inheritable ThreadLocals are not inherited by {@code go}. Threads from the ThreadFactory are made
 * by their caller and do inherit.
 */
@SuppressWarnings({
  "ReferenceEquality", // threads are compared by identity
  "NonAtomicVolatileUpdate" // gfreeCount changes under gfreeLock
})
final class NewProc {
  private static final int BATCH = 16;
  private static final int LOCAL_MAX = 64;

  private NewProc() {}

  static G newproc(Sched s, Runnable fn) {
    return newproc(s, fn, null);
  }

  static G newproc(Sched s, Runnable fn, @Nullable String name) {
    if (fn == null) {
      throw new FatalError("go of nil func value");
    }
    M m = M.current();
    ClassLoader loader = Thread.currentThread().getContextClassLoader();
    G gp;
    if (m == null || m.sched != s) {
      gp = gfgetGlobal(s);
      gp.init(s.goidgen.incrementAndGet(), 0, fn, name);
      gp.loader = loader;
      enqueueForeign(s, gp);
      return gp;
    }
    TraceStack stack = Trace.stack(s);
    m.acquire();
    P pp = Syscalls.ensureP(m);
    if (pp == null) {
      gp = gfgetGlobal(s);
      gp.init(s.goidgen.incrementAndGet(), goidOf(m.curg), fn, name);
    } else {
      gp = gfget(pp);
      gp.init(nextGoid(pp), goidOf(m.curg), fn, name);
    }
    gp.loader = loader;
    enqueue(m, gp, stack);
    m.release();
    Proc.checkPreempt(m);
    return gp;
  }

  /** A G whose thread is made by the caller, to be started later. */
  static G prepare(Sched s, Runnable fn, @Nullable String name) {
    G gp = gfgetGlobal(s);
    G parent = Proc.getg();
    gp.init(s.goidgen.incrementAndGet(), goidOf(parent), fn, name);
    return gp;
  }

  /** The thread of a prepared G was started. */
  static void started(G gp) {
    Sched s = gp.sched;
    M m = M.current();
    if (m == null || m.sched != s) {
      enqueueForeign(s, gp);
      return;
    }
    TraceStack stack = Trace.stack(s);
    m.acquire();
    P _ = Syscalls.ensureP(m);
    enqueue(m, gp, stack);
    m.release();
  }

  /** In a runtime section: next on the M's P, or on the global queue when it has none. */
  private static void enqueue(M m, G gp, TraceStack stack) {
    gp.setStatusRelease(G.DEAD, G.RUNNABLE);
    Trace.goCreate(m, gp, stack);
    P pp = m.p;
    if (pp == null) {
      m.sched.globrunqputLocked(gp);
    } else {
      Proc.runqput(pp, gp, true);
    }
    Threads.wakep(m.sched, m);
  }

  /** A virtual thread that some G is the Executor of, but that is not that G's own. */
  static void adopt(Sched s, Thread t, Runnable r) {
    G gp = s.adopted.get(t);
    if (gp != null) {
      if (gp.thread == t) {
        gp.execute(r);
      }
      return;
    }
    if (!t.isAlive()) {
      return; // a late resubmission of one that has ended
    }
    gp = prepare(s, t, null);
    gp.fn = null;
    gp.adopted = true;
    gp.thread = t;
    gp.cont = r;
    s.adopted.put(t, gp);
    started(gp);
  }

  private static void enqueueForeign(Sched s, G gp) {
    gp.setStatusRelease(G.DEAD, G.RUNNABLE);
    Trace.goCreateOutside(gp);
    s.globrunqputLocked(gp);
    Threads.wakep(s, null);
  }

  private static long goidOf(@Nullable G gp) {
    return gp == null ? 0 : gp.goid();
  }

  private static long nextGoid(P pp) {
    if (pp.goidcache == pp.goidcacheend) {
      long last = pp.sched.goidgen.addAndGet(P.GOID_CACHE);
      pp.goidcache = last - P.GOID_CACHE + 1;
      pp.goidcacheend = last + 1;
    }
    return pp.goidcache++;
  }

  private static G gfget(P pp) {
    G gp = pp.gfree;
    if (gp == null) {
      refill(pp);
      gp = pp.gfree;
      if (gp == null) {
        throw new AssertionError();
      }
    }
    pp.gfree = gp.schedlink;
    pp.gfreeCount--;
    gp.schedlink = null;
    return gp;
  }

  private static void refill(P pp) {
    Sched s = pp.sched;
    if (s.gfreeCount > 0) {
      s.gfreeLock.lock();
      for (int i = 0; i < LOCAL_MAX / 2; i++) {
        G gp = s.gfree;
        if (gp == null) {
          break;
        }
        s.gfree = gp.schedlink;
        s.gfreeCount = s.gfreeCount - 1;
        gp.schedlink = pp.gfree;
        pp.gfree = gp;
        pp.gfreeCount++;
      }
      s.gfreeLock.unlock();
      if (pp.gfree != null) {
        return;
      }
    }
    for (G gp : malg(s)) {
      gp.schedlink = pp.gfree;
      pp.gfree = gp;
      pp.gfreeCount++;
    }
  }

  private static G[] malg(Sched s) {
    G[] fresh = new G[BATCH];
    for (int i = 0; i < BATCH; i++) {
      fresh[i] = new G(s);
      fresh[i].setStatusRelease(G.IDLE, G.DEAD);
    }
    s.allgs.add(fresh);
    return fresh;
  }

  private static G gfgetGlobal(Sched s) {
    s.gfreeLock.lock();
    try {
      if (s.gfree == null) {
        for (G gp : malg(s)) {
          gp.schedlink = s.gfree;
          s.gfree = gp;
          s.gfreeCount = s.gfreeCount + 1;
        }
      }
      G gp = s.gfree;
      if (gp == null) {
        throw new AssertionError();
      }
      s.gfree = gp.schedlink;
      s.gfreeCount = s.gfreeCount - 1;
      gp.schedlink = null;
      return gp;
    } finally {
      s.gfreeLock.unlock();
    }
  }

  /** On g0, with the G dead and its thread over. */
  static void gfput(Sched s, @Nullable P pp, G gp) {
    if (pp == null) {
      s.gfreeLock.lock();
      gp.schedlink = s.gfree;
      s.gfree = gp;
      s.gfreeCount = s.gfreeCount + 1;
      s.gfreeLock.unlock();
      return;
    }
    gp.schedlink = pp.gfree;
    pp.gfree = gp;
    pp.gfreeCount++;
    if (pp.gfreeCount >= LOCAL_MAX) {
      gfmove(s, pp, LOCAL_MAX / 2);
    }
  }

  /** Moves all but {@code keep} of a P's dead Gs to the global list. */
  static void gfmove(Sched s, P pp, int keep) {
    s.gfreeLock.lock();
    int moved = 0;
    while (pp.gfreeCount - moved > keep) {
      G gp = pp.gfree;
      if (gp == null) {
        break;
      }
      pp.gfree = gp.schedlink;
      gp.schedlink = s.gfree;
      s.gfree = gp;
      moved++;
    }
    pp.gfreeCount -= moved;
    s.gfreeCount = s.gfreeCount + moved;
    s.gfreeLock.unlock();
  }
}
