package dev.gmptrace.runtime.sched;

import dev.gmptrace.tracer.record.EntrySite;
import dev.gmptrace.tracer.record.StackOn;
import dev.gmptrace.tracer.record.TraceStack;
import java.util.concurrent.RejectedExecutionException;
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
  /** How many dead Gs a P keeps for reuse; see AllGs for why not more. */
  private static final int LOCAL_MAX = 16;

  private static final EntrySite VIRTUAL_THREAD = EntrySite.named("virtual thread");

  private NewProc() {}

  static G newproc(Sched s, Runnable fn) {
    return newproc(s, fn, null);
  }

  static G newproc(Sched s, Runnable fn, @Nullable String name) {
    if (fn == null) {
      throw new FatalError("go of nil func value");
    }
    return newproc(s, fn, name, name == null ? G.siteOf(fn) : EntrySite.named(name));
  }

  static G newproc(Sched s, Runnable fn, @Nullable String name, EntrySite site) {
    if (s.shutdown) {
      s.requireOpen();
    }
    M m = M.current();
    ClassLoader loader = Thread.currentThread().getContextClassLoader();
    G gp;
    if (m == null || m.sched != s) {
      gp = gfgetGlobal(s);
      gp.init(s.goidgen.incrementAndGet(), 0, fn, site);
      gp.name = name;
      gp.loader = loader;
      enqueueForeign(s, gp);
      return gp;
    }
    TraceStack stack = Trace.stack(s, StackOn.CREATE);
    m.acquire();
    P pp = Syscalls.ensureP(m);
    if (pp == null) {
      gp = gfgetGlobal(s);
      gp.init(s.goidgen.incrementAndGet(), goidOf(m.curg), fn, site);
    } else {
      gp = gfget(pp);
      gp.init(nextGoid(pp), goidOf(m.curg), fn, site);
    }
    gp.name = name;
    gp.loader = loader;
    enqueue(m, gp, stack);
    m.release();
    Proc.checkPreempt(m);
    return gp;
  }

  /** A G whose thread is made by the caller, to be started later. */
  static G prepare(Sched s, Runnable fn, EntrySite site) {
    G gp = gfgetGlobal(s);
    G parent = Proc.getg();
    gp.init(s.goidgen.incrementAndGet(), goidOf(parent), fn, site);
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
    TraceStack stack = Trace.stack(s, StackOn.CREATE);
    m.acquire();
    P _ = Syscalls.ensureP(m);
    enqueue(m, gp, stack);
    m.release();
  }

  /** In a runtime section: next on the M's P, or on the global queue when it has none. */
  private static void enqueue(M m, G gp, TraceStack stack) {
    // Traced before it is alive: the recorder tells of everything alive that has had no event, and
    // would tell of this one in a generation before that of its creation.
    Trace.goCreate(m, gp, stack);
    gp.setStatusRelease(G.DEAD, G.RUNNABLE);
    P pp = m.p;
    if (pp == null) {
      m.sched.foreignBorn.incrementAndGet();
      m.sched.globrunqputLocked(gp);
      Threads.wakep(m.sched, m);
    } else {
      pp.gborn++;
      Proc.runqput(pp, gp, true);
      Threads.wakep(m.sched, m, pp);
    }
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
    if (s.shutdown) {
      throw rejected(s);
    }
    gp = prepare(s, t, siteOf(s, t));
    gp.fn = null;
    gp.adopted = true;
    gp.thread = t;
    gp.cont = r;
    s.adopted.put(t, gp);
    started(gp);
  }

  /** For a thread that is being started; as a JDK pool says that it is shut down. */
  static RejectedExecutionException rejected(Sched s) {
    return new RejectedExecutionException("the scheduler " + s.name + " is shut down");
  }

  /** What the thread's task is we cannot know. Who started it is on the stack: only if traced. */
  private static EntrySite siteOf(Sched s, Thread t) {
    String name = t.getName();
    if (!name.isEmpty()) {
      return EntrySite.ofThreadNamed(name);
    }
    return s.tracer.enabled() ? EntrySite.here() : VIRTUAL_THREAD;
  }

  private static void enqueueForeign(Sched s, G gp) {
    Trace.goCreateOutside(gp); // before it is alive, as above
    gp.setStatusRelease(G.DEAD, G.RUNNABLE);
    s.foreignBorn.incrementAndGet();
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
    if (pp.gfree == null && pp.sched.gfreeCount > 0) {
      refill(pp);
    }
    G gp = pp.gfree;
    if (gp != null) {
      pp.gfree = gp.schedlink;
      pp.gfreeCount--;
      gp.schedlink = null;
      return gp;
    }
    if (pp.nslots == 0) {
      pp.nslots = pp.slots.length / 2;
      pp.sched.allgs.takeSlots(pp.slots, pp.nslots);
    }
    return malg(pp.sched, pp.slots[--pp.nslots]);
  }

  private static G malg(Sched s, int slot) {
    G gp = new G(s);
    gp.slot = slot;
    gp.setStatusRelease(G.IDLE, G.DEAD);
    s.allgs.set(slot, gp);
    return gp;
  }

  private static void refill(P pp) {
    Sched s = pp.sched;
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
  }

  private static G gfgetGlobal(Sched s) {
    s.gfreeLock.lock();
    G gp = s.gfree;
    if (gp != null) {
      s.gfree = gp.schedlink;
      s.gfreeCount = s.gfreeCount - 1;
      gp.schedlink = null;
    }
    s.gfreeLock.unlock();
    if (gp != null) {
      return gp;
    }
    int[] slot = new int[1];
    s.allgs.takeSlots(slot, 1);
    return malg(s, slot[0]);
  }

  /** On g0, with the G dead and its thread over. */
  static void gfput(Sched s, @Nullable P pp, G gp) {
    if (pp == null) {
      s.foreignDied.incrementAndGet();
      s.gfreeLock.lock();
      gp.schedlink = s.gfree;
      s.gfree = gp;
      s.gfreeCount = s.gfreeCount + 1;
      s.gfreeLock.unlock();
      return;
    }
    pp.gdied++;
    if (pp.gfreeCount < LOCAL_MAX) {
      gp.schedlink = pp.gfree;
      pp.gfree = gp;
      pp.gfreeCount++;
      return;
    }
    // Enough are kept: this one is for the garbage collector.
    if (pp.nslots == pp.slots.length) {
      int half = pp.slots.length / 2;
      s.allgs.returnSlots(pp.slots, half, pp.slots.length);
      pp.nslots = half;
    }
    s.allgs.set(gp.slot, null);
    pp.slots[pp.nslots++] = gp.slot;
  }

  /** Gives back what a P that is taken down has kept. */
  static void gfpurge(Sched s, P pp) {
    s.gfreeLock.lock();
    for (G gp = pp.gfree; gp != null; gp = pp.gfree) {
      pp.gfree = gp.schedlink;
      gp.schedlink = s.gfree;
      s.gfree = gp;
      s.gfreeCount = s.gfreeCount + 1;
    }
    pp.gfreeCount = 0;
    s.gfreeLock.unlock();
    s.allgs.returnSlots(pp.slots, 0, pp.nslots);
    pp.nslots = 0;
  }
}
