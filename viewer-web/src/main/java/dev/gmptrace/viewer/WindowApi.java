package dev.gmptrace.viewer;

import dev.gmptrace.analyzer.index.EventCursor;
import dev.gmptrace.analyzer.index.EventPage;
import dev.gmptrace.analyzer.index.EventPage.EventFilter;
import dev.gmptrace.analyzer.index.GoroutineFilter;
import dev.gmptrace.analyzer.index.LaneInfo;
import dev.gmptrace.analyzer.index.LaneKind;
import dev.gmptrace.analyzer.index.Latency;
import dev.gmptrace.analyzer.index.PointTile;
import dev.gmptrace.analyzer.index.Selection;
import dev.gmptrace.analyzer.index.Trace;
import dev.gmptrace.analyzer.index.TraceIndex;
import dev.gmptrace.analyzer.model.PointKind;
import dev.gmptrace.analyzer.model.SpanState;
import io.javalin.http.Context;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Sums over a window: the range panel, the scheduler page, the event table. */
final class WindowApi {
  private static final int MAX_BUCKETS = 500;
  private static final int MAX_STEALS = 2_000_000;

  void select(Context ctx, Trace trace) {
    Query query = new Query(ctx);
    long from = Math.max(0, query.from());
    long to = Math.min(query.to(trace.info().durationNs()), trace.info().durationNs() + 1);
    Replies.json(ctx, selection(trace.index().select(from, to, query.goroutines())));
  }

  private static Map<String, Object> selection(Selection s) {
    Map<String, Object> json = sums(s);
    json.put("from", s.from());
    json.put("to", s.to());
    json.put("goroutines", s.goroutines());
    json.put("gTimeByState", StateTimes.byName(s.gTimeByState()));
    json.put("groups", s.groups().stream().map(WindowApi::group).toList());
    json.put("procs", s.procs().stream().map(WindowApi::proc).toList());
    json.put("reasons", s.reasons());
    return json;
  }

  /** The figures that the range panel, the overview and the scheduler page have in common. */
  private static Map<String, Object> sums(Selection s) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("schedLatency", s.schedLatency());
    json.put("stolen", s.stolen());
    json.put("handoffs", s.handoffs());
    json.put("wakes", s.wakes());
    json.put("created", s.created());
    json.put("ended", s.ended());
    json.put("preemptions", s.preemptions());
    json.put("syscalls", s.syscalls());
    json.put("utilisation", s.utilisation());
    json.put("steals", s.steals());
    return json;
  }

  private static Map<String, Object> group(Selection.GroupSlice g) {
    Map<String, Object> json = StateTimes.summary(g.timeByState());
    json.put("name", g.name());
    json.put("goroutines", g.goroutines());
    return json;
  }

  private static Map<String, Object> proc(Selection.ProcSlice p) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("p", p.p());
    json.put("busy", StateTimes.busy(p.timeByState()));
    json.put("running", p.timeByState()[SpanState.RUNNING.code()]);
    json.put("syscall", p.timeByState()[SpanState.SYSCALL.code()]);
    json.put("utilisation", p.utilisation());
    json.put("starts", p.starts());
    return json;
  }

  void events(Context ctx, Trace trace) {
    Query query = new Query(ctx);
    EventFilter filter =
        new EventFilter(
            query.number("g", -1),
            query.number("p", -1),
            query.number("m", -1),
            query.text("kind", ""),
            query.text("text", ""));
    String after = query.text("after");
    EventPage page =
        trace
            .index()
            .events(
                filter,
                query.window(),
                after == null ? null : EventCursor.parse(after),
                query.limit(200, 2000));
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("more", page.more());
    json.put("next", page.next().toString());
    json.put("untilNs", page.untilNs());
    json.put("kinds", TraceIndex.eventKinds());
    json.put("rows", page.rows());
    Replies.json(ctx, json);
  }

  /** Latency over time in {@code buckets} steps, and who stole from whom. */
  void scheduler(Context ctx, Trace trace) {
    Query query = new Query(ctx);
    long from = Math.max(0, query.from());
    long to = Math.min(query.to(trace.info().durationNs()), trace.info().durationNs() + 1);
    Map<String, Object> json = sums(trace.index().select(from, to, GoroutineFilter.all()));
    json.put("stealCount", json.get("steals"));
    json.put("latency", latency(trace, from, to, query));
    json.put("steals", steals(trace, from, to));
    Replies.json(ctx, json);
  }

  private static Map<String, Object> latency(Trace trace, long from, long to, Query query) {
    int buckets = (int) Math.max(1, Math.min(MAX_BUCKETS, query.number("buckets", 60)));
    long[] at = new long[buckets];
    List<Latency> steps = new ArrayList<>(buckets);
    for (int i = 0; i < buckets; i++) {
      long a = from + (long) ((double) (to - from) * i / buckets);
      long b = Math.max(a + 1, from + (long) ((double) (to - from) * (i + 1) / buckets));
      at[i] = (a + b) / 2;
      steps.add(trace.index().select(a, b, GoroutineFilter.all()).schedLatency());
    }
    return Map.of(
        "at", at,
        "p50", steps.stream().map(Latency::p50).toList(),
        "p99", steps.stream().map(Latency::p99).toList(),
        "max", steps.stream().map(Latency::max).toList(),
        "count", steps.stream().map(Latency::count).toList());
  }

  private static Map<String, Object> steals(Trace trace, long from, long to) {
    List<Long> procs =
        trace.index().lanes(LaneKind.PROC).stream().map((LaneInfo l) -> l.id().id()).toList();
    long[][] count = new long[procs.size()][procs.size()];
    PointTile steals = trace.index().points(Set.of(PointKind.STEAL), from, to, 1, MAX_STEALS);
    for (PointTile.Point steal : steals.exact()) {
      int thief = procs.indexOf(steal.p());
      int victim = procs.indexOf(steal.a());
      if (thief >= 0 && victim >= 0) {
        count[thief][victim] += Math.max(1, steal.b());
      }
    }
    return Map.of("procs", procs, "count", count, "complete", steals.total() <= MAX_STEALS);
  }
}
