package dev.gmptrace.analyzer.model;

import dev.gmptrace.analyzer.read.EventTypes;
import dev.gmptrace.analyzer.read.ProcState;
import dev.gmptrace.analyzer.read.TraceEvent;
import java.util.Arrays;

/**
 * Who is where at this point of the pass: which thread holds which processor and which goroutine is
 * on it. It keeps the lanes of processors and threads.
 *
 * <p>At any time a goroutine is {@code RUNNING} exactly as long as one thread and one processor are
 * so with it; that is why the three kinds of lanes add up to the same. An event that contradicts
 * what is known (events before it were lost) makes all that it contradicts {@code UNKNOWN}.
 */
final class Places {
  private static final int NOBODY = GoroutineLog.NOBODY;

  /** A count of processors beyond this is nonsense; no lanes are made for it. */
  private static final int MAX_NEW_PROCS = 1 << 12;

  private final TraceModel model;

  /** The time of the event at hand. */
  long now;

  private byte[] gState = new byte[64];

  /** The thread it is on, plus one. */
  private int[] gThread = new int[64];

  private int[] pThread = new int[16];
  private int[] pGoroutine = new int[16];
  private int[] mProc = new int[16];
  private int[] mGoroutine = new int[16];
  private long lastGoid = -1;
  private int lastG = NOBODY;
  private long maxProcs;
  private int idleProcs;
  private int runningProcs;
  private int parked;
  private int spinning;
  private int threads;
  private final Series procsRunning;
  private final Series procsIdle;
  private final Series threadsTotal;
  private final Series threadsParked;
  private final Series threadsSpinning;

  Places(TraceModel model) {
    this.model = model;
    Arrays.fill(pThread, NOBODY);
    Arrays.fill(pGoroutine, NOBODY);
    Arrays.fill(mProc, NOBODY);
    Arrays.fill(mGoroutine, NOBODY);
    procsRunning = model.seriesOf("p.running");
    procsIdle = model.seriesOf("p.idle");
    threadsTotal = model.seriesOf("m.total");
    threadsParked = model.seriesOf("m.parked");
    threadsSpinning = model.seriesOf("m.spinning");
  }

  SpanState state(int g) {
    return SpanState.of(gState[g]);
  }

  /** The goroutine a thread runs, or -1. */
  int goroutineOn(int m) {
    return m < 0 ? NOBODY : mGoroutine[m];
  }

  /** The thread that holds a processor, or -1. */
  int threadOf(int p) {
    return pThread[p];
  }

  // Goroutines.

  int change(
      int g, SpanState old, SpanState state, int reason, int p, int m, int stack, int actor) {
    int rank = model.goroutines.changes(g);
    model.goroutines.changes.set(g, rank + 1);
    gState[g] = (byte) state.code();
    return model.goroutineLog.add(
        now, g, old.code(), state.code(), reason, p, m, stack, actor, rank);
  }

  /** Makes a place for a goroutine: it is nowhere else, and nobody else is there. */
  void clear(int g, int p, int m) {
    int before = gThread[g] - 1;
    boolean moved = before >= 0 && before != m;
    boolean bare = before >= 0 && p < 0 && mProc[before] >= 0 && pGoroutine[mProc[before]] == g;
    if (moved || bare) {
      forget(g);
    }
    if (m >= 0 && p >= 0 && mProc[m] != p) {
      bind(m, p);
    }
    if (m >= 0 && mGoroutine[m] != g) {
      forget(mGoroutine[m]);
    }
    if (p >= 0 && pGoroutine[p] != g) {
      forget(pGoroutine[p]);
    }
  }

  /** The goroutine is on a thread from now on, with a processor or without. */
  void enter(int g, int i, int p, int m, SpanState state) {
    if (m >= 0) {
      mGoroutine[m] = g;
      gThread[g] = m + 1;
      threadState(m, Lanes.GOROUTINE, i, state);
    }
    if (p >= 0) {
      pGoroutine[p] = m < 0 ? NOBODY : g;
      procLane(p, Lanes.GOROUTINE, i, state);
    }
  }

  /** The goroutine is on no thread from now on; {@code by} is where it says so itself, or -1. */
  void leave(int g, int i, int by) {
    int m = gThread[g] - 1;
    gThread[g] = 0;
    if (m < 0 && by >= 0 && model.threadLanes.current(by) == SpanState.UNKNOWN) {
      m = by;
    } else if (m < 0 || mGoroutine[m] != g) {
      return;
    }
    mGoroutine[m] = NOBODY;
    threadState(m, Lanes.GOROUTINE, i, SpanState.SCHEDULING);
    int p = mProc[m];
    if (p >= 0 && (pGoroutine[p] == g || pGoroutine[p] < 0)) {
      pGoroutine[p] = NOBODY;
      procLane(p, Lanes.GOROUTINE, i, SpanState.SCHEDULING);
    }
  }

  /** Nothing is known any more of a goroutine on a thread, nor of the thread and its processor. */
  private void forget(int g) {
    if (g < 0) {
      return;
    }
    int m = gThread[g] - 1;
    int p = m < 0 ? NOBODY : mProc[m];
    int i = change(g, state(g), SpanState.UNKNOWN, 0, p, m, 0, NOBODY);
    gThread[g] = 0;
    if (m >= 0 && mGoroutine[m] == g) {
      mGoroutine[m] = NOBODY;
      threadState(m, Lanes.GOROUTINE, i, SpanState.UNKNOWN);
    }
    if (p >= 0 && pGoroutine[p] == g) {
      pGoroutine[p] = NOBODY;
      procLane(p, Lanes.GOROUTINE, i, SpanState.UNKNOWN);
    }
  }

  // Losses.

  /**
   * Events of this processor's buffer, or of this thread, are missing from now on: what they were
   * doing is unknown until they are heard of again.
   */
  void lost(int p, int m, int point) {
    int holder = p < 0 ? m : pThread[p];
    int held = holder < 0 ? p : mProc[holder];
    if (holder >= 0) {
      forget(mGoroutine[holder]);
      threadState(holder, Lanes.POINT, point, SpanState.UNKNOWN);
    }
    if (held >= 0) {
      forget(pGoroutine[held]);
      procLane(held, Lanes.POINT, point, SpanState.UNKNOWN);
    }
  }

  /** A thread has no goroutine, says an event; if one was thought to be there, nobody knows. */
  void leftAlone(int m) {
    int g = goroutineOn(m);
    if (g >= 0 && !state(g).syscall()) {
      forget(g);
    }
  }

  // Processors.

  /** A thread holds a processor from now on, and neither has another partner. */
  private void bind(int m, int p) {
    int other = mProc[m];
    if (other >= 0 && other != p && pThread[other] == m) {
      forget(pGoroutine[other]);
      pThread[other] = NOBODY;
    }
    int before = pThread[p];
    if (before >= 0 && before != m && mProc[before] == p) {
      forget(pGoroutine[p]);
      mProc[before] = NOBODY;
    }
    mProc[m] = p;
    pThread[p] = m;
  }

  private SpanState procState(int p) {
    return model.procLanes.size(p) == 0
        ? SpanState.UNKNOWN
        : procStateOf(model.procLanes.current(p));
  }

  private static SpanState procStateOf(SpanState lane) {
    return lane == SpanState.IDLE || lane == SpanState.NONE || lane == SpanState.UNKNOWN
        ? lane
        : SpanState.SCHEDULING;
  }

  /** A thread takes a processor, or is said to have it. */
  void takes(int p, int by, TraceEvent e) {
    SpanState old = procState(p);
    if (e.procFrom() == ProcState.RUNNING && old == SpanState.SCHEDULING) {
      return;
    }
    // A status is told by whatever thread, and that may hold another processor itself.
    boolean another = by >= 0 && mProc[by] >= 0 && mProc[by] != p;
    int m = e.procFrom() == ProcState.UNDETERMINED && another ? NOBODY : by;
    if (m >= 0) {
      bind(m, p);
    } else {
      forget(pGoroutine[p]);
      separate(p);
    }
    int i = procChange(p, old, SpanState.SCHEDULING, m, by);
    if (m >= 0) {
      held(p, m, i, e.type() == EventTypes.PROC_STATUS_INFO);
    }
  }

  /** What is on the thread is on the processor as well. */
  private void held(int p, int m, int i, boolean status) {
    int g = mGoroutine[m];
    if (g < 0) {
      threadState(m, Lanes.PROC, i, SpanState.SCHEDULING);
      return;
    }
    boolean inCall = status && state(g) == SpanState.SYSCALL_NO_P;
    if (inCall || state(g) == SpanState.UNKNOWN) {
      SpanState is = inCall ? SpanState.SYSCALL : SpanState.RUNNING;
      enter(g, change(g, state(g), is, 0, p, m, 0, NOBODY), p, m, is);
    }
  }

  /** A processor is idle from now on, or no more; false if it was so already. */
  boolean gives(int p, int m, int by, TraceEvent e) {
    SpanState old = procState(p);
    if (e.procFrom() == e.procTo() && old == SpanState.IDLE) {
      return false;
    }
    boolean gone = e.procTo() != ProcState.IDLE || beyond(p);
    int g = m < 0 || mProc[m] != p ? NOBODY : mGoroutine[m];
    boolean inCall = g >= 0 && state(g) == SpanState.SYSCALL;
    if (!inCall) {
      forget(pGoroutine[p]);
    }
    int i = procChange(p, old, gone ? SpanState.NONE : SpanState.IDLE, m, by);
    boolean holder = m >= 0 && mProc[m] == p;
    separate(p);
    if (inCall) {
      int k = change(g, SpanState.SYSCALL, SpanState.SYSCALL_NO_P, 0, p, by, 0, NOBODY);
      threadState(m, Lanes.GOROUTINE, k, SpanState.SYSCALL_NO_P);
    } else if (holder && mGoroutine[m] < 0 && model.threadLanes.current(m) != SpanState.SPINNING) {
      threadState(m, Lanes.PROC, i, SpanState.IDLE);
    }
    return true;
  }

  private void separate(int p) {
    int m = pThread[p];
    if (m >= 0 && mProc[m] == p) {
      mProc[m] = NOBODY;
    }
    pThread[p] = NOBODY;
    pGoroutine[p] = NOBODY;
  }

  private boolean beyond(int p) {
    return maxProcs > 0 && model.procs.id(p) >= maxProcs;
  }

  /** There are so many processors from now on: those beyond are no more, new ones are idle. */
  void maxProcs(long n) {
    long before = maxProcs;
    maxProcs = n;
    if (before > 0 && n - before <= MAX_NEW_PROCS) {
      for (long id = before; id < n; id++) {
        proc(id);
      }
    }
    for (int p = 0; p < model.procs.size(); p++) {
      SpanState old = model.procLanes.current(p);
      if (beyond(p) && old == SpanState.IDLE) {
        procChange(p, old, SpanState.NONE, NOBODY, NOBODY);
      } else if (before > 0 && !beyond(p) && model.procs.id(p) >= before && old == SpanState.NONE) {
        procChange(p, old, SpanState.IDLE, NOBODY, NOBODY);
      }
    }
  }

  private int procChange(int p, SpanState old, SpanState to, int m, int by) {
    int i = model.procLog.add(now, p, old.code(), to.code(), m, by);
    procLane(p, Lanes.PROC, i, to);
    return i;
  }

  /** A processor is in a state from now on. */
  private void procLane(int p, int log, int index, SpanState to) {
    SpanState before = procStateOf(model.procLanes.current(p));
    SpanState after = procStateOf(to);
    model.procLanes.begin(p, log, index, to);
    if (before != after) {
      count(before, -1);
      count(after, 1);
      procsRunning.add(now, runningProcs);
      procsIdle.add(now, idleProcs);
    }
  }

  private void count(SpanState state, int by) {
    if (state == SpanState.IDLE) {
      idleProcs += by;
    } else if (state == SpanState.SCHEDULING) {
      runningProcs += by;
    }
  }

  // Threads.

  /** A thread is in a state from now on; the logs' {@code index} is where that was recorded. */
  void threadState(int m, int log, int index, SpanState state) {
    SpanState old = model.threadLanes.current(m);
    model.threadLanes.begin(m, log, index, state);
    if (old == state) {
      return;
    }
    threads += (old == SpanState.NONE ? 1 : 0) - (state == SpanState.NONE ? 1 : 0);
    parked += (state == SpanState.IDLE ? 1 : 0) - (old == SpanState.IDLE ? 1 : 0);
    spinning += (state == SpanState.SPINNING ? 1 : 0) - (old == SpanState.SPINNING ? 1 : 0);
    threadsTotal.add(now, threads);
    threadsParked.add(now, parked);
    threadsSpinning.add(now, spinning);
  }

  // Dense indexes.

  int goroutine(long goid) {
    if (goid == TraceEvent.NONE) {
      return NOBODY;
    }
    if (goid == lastGoid) {
      return lastG;
    }
    int g = model.goroutines.find(goid);
    if (g < 0) {
      g = model.goroutines.add(goid);
      if (g >= gState.length) {
        gState = Arrays.copyOf(gState, g * 2);
        gThread = Arrays.copyOf(gThread, g * 2);
      }
    }
    lastGoid = goid;
    lastG = g;
    return g;
  }

  int proc(long id) {
    int p = model.procs.index(id);
    if (p >= pThread.length) {
      pThread = grow(pThread, p);
      pGoroutine = grow(pGoroutine, p);
    }
    return p;
  }

  int thread(long id) {
    int m = model.threads.index(id);
    if (m >= mProc.length) {
      mProc = grow(mProc, m);
      mGoroutine = grow(mGoroutine, m);
    }
    return m;
  }

  private static int[] grow(int[] a, int index) {
    int[] bigger = Arrays.copyOf(a, Math.max(index + 1, a.length * 2));
    Arrays.fill(bigger, a.length, bigger.length, NOBODY);
    return bigger;
  }
}
