package dev.gmptrace.analyzer.index;

import dev.gmptrace.analyzer.index.EventPage.EventFilter;
import dev.gmptrace.analyzer.index.EventPage.EventRow;
import dev.gmptrace.analyzer.model.GoroutineLog;
import dev.gmptrace.analyzer.model.MarkLog;
import dev.gmptrace.analyzer.model.PointKind;
import dev.gmptrace.analyzer.model.PointLog;
import dev.gmptrace.analyzer.model.ProcLog;
import dev.gmptrace.analyzer.model.TraceModel;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The events of a window as rows: the model's four logs merged by time.
 *
 * <p>Kinds and ids are compared before a sentence is made, since that costs a hundred times as
 * much. A filter that hardly anything passes would still look at millions of events, so a page also
 * ends when it has cost {@value #BUDGET}: whoever wants to go on asks again, and nobody works for a
 * reader who has left.
 *
 * <p>What only repeats what is known has no row: the states that a generation begins with.
 */
final class EventTable {
  private static final long BUDGET = 4_000_000;
  private static final int SENTENCE = 16;
  private static final long NEVER = Long.MAX_VALUE;

  private final TraceModel model;
  private final EventWords words;
  private final GoroutineLog goroutines;
  private final ProcLog procs;
  private final PointLog points;
  private final MarkLog marks;

  EventTable(TraceModel model, SpanLookup spans, PointQuery pointWords) {
    this.model = model;
    this.words = new EventWords(model, spans, pointWords);
    this.goroutines = model.goroutineLog();
    this.procs = model.procLog();
    this.points = model.points();
    this.marks = model.marks();
  }

  EventPage page(EventFilter filter, TimeWindow window, @Nullable EventCursor after, int limit) {
    return page(filter, window, after, limit, BUDGET);
  }

  EventPage page(
      EventFilter filter, TimeWindow window, @Nullable EventCursor after, int limit, long budget) {
    Merge merge = new Merge(filter, after == null ? first(window.from()) : after);
    List<EventRow> rows = new ArrayList<>();
    while (true) {
      long now = merge.now();
      if (now >= window.to() || now == NEVER) {
        return new EventPage(false, merge.cursor(), Math.min(window.to(), model.duration()), rows);
      }
      if (merge.cost >= budget) {
        return new EventPage(true, merge.cursor(), now, rows);
      }
      EventCursor here = rows.size() == limit ? merge.cursor() : null;
      EventRow row = merge.next(now);
      if (row != null) {
        if (here != null) {
          return new EventPage(true, here, now, rows);
        }
        rows.add(row);
      }
    }
  }

  private EventCursor first(long from) {
    return new EventCursor(
        goroutines.lowerBound(from),
        procs.lowerBound(from),
        points.lowerBound(from),
        marks.lowerBound(from));
  }

  /** One walk over the logs. */
  private final class Merge {
    private final EventFilter filter;
    private final boolean[] kinds;
    private final String text;
    private int g;
    private int p;
    private int t;
    private int k;
    private long goroutineTime;
    private long procTime;
    private long pointTime;
    private long markTime;
    private long cost;

    Merge(EventFilter filter, EventCursor at) {
      this.filter = filter;
      this.kinds = EventNames.matching(filter.kind());
      this.text = filter.text().toLowerCase(Locale.ROOT);
      this.g = at.goroutine();
      this.p = at.proc();
      this.t = at.point();
      this.k = at.mark();
      goroutineTime = g < goroutines.size() ? goroutines.time(g) : NEVER;
      procTime = p < procs.size() ? procs.time(p) : NEVER;
      pointTime = t < points.size() ? points.time(t) : NEVER;
      markTime = k < marks.size() ? marks.time(k) : NEVER;
    }

    long now() {
      return Math.min(Math.min(goroutineTime, procTime), Math.min(pointTime, markTime));
    }

    EventCursor cursor() {
      return new EventCursor(g, p, t, k);
    }

    /** The row of the next event, or null when the filter does not let it through. */
    @Nullable EventRow next(long now) {
      cost++;
      if (now == goroutineTime) {
        int i = g++;
        goroutineTime = g < goroutines.size() ? goroutines.time(g) : NEVER;
        return goroutine(i, now);
      }
      if (now == procTime) {
        int i = p++;
        procTime = p < procs.size() ? procs.time(p) : NEVER;
        return proc(i, now);
      }
      if (now == pointTime) {
        int i = t++;
        pointTime = t < points.size() ? points.time(t) : NEVER;
        return point(i, now);
      }
      int i = k++;
      markTime = k < marks.size() ? marks.time(k) : NEVER;
      return mark(i, now);
    }

    private @Nullable EventRow goroutine(int i, long now) {
      int kind = EventNames.goroutine(goroutines.oldState(i), goroutines.newState(i));
      if (!kinds[kind]
          || (filter.g() >= 0 && model.goroutines().id(goroutines.g(i)) != filter.g())
          || (filter.p() >= 0 && model.procs().id(goroutines.p(i)) != filter.p())
          || (filter.m() >= 0 && model.threads().id(goroutines.m(i)) != filter.m())) {
        return null;
      }
      return row(
          now,
          kind,
          model.goroutines().id(goroutines.g(i)),
          model.procs().id(goroutines.p(i)),
          model.threads().id(goroutines.m(i)),
          words.goroutine(i));
    }

    private @Nullable EventRow proc(int i, long now) {
      int kind = EventNames.proc(procs.newState(i));
      long proc = model.procs().id(procs.p(i));
      long thread = model.threads().id(procs.m(i));
      return wants(kind, -1, proc, thread) ? row(now, kind, -1, proc, thread, words.proc(i)) : null;
    }

    private @Nullable EventRow point(int i, long now) {
      PointKind what = points.kind(i);
      int kind = EventNames.point(what.code());
      long goroutine = model.goroutines().id(points.g(i));
      long proc = model.procs().id(points.p(i));
      long thread = model.threads().id(points.m(i));
      // The change of the processor says it already.
      boolean twice = what == PointKind.PROC_STEAL;
      return !twice && wants(kind, goroutine, proc, thread)
          ? row(now, kind, goroutine, proc, thread, words.point(i))
          : null;
    }

    private @Nullable EventRow mark(int i, long now) {
      int kind = EventNames.mark(marks.kind(i));
      long goroutine = words.markGoroutine(i);
      long proc = words.markProc(i);
      long thread = model.threads().id(marks.m(i));
      return wants(kind, goroutine, proc, thread)
          ? row(now, kind, goroutine, proc, thread, words.mark(i))
          : null;
    }

    private boolean wants(int kind, long goroutine, long proc, long thread) {
      return kinds[kind]
          && (filter.g() < 0 || goroutine == filter.g())
          && (filter.p() < 0 || proc == filter.p())
          && (filter.m() < 0 || thread == filter.m());
    }

    private @Nullable EventRow row(
        long now, int kind, long goroutine, long proc, long thread, String sentence) {
      cost += SENTENCE;
      return text.isEmpty() || contains(sentence, text)
          ? new EventRow(now, EventNames.name(kind), goroutine, proc, thread, sentence)
          : null;
    }
  }

  /** Whether the sentence contains a text of lower case. */
  private static boolean contains(String sentence, String text) {
    int last = sentence.length() - text.length();
    char first = text.charAt(0);
    for (int i = 0; i <= last; i++) {
      // Most places differ in the first letter already.
      if (Character.toLowerCase(sentence.charAt(i)) == first
          && sentence.regionMatches(true, i, text, 0, text.length())) {
        return true;
      }
    }
    return false;
  }
}
