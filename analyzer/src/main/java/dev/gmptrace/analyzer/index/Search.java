package dev.gmptrace.analyzer.index;

import dev.gmptrace.analyzer.index.Hit.HitKind;
import dev.gmptrace.analyzer.model.Annotations;
import dev.gmptrace.analyzer.model.GoroutineLog;
import dev.gmptrace.analyzer.model.Goroutines;
import dev.gmptrace.analyzer.model.PointKind;
import dev.gmptrace.analyzer.model.PointLog;
import dev.gmptrace.analyzer.model.Ranges;
import dev.gmptrace.analyzer.model.TraceModel;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Finds things by what people type: an id ({@code 17}, {@code g17}, {@code p0}, {@code m3}), or a
 * part of a function, wait reason, label, task, region, range or log message. Most exact first.
 */
final class Search {
  private final TraceIndex index;
  private final TraceModel model;
  private final List<Hit> hits = new ArrayList<>();
  private final String text;
  private final int limit;

  Search(TraceIndex index, TraceModel model, String text, int limit) {
    this.index = index;
    this.model = model;
    this.text = text.strip().toLowerCase(Locale.ROOT);
    this.limit = limit;
  }

  List<Hit> run() {
    if (!text.isEmpty()) {
      ids();
      functions();
      reasons();
      labels();
      tasks();
      regions();
      ranges();
      logs();
    }
    return hits.size() > limit ? hits.subList(0, limit) : hits;
  }

  private boolean full() {
    return hits.size() >= limit;
  }

  private boolean matches(String s) {
    return s.toLowerCase(Locale.ROOT).contains(text);
  }

  private void ids() {
    if (text.matches("\\d{1,18}")) {
      lane(LaneId.g(Long.parseLong(text)), HitKind.GOROUTINE);
    } else if (text.matches("[gpm]:?\\d{1,18}")) {
      LaneId id = LaneId.parse(text);
      lane(
          id,
          switch (id.kind()) {
            case PROC -> HitKind.PROC;
            case THREAD -> HitKind.THREAD;
            default -> HitKind.GOROUTINE;
          });
    }
  }

  private void lane(LaneId id, HitKind kind) {
    LaneInfo info = index.lane(id);
    if (info != null) {
      String detail = info.spans() + " spans";
      hits.add(new Hit(kind, info.name(), detail, id, info.firstNs(), info.lastNs()));
    }
  }

  private void functions() {
    Goroutines gs = model.goroutines();
    Map<Integer, int[]> groups = new HashMap<>();
    List<Integer> order = new ArrayList<>();
    for (int g = 0; g < gs.size(); g++) {
      int[] group = groups.get(gs.name(g));
      if (group == null) {
        boolean yes = gs.name(g) != 0 && matches(model.string(gs.name(g)));
        group = new int[] {yes ? g : -1, 0};
        groups.put(gs.name(g), group);
        if (yes) {
          order.add(gs.name(g));
        }
      }
      group[1]++;
    }
    for (int name : order) {
      if (full()) {
        return;
      }
      int[] group = groups.getOrDefault(name, new int[] {0, 0});
      int g = group[0];
      hits.add(
          new Hit(
              HitKind.FUNCTION,
              model.string(name),
              group[1] == 1 ? "1 goroutine" : group[1] + " goroutines",
              LaneId.g(gs.id(g)),
              model.firstTime(g),
              model.lastTime(g)));
    }
  }

  /** A reason's first appearance; one walk of the log finds them all. */
  private void reasons() {
    Set<Integer> wanted = new HashSet<>();
    for (int r = 1; r < model.reasons(); r++) {
      if (matches(model.reason(r))) {
        wanted.add(r);
      }
    }
    GoroutineLog log = model.goroutineLog();
    for (int i = 0; i < log.size() && !wanted.isEmpty() && !full(); i++) {
      int r = log.reason(i);
      if (r != 0 && wanted.remove(r)) {
        int g = log.g(i);
        hits.add(
            new Hit(
                HitKind.REASON,
                model.reason(r),
                "first: G" + model.goroutines().id(g) + " " + model.goroutineName(g),
                LaneId.g(model.goroutines().id(g)),
                log.time(i),
                model.spanEnd(i)));
      }
    }
  }

  private void labels() {
    PointLog points = model.points();
    if (points.count(PointKind.LABEL) == 0) {
      return;
    }
    Set<Integer> seen = new HashSet<>();
    for (int i = 0; i < points.size() && !full(); i++) {
      if (points.kind(i) == PointKind.LABEL
          && points.g(i) >= 0
          && seen.add(points.text(i))
          && matches(model.string(points.text(i)))) {
        long id = model.goroutines().id(points.g(i));
        String title = model.string(points.text(i));
        hits.add(
            new Hit(HitKind.LABEL, title, "G" + id, LaneId.g(id), points.time(i), points.time(i)));
      }
    }
  }

  private void tasks() {
    Annotations a = model.annotations();
    for (int i = 0; i < a.tasks() && !full(); i++) {
      if (matches(model.string(a.taskName(i)))) {
        hit(
            HitKind.TASK,
            model.string(a.taskName(i)),
            "task " + a.taskId(i),
            index.laneOfTask(i),
            a.taskG(i),
            a.taskStart(i),
            a.taskEnd(i));
      }
    }
  }

  private void regions() {
    Annotations a = model.annotations();
    for (int i = 0; i < a.regions() && !full(); i++) {
      if (matches(model.string(a.regionName(i)))) {
        hit(
            HitKind.REGION,
            model.string(a.regionName(i)),
            "region",
            index.regionLane(i),
            a.regionG(i),
            a.regionStart(i),
            a.regionEnd(i));
      }
    }
  }

  private void logs() {
    Annotations a = model.annotations();
    for (int i = 0; i < a.logs() && !full(); i++) {
      if (matches(model.string(a.logMessage(i))) || matches(model.string(a.logCategory(i)))) {
        hit(
            HitKind.LOG,
            model.string(a.logMessage(i)),
            model.string(a.logCategory(i)),
            LaneId.g(model.goroutines().id(a.logG(i))),
            a.logG(i),
            a.logTime(i),
            a.logTime(i));
      }
    }
  }

  private void hit(
      HitKind kind, String title, String detail, LaneId lane, int g, long start, long end) {
    hits.add(
        new Hit(
            kind,
            title,
            detail + (g < 0 ? "" : ", G" + model.goroutines().id(g)),
            lane,
            start == Annotations.OUTSIDE ? 0 : start,
            end == Annotations.OUTSIDE ? model.duration() : end));
  }

  private void ranges() {
    Ranges r = model.ranges();
    Set<Integer> seen = new HashSet<>();
    for (int i = 0; i < r.size() && !full(); i++) {
      if (seen.add(r.name(i)) && matches(model.string(r.name(i)))) {
        LaneId lane = index.rangeLane(model.string(r.name(i)));
        hits.add(
            new Hit(HitKind.RANGE, model.string(r.name(i)), "first", lane, r.start(i), r.end(i)));
      }
    }
  }
}
