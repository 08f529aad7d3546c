package dev.gmptrace.analyzer.index;

import dev.gmptrace.analyzer.index.EventPage.EventFilter;
import dev.gmptrace.analyzer.index.EventPage.EventRow;
import dev.gmptrace.analyzer.model.GoroutineLog;
import dev.gmptrace.analyzer.model.PointLog;
import dev.gmptrace.analyzer.model.ProcLog;
import dev.gmptrace.analyzer.model.SpanState;
import dev.gmptrace.analyzer.model.TraceModel;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The events of a window as rows: the three logs merged by time. */
final class EventTable {
  private final TraceModel model;
  private final SpanLookup words;
  private final PointQuery points;

  EventTable(TraceModel model, SpanLookup words, PointQuery points) {
    this.model = model;
    this.words = words;
    this.points = points;
  }

  EventPage page(EventFilter f, long from, long to, int offset, int limit) {
    GoroutineLog gl = model.goroutineLog();
    ProcLog pl = model.procLog();
    PointLog tl = model.points();
    int g = gl.lowerBound(from);
    int p = pl.lowerBound(from);
    int t = tl.lowerBound(from);
    List<EventRow> rows = new ArrayList<>();
    int skipped = 0;
    while (true) {
      long gt = g < gl.size() ? gl.time(g) : Long.MAX_VALUE;
      long pt = p < pl.size() ? pl.time(p) : Long.MAX_VALUE;
      long tt = t < tl.size() ? tl.time(t) : Long.MAX_VALUE;
      long now = Math.min(gt, Math.min(pt, tt));
      if (now >= to || now == Long.MAX_VALUE) {
        return new EventPage(false, rows);
      }
      EventRow row = now == gt ? goroutine(g++, f) : now == pt ? proc(p++, f) : point(t++);
      if (row != null && matches(row, f) && skipped++ >= offset) {
        if (rows.size() == limit) {
          return new EventPage(true, rows);
        }
        rows.add(row);
      }
    }
  }

  private static boolean matches(EventRow r, EventFilter f) {
    return (f.g() < 0 || r.g() == f.g())
        && (f.p() < 0 || r.p() == f.p())
        && (f.m() < 0 || r.m() == f.m())
        && (f.kind().isEmpty() || r.kind().contains(f.kind()))
        && (f.text().isEmpty()
            || r.text().toLowerCase(Locale.ROOT).contains(f.text().toLowerCase(Locale.ROOT)));
  }

  private @Nullable EventRow goroutine(int i, EventFilter f) {
    GoroutineLog log = model.goroutineLog();
    long id = model.goroutines().id(log.g(i));
    if (f.g() >= 0 && f.g() != id) {
      return null;
    }
    SpanState old = SpanState.of(log.oldState(i));
    SpanState to = SpanState.of(log.newState(i));
    return new EventRow(
        log.time(i),
        "goroutine",
        id,
        model.procs().id(log.p(i)),
        model.threads().id(log.m(i)),
        old.label() + " → " + to.label() + ". " + words.whyChange(i, true));
  }

  private @Nullable EventRow proc(int i, EventFilter f) {
    if (f.g() >= 0) {
      return null;
    }
    ProcLog log = model.procLog();
    boolean idle = log.newState(i) == SpanState.IDLE.code();
    boolean taken = log.by(i) >= 0 && log.by(i) != log.m(i) && log.m(i) >= 0;
    return new EventRow(
        log.time(i),
        "processor",
        -1,
        model.procs().id(log.p(i)),
        model.threads().id(log.m(i)),
        taken
            ? "taken from its thread by M" + model.threads().id(log.by(i))
            : idle ? "idle" : "held by a thread");
  }

  private EventRow point(int i) {
    PointLog log = model.points();
    return new EventRow(
        log.time(i),
        log.kind(i).label(),
        model.goroutines().id(log.g(i)),
        model.procs().id(log.p(i)),
        model.threads().id(log.m(i)),
        points.text(i));
  }
}
