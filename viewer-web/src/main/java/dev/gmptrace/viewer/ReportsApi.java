package dev.gmptrace.viewer;

import dev.gmptrace.analyzer.index.GoroutineOrder;
import dev.gmptrace.analyzer.index.LaneId;
import dev.gmptrace.analyzer.index.Latency;
import dev.gmptrace.analyzer.index.TimeWindow;
import dev.gmptrace.analyzer.index.Trace;
import dev.gmptrace.analyzer.stats.Findings;
import dev.gmptrace.analyzer.stats.GoroutineReport;
import dev.gmptrace.analyzer.stats.Mmu;
import dev.gmptrace.analyzer.stats.RegionReport;
import dev.gmptrace.analyzer.stats.SchedTimeline;
import dev.gmptrace.analyzer.stats.Stats;
import dev.gmptrace.analyzer.stats.TaskReport;
import dev.gmptrace.tracer.schedtrace.SchedSnapshot;
import dev.gmptrace.tracer.schedtrace.SchedTraceFormat;
import io.javalin.http.Context;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The pages beside the timeline: the analyzer's reports, in the shape their tables want. */
final class ReportsApi {
  private static final int MAX_ROWS = 5000;
  private static final int DEFAULT_ROWS = 500;
  private static final Set<String> NOT_A_WAIT =
      Set.of("life", "execution", "runnable", "syscall", "unknown");

  void stats(Context ctx, Trace trace) {
    Query query = new Query(ctx);
    Stats s = Stats.of(trace, query.from(), query.to(trace.info().durationNs()));
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("from", s.from());
    json.put("to", s.to());
    json.put("utilisation", s.utilisation());
    json.put("procs", s.procs());
    json.put("goroutines", s.goroutines());
    json.put("created", s.goroutines().created());
    json.put("ended", s.goroutines().ended());
    json.put("schedLatency", s.schedLatency());
    json.put("steals", s.steals());
    json.put("stolen", s.stolen());
    json.put("handoffs", s.handoffs());
    json.put("wakes", s.wakes());
    json.put("preemptions", s.preemptions());
    json.put("syscalls", s.syscalls());
    json.put("syscallsLostP", s.syscallsLostP());
    json.put("gcs", s.gcs());
    json.put("gcShare", s.gcShare());
    json.put("stops", s.stops());
    json.put("stwShare", s.stwShare());
    json.put("longestStopNs", s.longestStopNs());
    json.put("spinShare", s.spinShare());
    json.put("gTimeByState", StateTimes.byName(s.goroutineTimeByState()));
    json.put("reasons", s.reasons());
    Replies.json(ctx, json);
  }

  void goroutines(Context ctx, Trace trace) {
    GoroutineReport report = GoroutineReport.of(trace, new Query(ctx).goroutines());
    Replies.json(
        ctx,
        Map.of(
            "goroutines", report.goroutines(),
            "groups", report.groups().stream().map(ReportsApi::group).toList()));
  }

  private static Map<String, Object> group(GoroutineReport.Group g) {
    List<Map<String, Object>> reasons = new ArrayList<>();
    long waiting = 0;
    for (GoroutineReport.Dimension d : g.dimensions()) {
      if (!NOT_A_WAIT.contains(d.name())) {
        waiting += d.total();
        reasons.add(reason(d.name(), d.perGoroutine()));
      }
    }
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("name", g.name());
    json.put("count", g.count());
    json.put("share", g.share());
    json.put("running", total(g, "execution"));
    json.put("runnable", total(g, "runnable"));
    json.put("syscall", total(g, "syscall"));
    json.put("waiting", waiting);
    json.put("unknown", total(g, "unknown"));
    json.put("life", latency(g, "life"));
    json.put("execution", latency(g, "execution"));
    json.put("schedWait", latency(g, "runnable"));
    json.put("reasons", reasons);
    return json;
  }

  private static Map<String, Object> reason(String name, Latency latency) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("reason", name);
    json.put("count", latency.count());
    json.put("total", latency.total());
    json.put("p50", latency.p50());
    json.put("p99", latency.p99());
    json.put("max", latency.max());
    return json;
  }

  private static long total(GoroutineReport.Group g, String dimension) {
    GoroutineReport.@Nullable Dimension d = g.dimension(dimension);
    return d == null ? 0 : d.total();
  }

  private static Latency latency(GoroutineReport.Group g, String dimension) {
    GoroutineReport.@Nullable Dimension d = g.dimension(dimension);
    return d == null ? Latency.EMPTY : d.perGoroutine();
  }

  /** Single goroutines, sorted, the first {@code limit} of them. */
  void goroutineList(Context ctx, Trace trace) {
    Query query = new Query(ctx);
    List<GoroutineReport.Row> rows = GoroutineReport.rows(trace, query.goroutines());
    Comparator<GoroutineReport.Row> by = order(query);
    List<Map<String, Object>> page =
        rows.stream()
            .sorted(
                (query.flag("desc", false) ? by.reversed() : by)
                    .thenComparingLong(GoroutineReport.Row::id))
            .limit(query.limit(DEFAULT_ROWS, MAX_ROWS))
            .map(ReportsApi::row)
            .toList();
    Replies.json(ctx, Map.of("total", rows.size(), "rows", page));
  }

  private static Comparator<GoroutineReport.Row> order(Query query) {
    return switch (query.choice("order", GoroutineOrder.class, GoroutineOrder.ID)) {
      case ID -> Comparator.comparingLong(GoroutineReport.Row::id);
      case START -> Comparator.comparingLong(GoroutineReport.Row::start);
      case LIFE -> Comparator.comparingLong(r -> r.end() - r.start());
      case RUNNING -> Comparator.comparingLong(GoroutineReport.Row::executionNs);
      case RUNNABLE -> Comparator.comparingLong(GoroutineReport.Row::runnableNs);
      case WAITING -> Comparator.comparingLong(GoroutineReport.Row::waitingNs);
      case SYSCALL -> Comparator.comparingLong(GoroutineReport.Row::syscallNs);
      case NAME -> Comparator.comparing(GoroutineReport.Row::name);
    };
  }

  private static Map<String, Object> row(GoroutineReport.Row r) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("id", r.id());
    json.put("group", r.name());
    json.put("label", r.label());
    json.put("start", r.start());
    json.put("end", r.end());
    json.put("ended", r.ended());
    json.put("running", r.executionNs());
    json.put("runnable", r.runnableNs());
    json.put("syscall", r.syscallNs());
    json.put("waiting", r.waitingNs());
    json.put("unknown", r.unknownNs());
    return json;
  }

  void goroutine(Context ctx, Trace trace) {
    long id = number(ctx.pathParam("id"));
    TimeWindow window = new Query(ctx).window();
    GoroutineReport.@Nullable Detail d = GoroutineReport.goroutine(trace, id, window);
    if (d == null) {
      Replies.error(ctx, 404, "there is no goroutine " + id + " in this trace");
      return;
    }
    Map<String, Object> json = row(d.row());
    json.put(
        "byState",
        StateTimes.byName(trace.index().durations(LaneId.g(id), window.from(), window.to())));
    json.put("parent", d.parent());
    json.put("parentName", d.parentName());
    json.put("children", d.children());
    json.put("childCount", d.childCount());
    json.put("startStack", d.startStack());
    json.put("spans", d.spans());
    json.put("schedLatency", d.schedLatency());
    json.put(
        "reasons",
        d.waits().entrySet().stream().map(e -> reason(e.getKey(), e.getValue())).toList());
    Replies.json(ctx, json);
  }

  private static long number(String text) {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("\"" + text + "\" is no goroutine id", e);
    }
  }

  private enum TaskOrder {
    DURATION,
    START,
    NAME,
    GOROUTINES,
    REGIONS,
    LOGS
  }

  void tasks(Context ctx, Trace trace) {
    Query query = new Query(ctx);
    TaskReport report =
        TaskReport.of(
            trace,
            new TaskReport.Filter(
                query.text("type", ""),
                query.number("min", 0),
                query.number("max", Long.MAX_VALUE),
                query.text("text", ""),
                query.window(),
                Integer.MAX_VALUE));
    long id = query.number("id", -1);
    Comparator<TaskReport.Task> by =
        order(query.choice("order", TaskOrder.class, TaskOrder.DURATION));
    List<TaskReport.Task> matching =
        report.tasks().stream()
            .filter(t -> id < 0 || t.id() == id)
            .sorted(directed(by, query).thenComparingLong(TaskReport.Task::id))
            .toList();
    Replies.json(
        ctx,
        Map.of(
            "types", report.types(),
            "total", matching.size(),
            "tasks", firstOf(matching, query).stream().map(t -> task(trace, t)).toList()));
  }

  private static Comparator<TaskReport.Task> order(TaskOrder order) {
    return switch (order) {
      case DURATION -> Comparator.comparingLong(t -> t.end() - t.start());
      case START -> Comparator.comparingLong(TaskReport.Task::start);
      case NAME -> Comparator.comparing(TaskReport.Task::name);
      case GOROUTINES -> Comparator.comparingInt(t -> t.goroutines().size());
      case REGIONS -> Comparator.comparingInt(t -> t.regions().size());
      case LOGS -> Comparator.comparingInt(t -> t.logs().size());
    };
  }

  /** Longest first unless the question says otherwise; any other order rises. */
  private static <T> Comparator<T> directed(Comparator<T> by, Query query) {
    return query.flag("desc", query.text("order") == null) ? by.reversed() : by;
  }

  private static Map<String, Object> task(Trace trace, TaskReport.Task t) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("id", t.id());
    json.put("lane", trace.index().taskLane(t.id()));
    json.put("parent", t.parent());
    json.put("name", t.name());
    json.put("start", t.start());
    json.put("end", t.end());
    json.put("complete", t.complete());
    json.put("goroutines", t.goroutines());
    json.put("regions", t.regions());
    json.put("logs", t.logs());
    return json;
  }

  private enum RegionOrder {
    DURATION,
    START,
    NAME,
    G
  }

  void regions(Context ctx, Trace trace) {
    Query query = new Query(ctx);
    RegionReport report =
        RegionReport.of(
            trace,
            new RegionReport.Filter(
                query.text("type", ""),
                query.number("min", 0),
                query.number("max", Long.MAX_VALUE),
                query.window(),
                Integer.MAX_VALUE));
    Comparator<RegionReport.Region> by =
        order(query.choice("order", RegionOrder.class, RegionOrder.DURATION));
    List<RegionReport.Region> matching =
        report.regions().stream()
            .sorted(directed(by, query).thenComparingLong(RegionReport.Region::start))
            .toList();
    Replies.json(
        ctx,
        Map.of(
            "types", report.types(),
            "total", matching.size(),
            "regions", firstOf(matching, query)));
  }

  private static Comparator<RegionReport.Region> order(RegionOrder order) {
    return switch (order) {
      case DURATION -> Comparator.comparingLong(r -> r.end() - r.start());
      case START -> Comparator.comparingLong(RegionReport.Region::start);
      case NAME -> Comparator.comparing(RegionReport.Region::name);
      case G -> Comparator.comparingLong(RegionReport.Region::g);
    };
  }

  void mmu(Context ctx, Trace trace) {
    Query query = new Query(ctx);
    Mmu mmu =
        Mmu.of(
            trace,
            new Mmu.Options(
                query.flag("perproc", false),
                query.flag("stw", true),
                query.flag("background", true),
                query.flag("assist", true),
                query.flag("sweep", true)),
            query.window());
    Replies.json(ctx, mmu);
  }

  void findings(Context ctx, Trace trace) {
    Replies.json(ctx, Findings.of(trace));
  }

  /** The lines sysmon would have printed, at most {@link #MAX_ROWS} of them. */
  void schedtrace(Context ctx, Trace trace) {
    Query query = new Query(ctx);
    long from = Math.max(0, query.from());
    long to = Math.min(query.to(trace.info().durationNs()), trace.info().durationNs());
    long step = Math.max(query.number("step", 1_000_000), (to - from) / MAX_ROWS + 1);
    SchedTimeline timeline = SchedTimeline.of(trace);
    List<SchedLine> lines = new ArrayList<>();
    long at = from;
    for (SchedSnapshot s : timeline.every(step, from, to, query.flag("detail", false))) {
      lines.add(new SchedLine(at, SchedTraceFormat.GO_1_25.format(s).stripTrailing()));
      at += step;
    }
    Replies.json(
        ctx, Map.of("step", step, "queueLengths", timeline.hasQueueLengths(), "lines", lines));
  }

  private record SchedLine(long ns, String text) {}

  private static <T> List<T> firstOf(List<T> list, Query query) {
    int limit = query.limit(DEFAULT_ROWS, MAX_ROWS);
    return list.size() > limit ? list.subList(0, limit) : list;
  }
}
