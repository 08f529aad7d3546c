package dev.gmptrace.analyzer.index;

import dev.gmptrace.analyzer.index.SpanDetail.Cause;
import dev.gmptrace.analyzer.index.SpanDetail.CauseKind;
import dev.gmptrace.analyzer.index.SpanDetail.SpanRef;
import dev.gmptrace.analyzer.model.Annotations;
import dev.gmptrace.analyzer.model.Frame;
import dev.gmptrace.analyzer.model.GoroutineLog;
import dev.gmptrace.analyzer.model.Goroutines;
import dev.gmptrace.analyzer.model.SpanState;
import dev.gmptrace.analyzer.model.TraceModel;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One exact span with its neighbours, its causes and the words for them. */
final class SpanLookup {
  private final TraceIndex index;
  private final TraceModel model;
  private final GoroutineLog log;
  private final Goroutines goroutines;
  private final GoroutineTimeline gs;

  SpanLookup(TraceIndex index, TraceModel model, GoroutineTimeline gs) {
    this.index = index;
    this.model = model;
    this.log = model.goroutineLog();
    this.goroutines = model.goroutines();
    this.gs = gs;
  }

  @Nullable SpanDetail find(LaneId lane, Timeline timeline, int dense, long at) {
    int k = timeline.at(dense, at);
    if (k < 0 || (at >= timeline.end(dense) && at > timeline.start(dense, k))) {
      return null;
    }
    SpanState state = SpanState.of(timeline.state(dense, k));
    if (state == SpanState.NONE) {
      return null;
    }
    if (timeline instanceof TaskTimeline t) {
      return annotation(lane, t, dense, k);
    }
    long start = timeline.start(dense, k);
    long end = timeline.end(dense, k);
    List<Integer> tasks = tasks(timeline.goroutine(dense, k), start, end);
    int change = changeBehind(timeline, dense, k);
    int g = timeline.goroutine(dense, k);
    int gk = g < 0 ? -1 : change >= 0 ? gs.spanOf(change) : 0;
    int next = g >= 0 && gk + 1 < gs.size(g) ? gs.change(g, gk + 1) : -1;
    return new SpanDetail(
        lane,
        start,
        end,
        state,
        state.label(),
        index.string(timeline.reason(dense, k)),
        goroutines.id(g),
        model.goroutineName(g),
        place(timeline, dense, k, change, true),
        place(timeline, dense, k, change, false),
        change < 0 || g < 0 ? rangeStack(timeline, dense, k) : model.stack(log.stack(change)),
        next < 0 ? List.of() : model.stack(log.stack(next)),
        why(timeline, dense, k, change, g),
        whyEnded(next, g, end),
        g < 0 || change < 0 ? null : causeOf(g, gk),
        ref(lane, timeline, dense, k - timeline.distance()),
        ref(lane, timeline, dense, k + timeline.distance()),
        g < 0 ? null : ref(LaneId.g(goroutines.id(g)), gs, g, gk - 1),
        g < 0 ? null : ref(LaneId.g(goroutines.id(g)), gs, g, gk + 1),
        regions(g, start, end),
        tasks.stream().map(this::taskName).toList(),
        tasks.stream().map(model.annotations()::taskId).toList(),
        labels(g),
        state == SpanState.UNKNOWN ? unknownWhy(timeline, k, next, end) : "");
  }

  @Nullable LaneState state(Timeline timeline, int dense, long at) {
    int k = timeline.at(dense, at);
    if (k < 0 || at >= timeline.end(dense)) {
      return null;
    }
    SpanState state = SpanState.of(timeline.state(dense, k));
    if (state == SpanState.NONE) {
      return null;
    }
    int change = changeBehind(timeline, dense, k);
    return new LaneState(
        state,
        timeline.start(dense, k),
        timeline.end(dense, k),
        index.string(timeline.reason(dense, k)),
        goroutines.id(timeline.goroutine(dense, k)),
        place(timeline, dense, k, change, true),
        place(timeline, dense, k, change, false));
  }

  private static int changeBehind(Timeline timeline, int lane, int k) {
    return switch (timeline) {
      case GoroutineTimeline t -> t.change(lane, k);
      case PlaceTimeline t -> t.change(lane, k);
      default -> -1;
    };
  }

  private List<Frame> rangeStack(Timeline timeline, int lane, int k) {
    return timeline instanceof RangeTimeline t
        ? model.stack(model.ranges().stack(t.range(lane, k)))
        : List.of();
  }

  private long place(Timeline timeline, int lane, int k, int change, boolean proc) {
    if (timeline instanceof PlaceTimeline t) {
      int pc = t.procChange(lane, k);
      if (t == index.timeline(LaneKind.PROC)) {
        return proc
            ? model.procs().id(lane)
            : model.threads().id(change >= 0 ? log.m(change) : pc < 0 ? -1 : model.procLog().m(pc));
      }
      return proc
          ? model.procs().id(change >= 0 ? log.p(change) : pc < 0 ? -1 : model.procLog().p(pc))
          : model.threads().id(lane);
    }
    if (change < 0) {
      return -1;
    }
    SpanState s = SpanState.of(log.newState(change));
    if (s == SpanState.SYSCALL_NO_P) {
      return proc ? -1 : model.threads().id(syscallThread(change));
    }
    if (s != SpanState.RUNNING && s != SpanState.SYSCALL) {
      return -1;
    }
    return proc ? model.procs().id(log.p(change)) : model.threads().id(log.m(change));
  }

  /** After its processor was taken, the goroutine is still where its system call began. */
  private int syscallThread(int change) {
    int g = log.g(change);
    int k = log.rank(change);
    if (log.oldState(change) == SpanState.SYSCALL.code() && k > 0) {
      return log.m(goroutines.changeAt(g, k - 1));
    }
    return log.m(change);
  }

  @Nullable SpanRef ref(LaneId lane, Timeline timeline, int dense, int k) {
    if (k < 0 || k >= timeline.size(dense)) {
      return null;
    }
    SpanState state = SpanState.of(timeline.state(dense, k));
    if (state == SpanState.NONE) {
      return null;
    }
    return new SpanRef(
        lane,
        timeline.start(dense, k),
        timeline.end(dense, k),
        state,
        index.string(timeline.reason(dense, k)),
        goroutines.id(timeline.goroutine(dense, k)));
  }

  private String who(int g) {
    return g < 0 ? "nobody" : "G" + goroutines.id(g) + " " + model.goroutineName(g);
  }

  private String why(Timeline timeline, int lane, int k, int change, int g) {
    if (timeline instanceof RangeTimeline t) {
      int r = t.range(lane, k);
      return model.ranges().beganBefore(r)
          ? "Under way when the trace began."
          : model.string(model.ranges().name(r)) + " began.";
    }
    if (change >= 0 && g >= 0) {
      return whyChange(change, true);
    }
    if (change >= 0) {
      return "Left by " + who(log.g(change)) + ": " + whyChange(change, false);
    }
    return switch (SpanState.of(timeline.state(lane, k))) {
      case IDLE -> "No work was found.";
      case SCHEDULING -> "A thread took the processor and looks for a goroutine.";
      case SPINNING -> "The thread looks for work at other processors.";
      default -> "";
    };
  }

  private String whyEnded(int next, int g, long end) {
    if (g < 0) {
      return "";
    }
    if (next < 0) {
      return end >= model.duration() ? "The trace ended." : "";
    }
    return whyChange(next, false);
  }

  /** A sentence for a change of a goroutine. */
  String whyChange(int i, boolean withWait) {
    SpanState old = SpanState.of(log.oldState(i));
    SpanState to = SpanState.of(log.newState(i));
    String reason = model.reason(log.reason(i));
    return switch (to) {
      case RUNNING ->
          old.syscall()
              ? "The system call returned and the processor was still there."
              : "Started on " + place(log.p(i), log.m(i)) + (withWait ? waited(i) : "") + ".";
      case RUNNABLE, PREEMPTED -> causeText(i, old, reason);
      case SYSCALL -> "Entered a system call.";
      case SYSCALL_NO_P ->
          old == SpanState.SYSCALL
              ? "Its processor was taken while it was in a system call."
              : "In a system call without a processor.";
      case NONE -> "It ended.";
      case UNKNOWN -> "Events were lost.";
      default ->
          old == SpanState.UNKNOWN
              ? "First record: it was waiting" + (reason.isEmpty() ? "." : " (" + reason + ").")
              : "Blocked" + (reason.isEmpty() ? "." : ": " + reason + ".");
    };
  }

  private String waited(int i) {
    int k = log.rank(i);
    if (k == 0) {
      return "";
    }
    int before = goroutines.changeAt(log.g(i), k - 1);
    return SpanState.of(log.newState(before)).runnable()
        ? " after being runnable for " + Durations.text(log.time(i) - log.time(before))
        : "";
  }

  private String place(int p, int m) {
    return (p < 0 ? "no processor" : "P" + model.procs().id(p))
        + (m < 0 ? "" : " (M" + model.threads().id(m) + ")");
  }

  private String causeText(int i, SpanState old, String reason) {
    int actor = log.actor(i);
    return switch (kind(i)) {
      case CREATED -> "Created by " + who(actor) + ".";
      case WOKEN -> "Woken by " + who(actor) + ".";
      case NETPOLL -> "Woken by the network poller.";
      case TIMER -> "Woken by a timer.";
      case SYSCALL_EXIT -> "Its system call ended, and no processor was free.";
      case PREEMPTED -> "Preempted: it had run too long.";
      case YIELDED -> "Gave up the processor" + (reason.isEmpty() ? "." : ": " + reason + ".");
      case UNKNOWN ->
          old == SpanState.UNKNOWN
              ? "First record: it was runnable."
              : "Woken by the runtime itself, not by a goroutine.";
    };
  }

  private CauseKind kind(int i) {
    SpanState old = SpanState.of(log.oldState(i));
    if (log.newState(i) == SpanState.PREEMPTED.code()) {
      return CauseKind.PREEMPTED;
    }
    if (old == SpanState.NONE) {
      return CauseKind.CREATED;
    }
    if (old == SpanState.RUNNING) {
      return CauseKind.YIELDED;
    }
    if (old.syscall()) {
      return CauseKind.SYSCALL_EXIT;
    }
    if (log.actor(i) >= 0) {
      return CauseKind.WOKEN;
    }
    return old == SpanState.WAIT_NET
        ? CauseKind.NETPOLL
        : old == SpanState.WAIT_SLEEP ? CauseKind.TIMER : CauseKind.UNKNOWN;
  }

  /** How the goroutine came to be runnable: this span's own beginning, or the nearest before it. */
  private @Nullable Cause causeOf(int g, int span) {
    for (int k = span; k >= Math.max(0, span - 2); k--) {
      int i = gs.change(g, k);
      if (i >= 0 && SpanState.of(log.newState(i)).runnable()) {
        int actor = log.actor(i);
        return new Cause(
            kind(i),
            goroutines.id(actor),
            model.goroutineName(actor),
            model.procs().id(log.p(i)),
            model.threads().id(log.m(i)),
            log.time(i),
            causeText(i, SpanState.of(log.oldState(i)), model.reason(log.reason(i))));
      }
      if (k == span && SpanState.of(gs.state(g, k)).waiting()) {
        return null;
      }
    }
    return null;
  }

  /** A task or a region: the goroutine is the one that began it. */
  private SpanDetail annotation(LaneId lane, TaskTimeline timeline, int dense, int k) {
    Annotations a = model.annotations();
    int region = timeline.region(dense, k);
    int task = region < 0 ? timeline.task(dense, k) : a.findTask(a.regionTask(region));
    int g = timeline.goroutine(dense, k);
    boolean began = (region < 0 ? a.taskStart(task) : a.regionStart(region)) >= 0;
    boolean ended = (region < 0 ? a.taskEnd(task) : a.regionEnd(region)) >= 0;
    String what = region < 0 ? "The task" : "The region";
    SpanState state = SpanState.of(timeline.state(dense, k));
    return new SpanDetail(
        lane,
        timeline.start(dense, k),
        timeline.end(dense, k),
        state,
        region < 0 ? "task" : "region",
        index.string(timeline.reason(dense, k)),
        goroutines.id(g),
        model.goroutineName(g),
        -1,
        -1,
        model.stack(region < 0 ? a.taskStack(task) : a.regionStack(region)),
        List.of(),
        began ? what + " began on " + who(g) + "." : "Under way when the trace began.",
        ended ? what + " ended." : "It had not ended when the trace ended.",
        null,
        ref(lane, timeline, dense, k - timeline.distance()),
        ref(lane, timeline, dense, k + timeline.distance()),
        null,
        null,
        List.of(),
        task < 0 ? List.of() : List.of(taskName(task)),
        task < 0 ? List.of() : List.of(a.taskId(task)),
        List.of(),
        "");
  }

  private String taskName(int task) {
    Annotations a = model.annotations();
    return model.string(a.taskName(task)) + " (task " + a.taskId(task) + ")";
  }

  /** Regions of a goroutine that touch the window. */
  private List<Integer> touching(int g, long start, long end) {
    Annotations a = model.annotations();
    return index.regionsOf(g).stream()
        .filter(r ->
            a.regionStart(r) < end
                && (a.regionEnd(r) == Annotations.OUTSIDE || a.regionEnd(r) > start))
        .toList();
  }

  private List<String> regions(int g, long start, long end) {
    return touching(g, start, end).stream()
        .map(r -> model.string(model.annotations().regionName(r)))
        .filter(name -> !name.isEmpty())
        .distinct()
        .toList();
  }

  private List<Integer> tasks(int g, long start, long end) {
    Annotations a = model.annotations();
    return touching(g, start, end).stream()
        .map(r -> a.findTask(a.regionTask(r)))
        .filter(t -> t >= 0)
        .distinct()
        .toList();
  }

  private List<String> labels(int g) {
    String label = g < 0 ? "" : model.string(goroutines.label(g));
    return label.isEmpty() ? List.of() : List.of(label);
  }

  private String unknownWhy(Timeline timeline, int k, int next, long end) {
    if (timeline instanceof GoroutineTimeline && k == 0 && next >= 0) {
      SpanState then = SpanState.of(log.newState(next));
      return "It existed before the trace began, and this trace says nothing about it until its"
          + " first record at "
          + Durations.text(end)
          + ", where it was "
          + then.label()
          + ". A goroutine that does nothing is only recorded once a generation, so it was most"
          + " probably "
          + then.label()
          + " all this time.";
    }
    if (timeline instanceof PlaceTimeline && k == 0) {
      return "No record of this processor before "
          + Durations.text(end)
          + ": it was idle since before the trace began, or GOMAXPROCS was raised then.";
    }
    return "Events were lost here: the recorder had no room and says so.";
  }
}
