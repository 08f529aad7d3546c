package dev.gmptrace.analyzer.index;

import dev.gmptrace.analyzer.index.ArrowPage.Arrow;
import dev.gmptrace.analyzer.index.ArrowPage.ArrowKind;
import dev.gmptrace.analyzer.index.ArrowPage.ArrowSide;
import dev.gmptrace.analyzer.model.GoroutineLog;
import dev.gmptrace.analyzer.model.Goroutines;
import dev.gmptrace.analyzer.model.PointKind;
import dev.gmptrace.analyzer.model.PointLog;
import dev.gmptrace.analyzer.model.SpanState;
import dev.gmptrace.analyzer.model.TraceModel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds the arrows that begin or end in a window.
 *
 * <p>The trace says that work was stolen or a processor handed off, not who then ran it: that is
 * the next goroutine, or thread, on the processor that got it. What takes longer than {@link #SOON}
 * is another story.
 */
final class ArrowQuery {
  private static final long SOON = 1_000_000;

  private final TraceModel model;
  private final PlaceTimeline procs;
  private final GoroutineLog log;
  private final Goroutines goroutines;
  private final @Nullable LaneId only;
  private final ArrowSide side;
  private final Set<ArrowKind> kinds;
  private final int limit;
  private final List<Arrow> arrows = new ArrayList<>();

  /** Per processor, where the last hand-off of it led. */
  private final long[] handedOff;

  private int total;
  private long from;
  private long to;

  ArrowQuery(
      TraceModel model,
      PlaceTimeline procs,
      @Nullable LaneId only,
      ArrowSide side,
      Set<ArrowKind> kinds,
      int limit) {
    this.model = model;
    this.procs = procs;
    this.side = side;
    this.log = model.goroutineLog();
    this.goroutines = model.goroutines();
    this.only = only;
    this.kinds = kinds;
    this.limit = limit;
    this.handedOff = new long[procs.lanes()];
    Arrays.fill(handedOff, -1);
  }

  ArrowPage run(long begin, long end) {
    from = begin;
    to = end;
    if (kinds.contains(ArrowKind.CREATE) || kinds.contains(ArrowKind.WAKE)) {
      wakes();
    }
    if (kinds.contains(ArrowKind.STEAL) || kinds.contains(ArrowKind.HANDOFF)) {
      places();
    }
    return new ArrowPage(total > limit, total, arrows);
  }

  /** One lane has so few that they are counted; of all lanes there may be millions. */
  private boolean goesOn() {
    return only != null || total <= limit;
  }

  private boolean inside(long t) {
    return t >= from && t < to;
  }

  private void wakes() {
    int stop = log.lowerBound(to);
    for (int i = log.lowerBound(from); i < stop && goesOn(); i++) {
      SpanState state = SpanState.of(log.newState(i));
      int rank = log.rank(i);
      if (state == SpanState.RUNNABLE && side != ArrowSide.TO) {
        wake(i);
      } else if (state == SpanState.RUNNING && rank > 0 && side != ArrowSide.FROM) {
        int before = goroutines.changeAt(log.g(i), rank - 1);
        boolean seen = side == ArrowSide.BOTH && log.time(before) >= from;
        if (!seen && log.newState(before) == SpanState.RUNNABLE.code()) {
          wake(before);
        }
      }
    }
  }

  /** The arrow of a change that made a goroutine runnable, from its maker to where it then ran. */
  private void wake(int i) {
    SpanState old = SpanState.of(log.oldState(i));
    boolean created = old == SpanState.NONE;
    ArrowKind kind = created ? ArrowKind.CREATE : ArrowKind.WAKE;
    if ((!created && !old.waiting()) || !kinds.contains(kind)) {
      return;
    }
    int g = log.g(i);
    int k = log.rank(i) + 1;
    if (k >= goroutines.changes(g)) {
      return;
    }
    int run = goroutines.changeAt(g, k);
    if (log.newState(run) != SpanState.RUNNING.code()) {
      return;
    }
    int actor = log.actor(i);
    int waited = k >= 2 ? goroutines.changeAt(g, k - 2) : -1;
    String reason = created || waited < 0 ? "" : model.reason(log.reason(waited));
    add(
        new Arrow(
            kind,
            log.time(i),
            goroutines.id(actor),
            model.procs().id(log.p(i)),
            model.threads().id(log.m(i)),
            log.time(run),
            goroutines.id(g),
            model.procs().id(log.p(run)),
            model.threads().id(log.m(run)),
            reason));
  }

  private void places() {
    PointLog points = model.points();
    int stop = points.lowerBound(to);
    for (int i = points.lowerBound(from - SOON); i < stop && goesOn(); i++) {
      PointKind kind = points.kind(i);
      if (kind == PointKind.STEAL && kinds.contains(ArrowKind.STEAL)) {
        steal(points, i);
      } else if (kinds.contains(ArrowKind.HANDOFF)) {
        if (kind == PointKind.PROC_STEAL) {
          String text = "taken from a system call";
          handOff(points, i, points.p(i), goroutines.id(points.g(i)), points.a(i), text);
        } else if (kind == PointKind.HANDOFF) {
          String text = model.string(points.text(i));
          handOff(points, i, model.procs().find(points.a(i)), -1, -1, text);
        }
      }
    }
  }

  /** From the processor that lost work to the first of it on the one that took it. */
  private void steal(PointLog points, int i) {
    long t = points.time(i);
    int p = points.p(i);
    long ran = t;
    long g = -1;
    long m = model.threads().id(points.m(i));
    for (int k = next(p, t); near(p, k, t); k++) {
      if (procs.state(p, k) == SpanState.RUNNING.code()) {
        ran = procs.start(p, k);
        g = goroutines.id(procs.goroutine(p, k));
        m = thread(p, k);
        break;
      }
    }
    if (wanted(t, ran)) {
      String text = points.b(i) + " stolen";
      long by = model.procs().id(p);
      add(new Arrow(ArrowKind.STEAL, t, -1, points.a(i), -1, ran, g, by, m, text));
    }
  }

  /** From the thread that had a processor to the one that has it next. */
  private void handOff(PointLog points, int i, int p, long g, long fromM, String text) {
    long t = points.time(i);
    long giver = fromM;
    if (giver < 0) {
      int held = p < 0 || procs.size(p) == 0 ? -1 : procs.before(p, t, 0);
      giver = held >= 0 && thread(p, held) >= 0 ? thread(p, held) : model.threads().id(points.m(i));
    }
    long at = t;
    long taker = -1;
    for (int k = next(p, t); near(p, k, t); k++) {
      long m = thread(p, k);
      if (m >= 0 && m != giver && procs.state(p, k) != SpanState.IDLE.code()) {
        at = procs.start(p, k);
        taker = m;
        break;
      }
    }
    // A processor taken from a system call is then handed off, which the trace says as well.
    if (taker >= 0 && handedOff[p] == at) {
      return;
    }
    if (taker >= 0) {
      handedOff[p] = at;
    }
    if (wanted(t, at)) {
      long id = model.procs().id(p);
      add(new Arrow(ArrowKind.HANDOFF, t, g, id, giver, at, -1, id, taker, text));
    }
  }

  /** The first span of a processor that begins at or after a time. */
  private int next(int p, long t) {
    return p < 0 || procs.size(p) == 0 ? 0 : procs.before(p, t, 0) + 1;
  }

  private boolean near(int p, int k, long t) {
    return p >= 0 && k < procs.size(p) && procs.start(p, k) - t <= SOON;
  }

  /** The thread on which a span of a processor is, -1 when there is none. */
  private long thread(int p, int k) {
    int change = procs.change(p, k);
    if (change >= 0) {
      return model.threads().id(log.m(change));
    }
    int held = procs.procChange(p, k);
    return held < 0 ? -1 : model.threads().id(model.procLog().m(held));
  }

  private boolean wanted(long begins, long ends) {
    return switch (side) {
      case FROM -> inside(begins);
      case TO -> inside(ends);
      case BOTH -> inside(begins) || inside(ends);
    };
  }

  private void add(Arrow a) {
    boolean begins =
        side != ArrowSide.TO && (only == null || isOn(only, a.fromG(), a.fromP(), a.fromM()));
    boolean ends =
        side != ArrowSide.FROM && (only == null || isOn(only, a.toG(), a.toP(), a.toM()));
    if (!begins && !ends) {
      return;
    }
    total++;
    if (arrows.size() < limit) {
      arrows.add(a);
    }
  }

  private static boolean isOn(LaneId lane, long g, long p, long m) {
    return switch (lane.kind()) {
      case GOROUTINE -> g == lane.id();
      case PROC -> p == lane.id();
      case THREAD -> m == lane.id();
      case RANGE, TASK -> false;
    };
  }
}
