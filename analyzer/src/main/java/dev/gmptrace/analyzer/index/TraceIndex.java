package dev.gmptrace.analyzer.index;

import dev.gmptrace.analyzer.index.ArrowPage.ArrowKind;
import dev.gmptrace.analyzer.index.ArrowPage.ArrowSide;
import dev.gmptrace.analyzer.index.EventPage.EventFilter;
import dev.gmptrace.analyzer.model.PointKind;
import dev.gmptrace.analyzer.model.Series;
import dev.gmptrace.analyzer.model.SpanState;
import dev.gmptrace.analyzer.model.TraceModel;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What a viewer asks. All times are nanoseconds since the start of the trace, all ids the real
 * ones; a lane that does not exist gives an empty answer.
 */
public final class TraceIndex {
  private final TraceModel model;
  private final GoroutineTimeline goroutines;
  private final PlaceTimeline procs;
  private final PlaceTimeline threads;
  private final RangeTimeline ranges;
  private final TaskTimeline tasks;
  private final Counters counters;
  private final SpanLookup spans;
  private final PointQuery points;
  private final EventTable events;
  private final Map<Integer, List<Integer>> regions = new HashMap<>();

  TraceIndex(TraceModel model) {
    this.model = model;
    this.goroutines = new GoroutineTimeline(model);
    this.procs = new PlaceTimeline(model, model.procLanes());
    this.threads = new PlaceTimeline(model, model.threadLanes());
    this.ranges = new RangeTimeline(model);
    this.tasks = new TaskTimeline(model);
    Counters[] counted = new Counters[1];
    Runnable[] jobs = {
      () -> goroutines.summaries().build(),
      () -> {
        procs.summaries().build();
        threads.summaries().build();
        ranges.summaries().build();
        tasks.summaries().build();
        counted[0] = new Counters(model);
      }
    };
    IntStream.range(0, jobs.length).parallel().forEach(i -> jobs[i].run());
    this.counters = counted[0];
    this.spans = new SpanLookup(this, model, goroutines);
    this.points = new PointQuery(model);
    this.events = new EventTable(model, spans, points);
    for (int r = 0; r < model.annotations().regions(); r++) {
      regions.computeIfAbsent(model.annotations().regionG(r), g -> new ArrayList<>()).add(r);
    }
  }

  Timeline timeline(LaneKind kind) {
    return switch (kind) {
      case PROC -> procs;
      case THREAD -> threads;
      case GOROUTINE -> goroutines;
      case RANGE -> ranges;
      case TASK -> tasks;
    };
  }

  List<Integer> regionsOf(int g) {
    return regions.getOrDefault(g, List.of());
  }

  private int dense(LaneId lane) {
    return switch (lane.kind()) {
      case PROC -> model.procs().find(lane.id());
      case THREAD -> model.threads().find(lane.id());
      case GOROUTINE -> model.goroutines().find(lane.id());
      case RANGE -> lane.id() >= 0 && lane.id() < ranges.lanes() ? (int) lane.id() : -1;
      case TASK -> lane.id() >= 0 && lane.id() < tasks.lanes() ? (int) lane.id() : -1;
    };
  }

  private LaneId id(LaneKind kind, int dense) {
    return new LaneId(
        kind,
        switch (kind) {
          case PROC -> model.procs().id(dense);
          case THREAD -> model.threads().id(dense);
          case GOROUTINE -> model.goroutines().id(dense);
          case RANGE, TASK -> dense;
        });
  }

  /** All lanes of a kind, by id. Goroutines may be many; see {@link #goroutineLanes}. */
  public List<LaneInfo> lanes(LaneKind kind) {
    Timeline t = timeline(kind);
    List<LaneInfo> list = new ArrayList<>();
    for (int lane = 0; lane < t.lanes(); lane++) {
      if (t.size(lane) > 0) {
        list.add(info(kind, lane));
      }
    }
    list.sort(Comparator.comparingLong(l -> l.id().id()));
    return list;
  }

  /** A lane, or null when there is no such thing in the trace. */
  public @Nullable LaneInfo lane(LaneId id) {
    int lane = dense(id);
    return lane < 0 || timeline(id.kind()).size(lane) == 0 ? null : info(id.kind(), lane);
  }

  private LaneInfo info(LaneKind kind, int lane) {
    Timeline t = timeline(kind);
    LaneId id = id(kind, lane);
    long[] sums = new long[SpanState.COUNT];
    t.durations(lane, 0, Long.MAX_VALUE, sums);
    long busy = 0;
    for (int s = 0; s < sums.length; s++) {
      busy += SpanState.of(s).busy() ? sums[s] : 0;
    }
    String name =
        switch (kind) {
          case PROC -> "P" + id.id();
          case THREAD -> "M" + id.id();
          case GOROUTINE -> "G" + id.id() + " " + model.goroutineName(lane);
          case RANGE -> ranges.name(lane);
          case TASK -> tasks.name(lane);
        };
    String group =
        switch (kind) {
          case PROC -> "processors";
          case THREAD -> "threads";
          case GOROUTINE -> model.goroutineName(lane);
          case RANGE -> "ranges";
          case TASK -> tasks.group(lane);
        };
    return new LaneInfo(
        id,
        name,
        group,
        t.start(lane, 0),
        t.end(lane),
        t.size(lane),
        busy,
        sums[SpanState.RUNNING.code()]);
  }

  /** A page of the goroutines that match, sorted. */
  public LanePage goroutineLanes(
      GoroutineFilter filter, GoroutineOrder order, boolean descending, int offset, int limit) {
    int[] matching = matching(filter);
    long[] key = new long[model.goroutines().size()];
    Map<String, Integer> nameOrder = order == GoroutineOrder.NAME ? nameOrder() : Map.of();
    long[] sums = new long[SpanState.COUNT];
    for (int g : matching) {
      key[g] = key(g, order, filter, nameOrder, sums);
    }
    Comparator<Integer> by = Comparator.comparingLong(g -> key[g]);
    List<LaneInfo> page =
        IntStream.of(matching)
            .boxed()
            .sorted(
                (descending ? by.reversed() : by).thenComparingLong(g -> model.goroutines().id(g)))
            .skip(Math.max(0, offset))
            .limit(Math.max(0, limit))
            .map(g -> info(LaneKind.GOROUTINE, g))
            .toList();
    return new LanePage(matching.length, page);
  }

  /** Dense indexes of the goroutines a filter lets through. */
  public int[] matching(GoroutineFilter filter) {
    GoroutineMatcher matcher = new GoroutineMatcher(model, goroutines, filter);
    return IntStream.range(0, goroutines.lanes()).filter(matcher::matches).toArray();
  }

  private long key(
      int g, GoroutineOrder order, GoroutineFilter f, Map<String, Integer> names, long[] sums) {
    if (order == GoroutineOrder.ID) {
      return model.goroutines().id(g);
    }
    if (order == GoroutineOrder.START) {
      return goroutines.start(g, 0);
    }
    if (order == GoroutineOrder.NAME) {
      return names.getOrDefault(model.goroutineName(g), 0);
    }
    java.util.Arrays.fill(sums, 0);
    goroutines.durations(g, f.from(), f.to(), sums);
    long total = 0;
    for (int s = 1; s < sums.length; s++) {
      SpanState state = SpanState.of(s);
      boolean counts =
          switch (order) {
            case RUNNING -> state == SpanState.RUNNING;
            case RUNNABLE -> state.runnable();
            case WAITING -> state.waiting();
            case SYSCALL -> state.syscall();
            default -> true;
          };
      total += counts ? sums[s] : 0;
    }
    return total;
  }

  private Map<String, Integer> nameOrder() {
    List<String> names =
        IntStream.range(0, goroutines.lanes())
            .map(g -> model.goroutines().name(g))
            .distinct()
            .mapToObj(model::string)
            .sorted()
            .toList();
    Map<String, Integer> order = new HashMap<>();
    names.forEach(n -> order.put(n, order.size()));
    return order;
  }

  /**
   * A lane at the zoom asked: at most two pieces a pixel and one more, in time order. A span at
   * least a pixel long comes exactly; shorter neighbours are merged.
   */
  public Tile query(LaneId lane, long from, long to, int pixels) {
    int dense = dense(lane);
    Timeline t = timeline(lane.kind());
    if (dense < 0) {
      return new Tile(
          lane,
          from,
          to,
          0,
          new long[0],
          new long[0],
          new byte[0],
          new byte[0],
          new int[0],
          new long[0],
          new int[0]);
    }
    return new TileQuery(t, model.goroutines(), dense, from, to, Math.max(1, pixels)).run(lane);
  }

  /** {@link #query(LaneId, long, long, int)} for a screen of lanes. */
  public List<Tile> query(List<LaneId> lanes, long from, long to, int pixels) {
    return lanes.parallelStream().map(l -> query(l, from, to, pixels)).toList();
  }

  /** Per {@link SpanState#code}, how long the lane was in it during {@code [from, to)}. */
  public long[] durations(LaneId lane, long from, long to) {
    long[] sums = new long[SpanState.COUNT];
    int dense = dense(lane);
    if (dense >= 0) {
      timeline(lane.kind()).durations(dense, from, to, sums);
    }
    return sums;
  }

  /** The lane a task is on, or null when there is no such task. */
  public @Nullable LaneId taskLane(long task) {
    int dense = model.annotations().findTask(task);
    return dense < 0 ? null : laneOfTask(dense);
  }

  LaneId laneOfTask(int dense) {
    return LaneId.t(tasks.laneOfTask(dense));
  }

  /** The lane a region (its place among the annotations) is on. */
  public LaneId regionLane(int region) {
    return LaneId.t(tasks.laneOfRegion(region));
  }

  /** The text of a reason in a tile. */
  public String string(int id) {
    return id < model.reasons() ? model.reason(id) : model.string(id - model.reasons());
  }

  /** How many texts {@link #string} knows. */
  public int strings() {
    return model.reasons() + model.tables().strings();
  }

  /** The span of a lane at a time, with its causes and neighbours; null when there is none. */
  public @Nullable SpanDetail span(LaneId lane, long atNs) {
    int dense = dense(lane);
    return dense < 0 || timeline(lane.kind()).size(dense) == 0
        ? null
        : spans.find(lane, timeline(lane.kind()), dense, atNs);
  }

  /** What a lane was doing at a time, without its history; null when it was not there. */
  public @Nullable LaneState stateAt(LaneId lane, long atNs) {
    int dense = dense(lane);
    return dense < 0 || timeline(lane.kind()).size(dense) == 0
        ? null
        : spans.state(timeline(lane.kind()), dense, atNs);
  }

  /** Arrows that begin or end in the window, of all lanes or one. */
  public ArrowPage arrows(
      long from, long to, @Nullable LaneId only, Set<ArrowKind> kinds, int limit) {
    return arrows(from, to, only, ArrowSide.BOTH, kinds, limit);
  }

  /** Arrows that have this end, or either, in the window and on the lane. */
  public ArrowPage arrows(
      long from, long to, @Nullable LaneId only, ArrowSide side, Set<ArrowKind> kinds, int limit) {
    return new ArrowQuery(model, procs, only, side, kinds, limit).run(from, to);
  }

  /** The counters of this trace. */
  public List<CounterInfo> counters() {
    return counters.list();
  }

  /** A counter at the zoom asked; all zero when there is none of that name. */
  public CounterTile counter(String name, long from, long to, int pixels) {
    return counters.tile(name, from, to, Math.max(1, pixels));
  }

  /**
   * Point events of some kinds: how many per pixel, and each of them when at most {@code limit}.
   */
  public PointTile points(Set<PointKind> kinds, long from, long to, int pixels, int limit) {
    return points.run(kinds, from, to, Math.max(1, pixels), limit);
  }

  /** GC cycles, stopped worlds, assists and sweeps that touch the window, in order of start. */
  public RangePage ranges(long from, long to, @Nullable String nameContains, int limit) {
    return ranges(new TimeWindow(from, to), nameContains, RangePage.Order.START, false, limit);
  }

  /** As {@link #ranges(long, long, String, int)}, in the order asked for. */
  public RangePage ranges(
      TimeWindow window,
      @Nullable String nameContains,
      RangePage.Order order,
      boolean descending,
      int limit) {
    return new RangeQuery(model, window).run(nameContains, order, descending, limit);
  }

  LaneId rangeLane(String rangeName) {
    for (int lane = 0; lane < ranges.lanes(); lane++) {
      if (rangeName.startsWith(ranges.name(lane))) {
        return LaneId.r(lane);
      }
    }
    return LaneId.r(-1);
  }

  /** Rows of the event table; {@code after} is where the page before ended, null for the first. */
  public EventPage events(
      EventFilter filter, TimeWindow window, @Nullable EventCursor after, int limit) {
    return events.page(filter, window, after, limit);
  }

  EventTable eventTable() {
    return events;
  }

  /** The names {@link #events} has for kinds of events. */
  public static List<String> eventKinds() {
    return EventNames.all();
  }

  /** Finds goroutines, functions, reasons, labels, tasks, regions, ranges and log messages. */
  public List<Hit> search(String text, int limit) {
    return new Search(this, model, text, limit).run();
  }

  /** What happened in the filter's window, for the goroutines it lets through. */
  public Selection select(GoroutineFilter filter) {
    return new SelectionQuery(this, model, goroutines, filter).run();
  }

  /** What happened in {@code [from, to)}. */
  public Selection select(long from, long to, GoroutineFilter filter) {
    return select(filter.withWindow(from, to));
  }

  /** Processor time there was in {@code [from, to)}: the integral of GOMAXPROCS. */
  double room(long from, long to) {
    Series n = model.series("gomaxprocs");
    if (n == null || n.size() == 0) {
      return (double) Math.max(0, to - from) * Math.max(1, model.procs().size());
    }
    double room = 0;
    for (int i = Math.max(0, n.lowerBound(from + 1) - 1); i < n.size(); i++) {
      // What was before the first record is what it says.
      long start = i == 0 ? from : Math.max(from, n.time(i));
      long end = i + 1 < n.size() ? Math.min(to, n.time(i + 1)) : to;
      if (start >= to) {
        break;
      }
      room += (double) Math.max(0, end - start) * n.value(i);
    }
    return room;
  }

  /** The utilisation of each processor over the whole trace, for the minimap. */
  public Utilisation heatmap(int columns) {
    long to = Math.max(1, model.duration());
    List<LaneInfo> lanes = lanes(LaneKind.PROC);
    byte[][] busy = new byte[lanes.size()][columns];
    double[] total = new double[columns];
    long[] ids = new long[lanes.size()];
    long[] sums = new long[SpanState.COUNT];
    for (int i = 0; i < ids.length; i++) {
      ids[i] = lanes.get(i).id().id();
      int p = model.procs().find(ids[i]);
      for (int x = 0; x < columns; x++) {
        long a = (long) ((double) to * x / columns);
        long b = Math.max(a + 1, (long) ((double) to * (x + 1) / columns));
        java.util.Arrays.fill(sums, 0);
        procs.durations(p, a, b, sums);
        double share = (double) sums[SpanState.RUNNING.code()] / (b - a);
        busy[i][x] = (byte) Math.round(255 * Math.min(1, share));
        total[x] += share * (b - a) / Math.max(1, room(a, b));
      }
    }
    byte[] all = new byte[columns];
    for (int x = 0; x < columns; x++) {
      all[x] = (byte) Math.round(255 * Math.min(1, total[x]));
    }
    return new Utilisation(0, to, columns, ids, busy, all);
  }

  /** How many goroutines were in each state at a time. */
  GoroutineCounts goroutineCounts() {
    return counters.goroutines();
  }

  /** Bytes held beyond the model, for the memory report. */
  public long bytes() {
    return goroutines.summaries().bytes()
        + procs.summaries().bytes()
        + threads.summaries().bytes()
        + ranges.summaries().bytes()
        + tasks.summaries().bytes();
  }
}
