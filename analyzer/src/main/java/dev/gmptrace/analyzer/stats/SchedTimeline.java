package dev.gmptrace.analyzer.stats;

import dev.gmptrace.analyzer.index.LaneId;
import dev.gmptrace.analyzer.index.LaneState;
import dev.gmptrace.analyzer.index.Trace;
import dev.gmptrace.analyzer.index.TraceIndex;
import dev.gmptrace.analyzer.model.GoroutineLog;
import dev.gmptrace.analyzer.model.Series;
import dev.gmptrace.analyzer.model.SpanState;
import dev.gmptrace.analyzer.model.TraceModel;
import dev.gmptrace.tracer.schedtrace.SchedSnapshot;
import dev.gmptrace.tracer.schedtrace.SchedSnapshot.GStatus;
import dev.gmptrace.tracer.schedtrace.SchedSnapshot.PStatus;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;

/**
 * Schedtrace from a recording: what sysmon would have printed at any moment of it.
 *
 * <p>Who holds, runs and waits is exact at the moment asked, because every change is in the trace.
 * Queue lengths, timers and threads (all, idle, spinning) are only counted now and then, so they
 * are as of the last count before the moment; a Go trace has no such counts, there they are 0 and
 * the threads are those the trace has seen. Ticks of a Go trace count from the trace's beginning.
 */
public final class SchedTimeline {
  private static final long MAX_PROCS = 1 << 16;

  private final TraceModel model;
  private final TraceIndex index;

  private SchedTimeline(Trace trace) {
    this.model = trace.model();
    this.index = trace.index();
  }

  /** The schedtrace of a trace. */
  public static SchedTimeline of(Trace trace) {
    return new SchedTimeline(trace);
  }

  /** Whether the trace counts queue lengths; if not, they are printed as 0. */
  public boolean hasQueueLengths() {
    return model.series("queue.global") != null;
  }

  /** The moment {@code ns}, with what {@code scheddetail=1} adds or without. */
  public SchedSnapshot at(long ns, boolean detail) {
    return new Cursor().at(ns, detail);
  }

  /** Moments {@code step} apart from {@code from} to {@code to}, both included. */
  public Iterable<SchedSnapshot> every(long step, long from, long to, boolean detail) {
    if (step <= 0) {
      throw new IllegalArgumentException("the step must be positive, not " + step + " ns");
    }
    long last = Math.min(to, model.duration());
    return () ->
        new Iterator<>() {
          private final Cursor cursor = new Cursor();
          private long next = Math.max(0, from);

          @Override
          public boolean hasNext() {
            return next <= last;
          }

          @Override
          public SchedSnapshot next() {
            if (!hasNext()) {
              throw new NoSuchElementException();
            }
            SchedSnapshot s = cursor.at(next, detail);
            next += step;
            return s;
          }
        };
  }

  private long seriesAt(String name, long ns, long otherwise) {
    Series s = model.series(name);
    return s == null || s.size() == 0 ? otherwise : s.at(ns);
  }

  /** Before the first count they are those of the first count: there is no program without any. */
  private int threads(long ns) {
    Series s = model.series("sched.threads");
    if (s == null || s.size() == 0) {
      return (int) seriesAt("m.total", ns, 0);
    }
    return (int) (s.lowerBound(ns + 1) == 0 ? s.value(0) : s.at(ns));
  }

  private int gomaxprocs(long ns) {
    Series s = model.series("gomaxprocs");
    if (s == null || s.size() == 0) {
      return model.procs().size();
    }
    return (int) Math.min(s.lowerBound(ns + 1) == 0 ? s.value(0) : s.at(ns), MAX_PROCS);
  }

  /** Walks the log forward, counting starts and system calls a processor. */
  private final class Cursor {
    private final GoroutineLog log = model.goroutineLog();
    private final long[] starts = new long[model.procs().size()];
    private final long[] calls = new long[model.procs().size()];
    private int next;

    SchedSnapshot at(long ns, boolean detail) {
      for (; next < log.size() && log.time(next) <= ns; next++) {
        int p = log.p(next);
        if (p >= 0) {
          SpanState to = SpanState.of(log.newState(next));
          SpanState old = SpanState.of(log.oldState(next));
          if (to == SpanState.RUNNING && old.runnable()) {
            starts[p]++;
          } else if (to == SpanState.SYSCALL && old == SpanState.RUNNING) {
            calls[p]++;
          }
        }
      }
      int n = gomaxprocs(ns);
      List<SchedSnapshot.Proc> procs = new ArrayList<>();
      int idle = 0;
      for (int id = 0; id < n; id++) {
        SchedSnapshot.Proc p = proc(id, ns);
        idle += p.status() == PStatus.IDLE ? 1 : 0;
        procs.add(p);
      }
      return new SchedSnapshot(
          ns / 1_000_000,
          n,
          idle,
          threads(ns),
          (int) seriesAt("sched.spinning", ns, 0),
          (int) seriesAt("sched.needspinning", ns, 0),
          (int) seriesAt("sched.idlethreads", ns, seriesAt("m.parked", ns, 0)),
          (int) seriesAt("queue.global", ns, 0),
          procs,
          detail ? detail(ns) : null);
    }

    private SchedSnapshot.Proc proc(int id, long ns) {
      LaneState s = index.stateAt(LaneId.p(id), ns);
      boolean held = s != null && s.state() != SpanState.IDLE && s.state() != SpanState.UNKNOWN;
      int dense = model.procs().find(id);
      return new SchedSnapshot.Proc(
          id,
          held ? PStatus.RUNNING : PStatus.IDLE,
          seriesAt("schedtick.p" + id, ns, dense < 0 ? 0 : starts[dense]),
          dense < 0 ? 0 : calls[dense],
          s != null && held ? s.m() : SchedSnapshot.NONE,
          (int) seriesAt("queue.p" + id, ns, 0),
          0,
          (int) seriesAt("timers.p" + id, ns, 0));
    }
  }

  private SchedSnapshot.Detail detail(long ns) {
    List<SchedSnapshot.Machine> machines = new ArrayList<>();
    for (int m = 0; m < model.threads().size(); m++) {
      long id = model.threads().id(m);
      LaneState s = index.stateAt(LaneId.m(id), ns);
      if (s != null) {
        boolean idle = s.state() == SpanState.IDLE;
        boolean without = idle || s.state() == SpanState.SYSCALL_NO_P;
        machines.add(
            SchedSnapshot.Machine.of(
                id,
                without ? SchedSnapshot.NONE : s.p(),
                s.g(),
                s.state() == SpanState.SPINNING,
                idle,
                SchedSnapshot.NONE));
      }
    }
    long monitor = model.monitor();
    if (monitor >= 0 && machines.stream().noneMatch(m -> m.id() == monitor)) {
      long none = SchedSnapshot.NONE;
      machines.add(SchedSnapshot.Machine.of(monitor, none, none, false, false, none));
    }
    machines.sort(Comparator.comparingLong(SchedSnapshot.Machine::id).reversed());
    List<SchedSnapshot.Goroutine> goroutines = new ArrayList<>();
    for (int g = 0; g < model.goroutines().size(); g++) {
      long id = model.goroutines().id(g);
      LaneState s = index.stateAt(LaneId.g(id), ns);
      if (s != null && s.state() != SpanState.UNKNOWN) {
        String reason = s.state().waiting() ? s.reason() : lastReason(g, ns);
        goroutines.add(
            new SchedSnapshot.Goroutine(id, status(s.state()), reason, s.m(), SchedSnapshot.NONE));
      }
    }
    goroutines.sort(Comparator.comparingLong(SchedSnapshot.Goroutine::id));
    boolean stopped = index.ranges(ns, ns + 1, "stop-the-world", 1).ranges().size() > 0;
    return new SchedSnapshot.Detail(stopped, 0, 0, false, machines, goroutines);
  }

  private static int status(SpanState s) {
    if (s.runnable()) {
      return GStatus.RUNNABLE;
    }
    if (s.syscall()) {
      return GStatus.SYSCALL;
    }
    return s == SpanState.RUNNING ? GStatus.RUNNING : GStatus.WAITING;
  }

  /** Go keeps a goroutine's last wait reason and prints it whatever the goroutine does now. */
  private String lastReason(int g, long ns) {
    GoroutineLog log = model.goroutineLog();
    int lo = 0;
    int hi = model.goroutines().changes(g);
    while (lo < hi) {
      int mid = (lo + hi) >>> 1;
      if (log.time(model.goroutines().changeAt(g, mid)) <= ns) {
        lo = mid + 1;
      } else {
        hi = mid;
      }
    }
    for (int k = lo - 1; k >= 0; k--) {
      int i = model.goroutines().changeAt(g, k);
      if (SpanState.of(log.newState(i)).waiting()) {
        return model.reason(log.reason(i));
      }
    }
    return "";
  }
}
