package dev.gmptrace.viewer;

import dev.gmptrace.analyzer.index.ArrowPage.ArrowKind;
import dev.gmptrace.analyzer.index.ArrowPage.ArrowSide;
import dev.gmptrace.analyzer.index.CounterTile;
import dev.gmptrace.analyzer.index.GoroutineOrder;
import dev.gmptrace.analyzer.index.LaneId;
import dev.gmptrace.analyzer.index.LaneKind;
import dev.gmptrace.analyzer.index.PointTile;
import dev.gmptrace.analyzer.index.RangePage;
import dev.gmptrace.analyzer.index.Tile;
import dev.gmptrace.analyzer.index.Trace;
import dev.gmptrace.analyzer.index.TraceIndex;
import dev.gmptrace.analyzer.index.TraceOverview;
import dev.gmptrace.analyzer.index.Utilisation;
import dev.gmptrace.analyzer.model.Annotations;
import dev.gmptrace.analyzer.model.PointKind;
import dev.gmptrace.analyzer.model.SpanState;
import dev.gmptrace.analyzer.model.TraceModel;
import io.javalin.http.Context;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the timeline asks while it is moved: lanes, tiles, counters, single spans, arrows. */
final class TimelineApi {
  private static final int MAX_HEATMAP = 4096;

  void info(Context ctx, Trace trace) {
    TraceOverview info = trace.info();
    TraceIndex index = trace.index();
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("file", info.file());
    json.put("fileBytes", info.fileBytes());
    json.put("format", info.format());
    json.put("version", info.version());
    json.put("program", info.program());
    json.put("durationNs", info.durationNs());
    json.put("events", info.events());
    json.put("generations", info.generations());
    json.put("goroutines", info.goroutines());
    json.put("procs", info.procs());
    json.put("threads", info.threads());
    json.put("wallAtZeroNs", Long.toString(info.wallAtZeroNs()));
    json.put("eventsLost", info.eventsLost());
    json.put("truncated", info.truncated());
    json.put("warnings", info.warnings());
    json.put("states", states());
    json.put("counters", index.counters());
    json.put("points", pointCounts(trace));
    Replies.json(ctx, json);
  }

  private record State(String name, String label, boolean busy) {}

  private static List<State> states() {
    return Arrays.stream(SpanState.values())
        .map(s -> new State(s.name(), s.label(), s.busy()))
        .toList();
  }

  private static Map<String, Long> pointCounts(Trace trace) {
    Map<String, Long> counts = new LinkedHashMap<>();
    for (PointKind kind : PointKind.values()) {
      long total =
          kind == PointKind.CPU_SAMPLE
              ? trace.model().samples().size()
              : trace.model().points().count(kind);
      if (total > 0) {
        counts.put(kind.name(), total);
      }
    }
    return counts;
  }

  void lanes(Context ctx, Trace trace) {
    String kind = new Query(ctx).required("kind");
    LaneKind found =
        Arrays.stream(LaneKind.values())
            .filter(k -> kind.length() == 1 && k.letter() == kind.charAt(0))
            .findFirst()
            .orElseThrow(() -> new IllegalArgumentException("kind is one of p, m, r, t"));
    if (found == LaneKind.GOROUTINE) {
      throw new IllegalArgumentException("goroutine lanes are at lanes/goroutines");
    }
    Replies.json(ctx, trace.index().lanes(found));
  }

  /** All matching goroutines in order, as two columns: they may be a million. */
  void goroutineLanes(Context ctx, Trace trace) {
    Query query = new Query(ctx);
    GoroutineOrder order = query.choice("order", GoroutineOrder.class, GoroutineOrder.ID);
    long[] ids =
        order == GoroutineOrder.ID
            ? idsInOrder(trace, query)
            : trace
                .index()
                .goroutineLanes(
                    query.goroutines(), order, query.flag("desc", false), 0, Integer.MAX_VALUE)
                .lanes()
                .stream()
                .mapToLong(lane -> lane.id().id())
                .toArray();
    int[] group = new int[ids.length];
    Map<String, Integer> groups = new LinkedHashMap<>();
    for (int i = 0; i < ids.length; i++) {
      String name = trace.model().goroutineName(trace.model().goroutines().find(ids[i]));
      group[i] = groups.computeIfAbsent(name, _ -> groups.size());
    }
    Replies.columns(
        ctx,
        new Columns()
            .meta("total", ids.length)
            .meta("groups", List.copyOf(groups.keySet()))
            .f64("ids", ids)
            .i32("group", group, group.length));
  }

  /** The page asks this once for all goroutines when it opens, so it must not add up states. */
  private static long[] idsInOrder(Trace trace, Query query) {
    long[] ids =
        Arrays.stream(trace.index().matching(query.goroutines()))
            .mapToLong(trace.model().goroutines()::id)
            .sorted()
            .toArray();
    if (query.flag("desc", false)) {
      for (int i = 0, j = ids.length - 1; i < j; i++, j--) {
        long id = ids[i];
        ids[i] = ids[j];
        ids[j] = id;
      }
    }
    return ids;
  }

  /** One screen of lanes; the spans of lane i are offset[i] up to offset[i + 1]. */
  void tiles(Context ctx, Trace trace) {
    Query query = new Query(ctx);
    List<LaneId> lanes = query.lanes();
    long from = query.from();
    long to = query.to(trace.info().durationNs());
    if (to <= from) {
      throw new IllegalArgumentException("the window is empty: to must be after from");
    }
    List<Tile> tiles = trace.index().query(lanes, from, to, query.pixels());
    int size = tiles.stream().mapToInt(Tile::size).sum();
    int[] offset = new int[tiles.size() + 1];
    long[] start = new long[size];
    long[] end = new long[size];
    long[] g = new long[size];
    int[] count = new int[size];
    int[] reason = new int[size];
    byte[] state = new byte[size];
    byte[] busy = new byte[size];
    int at = 0;
    for (int i = 0; i < tiles.size(); i++) {
      Tile tile = tiles.get(i);
      System.arraycopy(tile.start(), 0, start, at, tile.size());
      System.arraycopy(tile.end(), 0, end, at, tile.size());
      System.arraycopy(tile.g(), 0, g, at, tile.size());
      System.arraycopy(tile.count(), 0, count, at, tile.size());
      System.arraycopy(tile.reason(), 0, reason, at, tile.size());
      System.arraycopy(tile.state(), 0, state, at, tile.size());
      System.arraycopy(tile.busy(), 0, busy, at, tile.size());
      at += tile.size();
      offset[i + 1] = at;
    }
    Replies.columns(
        ctx,
        new Columns()
            .meta("lanes", lanes)
            .meta("from", from)
            .meta("to", to)
            .meta("strings", strings(trace.index(), reason))
            .i32("offset", offset, offset.length)
            .f64("start", start)
            .f64("end", end)
            .f64("g", g)
            .u32("count", count, size)
            .i32("reason", reason, size)
            .u8("state", state, size)
            .u8("busy", busy, size));
  }

  private static Map<Integer, String> strings(TraceIndex index, int[] ids) {
    Map<Integer, String> strings = new HashMap<>();
    for (int id : ids) {
      if (id > 0) {
        strings.computeIfAbsent(id, index::string);
      }
    }
    return strings;
  }

  void counters(Context ctx, Trace trace) {
    Query query = new Query(ctx);
    long from = query.from();
    long to = query.to(trace.info().durationNs());
    Columns columns = new Columns();
    int pixels = query.pixels();
    for (String name : query.list("names")) {
      CounterTile tile = trace.index().counter(name, from, to, pixels);
      pixels = tile.last().length;
      columns
          .f64(name + ".min", tile.min())
          .f64(name + ".max", tile.max())
          .f64(name + ".last", tile.last());
    }
    Replies.columns(ctx, columns.meta("from", from).meta("to", to).meta("px", pixels));
  }

  void points(Context ctx, Trace trace) {
    Query query = new Query(ctx);
    long from = query.from();
    long to = query.to(trace.info().durationNs());
    PointTile tile =
        trace
            .index()
            .points(
                query.choices("kinds", PointKind.class),
                from,
                to,
                query.pixels(),
                query.limit(0, 5000));
    Replies.columns(
        ctx,
        new Columns()
            .meta("from", from)
            .meta("to", to)
            .meta("px", tile.count().length)
            .meta("total", tile.total())
            .meta("exact", tile.exact())
            .u32("count", tile.count(), tile.count().length));
  }

  void heatmap(Context ctx, Trace trace) {
    int columns = (int) Math.max(1, Math.min(MAX_HEATMAP, new Query(ctx).number("columns", 1000)));
    Utilisation heat = trace.index().heatmap(columns);
    byte[] busy = new byte[heat.busy().length * columns];
    for (int p = 0; p < heat.busy().length; p++) {
      System.arraycopy(heat.busy()[p], 0, busy, p * columns, columns);
    }
    Replies.columns(
        ctx,
        new Columns()
            .meta("from", heat.from())
            .meta("to", heat.to())
            .meta("width", columns)
            .meta("procs", heat.procs())
            .u8("busy", busy, busy.length)
            .u8("total", heat.total(), heat.total().length));
  }

  void span(Context ctx, Trace trace) {
    Query query = new Query(ctx);
    Replies.json(
        ctx, trace.index().span(LaneId.parse(query.required("lane")), query.instant("at", 0)));
  }

  void arrows(Context ctx, Trace trace) {
    Query query = new Query(ctx);
    @Nullable String lane = query.text("lane");
    Replies.json(
        ctx,
        trace
            .index()
            .arrows(
                query.from(),
                query.to(trace.info().durationNs()),
                lane == null ? null : LaneId.parse(lane),
                query.choice("side", ArrowSide.class, ArrowSide.BOTH),
                query.choices("kinds", ArrowKind.class),
                query.limit(500, 5000)));
  }

  void ranges(Context ctx, Trace trace) {
    Query query = new Query(ctx);
    Replies.json(
        ctx,
        trace
            .index()
            .ranges(
                query.window(),
                query.text("name"),
                query.choice("order", RangePage.Order.class, RangePage.Order.START),
                query.flag("desc", false),
                query.limit(1000, 10_000)));
  }

  private record LogMark(
      long ns, @Nullable LaneId lane, long task, long g, String category, String message) {}

  /** Log messages of a window, each with the lane of its task; none of them when too many. */
  void logs(Context ctx, Trace trace) {
    Query query = new Query(ctx);
    long from = query.from();
    long to = query.to(trace.info().durationNs());
    int limit = query.limit(500, 5000);
    TraceModel model = trace.model();
    Annotations all = model.annotations();
    List<LogMark> logs = new ArrayList<>();
    int total = 0;
    for (int i = 0; i < all.logs(); i++) {
      if (all.logTime(i) >= from && all.logTime(i) < to && total++ < limit) {
        logs.add(
            new LogMark(
                all.logTime(i),
                trace.index().taskLane(all.logTask(i)),
                all.logTask(i),
                model.goroutines().id(all.logG(i)),
                model.string(all.logCategory(i)),
                model.string(all.logMessage(i))));
      }
    }
    Replies.json(
        ctx,
        Map.of(
            "total", total, "truncated", total > limit, "logs", total > limit ? List.of() : logs));
  }

  void search(Context ctx, Trace trace) {
    Query query = new Query(ctx);
    @Nullable String text = query.text("q");
    Replies.json(
        ctx, text == null ? new ArrayList<>() : trace.index().search(text, query.limit(40, 500)));
  }
}
