package dev.gmptrace.analyzer.index;

import dev.gmptrace.analyzer.index.ArrowPage.Arrow;
import dev.gmptrace.analyzer.index.ArrowPage.ArrowKind;
import dev.gmptrace.analyzer.model.GoroutineLog;
import dev.gmptrace.analyzer.model.Goroutines;
import dev.gmptrace.analyzer.model.PointKind;
import dev.gmptrace.analyzer.model.PointLog;
import dev.gmptrace.analyzer.model.SpanState;
import dev.gmptrace.analyzer.model.TraceModel;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Finds the arrows that begin or end in a window. */
final class ArrowQuery {
  private final TraceModel model;
  private final GoroutineLog log;
  private final Goroutines goroutines;
  private final @Nullable LaneId only;
  private final Set<ArrowKind> kinds;
  private final int limit;
  private final List<Arrow> arrows = new ArrayList<>();

  ArrowQuery(TraceModel model, @Nullable LaneId only, Set<ArrowKind> kinds, int limit) {
    this.model = model;
    this.log = model.goroutineLog();
    this.goroutines = model.goroutines();
    this.only = only;
    this.kinds = kinds;
    this.limit = limit;
  }

  ArrowPage run(long from, long to) {
    if (kinds.contains(ArrowKind.CREATE) || kinds.contains(ArrowKind.WAKE)) {
      wakes(from, to);
    }
    if (kinds.contains(ArrowKind.STEAL) || kinds.contains(ArrowKind.HANDOFF)) {
      places(from, to);
    }
    boolean truncated = arrows.size() > limit;
    return new ArrowPage(truncated, truncated ? arrows.subList(0, limit) : arrows);
  }

  private void wakes(long from, long to) {
    int stop = log.lowerBound(to);
    for (int i = log.lowerBound(from); i < stop && arrows.size() <= limit; i++) {
      SpanState state = SpanState.of(log.newState(i));
      int rank = log.rank(i);
      if (state == SpanState.RUNNABLE) {
        wake(i);
      } else if (state == SpanState.RUNNING && rank > 0) {
        int before = goroutines.changeAt(log.g(i), rank - 1);
        if (log.time(before) < from && log.newState(before) == SpanState.RUNNABLE.code()) {
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

  private void places(long from, long to) {
    PointLog points = model.points();
    int stop = points.lowerBound(to);
    for (int i = points.lowerBound(from); i < stop && arrows.size() <= limit; i++) {
      PointKind kind = points.kind(i);
      long p = model.procs().id(points.p(i));
      long m = model.threads().id(points.m(i));
      long t = points.time(i);
      if (kind == PointKind.STEAL && kinds.contains(ArrowKind.STEAL)) {
        String text = points.b(i) + " stolen";
        add(new Arrow(ArrowKind.STEAL, t, -1, points.a(i), -1, t, -1, p, m, text));
      } else if (kind == PointKind.PROC_STEAL && kinds.contains(ArrowKind.HANDOFF)) {
        long g = goroutines.id(points.g(i));
        add(
            new Arrow(
                ArrowKind.HANDOFF, t, g, p, points.a(i), t, -1, p, m, "taken from a system call"));
      } else if (kind == PointKind.HANDOFF && kinds.contains(ArrowKind.HANDOFF)) {
        String text = model.string(points.text(i));
        add(new Arrow(ArrowKind.HANDOFF, t, -1, points.a(i), m, t, -1, points.a(i), -1, text));
      }
    }
  }

  private void add(Arrow a) {
    if (only == null || touches(a, only)) {
      arrows.add(a);
    }
  }

  private static boolean touches(Arrow a, LaneId lane) {
    return switch (lane.kind()) {
      case GOROUTINE -> a.fromG() == lane.id() || a.toG() == lane.id();
      case PROC -> a.fromP() == lane.id() || a.toP() == lane.id();
      case THREAD -> a.fromM() == lane.id() || a.toM() == lane.id();
      case RANGE, TASK -> false;
    };
  }
}
