package dev.gmptrace.analyzer.model;

import dev.gmptrace.analyzer.read.ReadResult;
import dev.gmptrace.analyzer.read.TraceInfo;
import dev.gmptrace.analyzer.read.TraceTables;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A whole trace as columns; see the package. Built by {@link ModelBuilder}, immutable after that.
 *
 * <p>Goroutines, processors and threads are dense indexes here; {@link #goroutines}, {@link #procs}
 * and {@link #threads} translate. A reason is an index of {@link #reason}, every other text a
 * string id of {@link #tables}.
 */
public final class TraceModel {
  final TraceInfo info;
  final TraceTables tables;
  final GoroutineLog goroutineLog = new GoroutineLog();
  final ProcLog procLog = new ProcLog();
  final PointLog points = new PointLog();
  final MarkLog marks = new MarkLog();
  final Goroutines goroutines = new Goroutines();
  final IdTable procs = new IdTable();
  final IdTable threads = new IdTable();
  final Lanes procLanes = new Lanes(goroutineLog, procLog, points, false);
  final Lanes threadLanes = new Lanes(goroutineLog, procLog, points, true);
  final Ranges ranges = new Ranges();
  final Annotations annotations = new Annotations();
  final Samples samples = new Samples();
  final Map<String, Series> series = new TreeMap<>();
  final List<String> reasons = new ArrayList<>();
  final List<SpanState> reasonStates = new ArrayList<>();
  long monitor = -1;
  private @Nullable ReadResult result;
  private long duration;

  TraceModel(TraceInfo info, TraceTables tables) {
    this.info = info;
    this.tables = tables;
  }

  void finish(ReadResult readResult) {
    result = readResult;
    duration = readResult.duration();
    ranges.finish(duration);
    goroutines.arrange(goroutineLog);
  }

  Series seriesOf(String name) {
    return series.computeIfAbsent(name, Series::new);
  }

  /** What the file's header says. */
  public TraceInfo info() {
    return info;
  }

  /** How the reading went. */
  public ReadResult result() {
    if (result == null) {
      throw new IllegalStateException("the trace is still being read");
    }
    return result;
  }

  /** Nanoseconds from the first event to the last. */
  public long duration() {
    return duration;
  }

  /** Strings, stacks and frames. */
  public TraceTables tables() {
    return tables;
  }

  /** The string with this id. */
  public String string(int id) {
    return tables.string(id);
  }

  /** The text of a reason index of a log. */
  public String reason(int index) {
    return reasons.get(index);
  }

  /** Number of distinct reasons; index 0 is the empty one. */
  public int reasons() {
    return reasons.size();
  }

  /** The frames of a stack, innermost first. */
  public List<Frame> stack(int id) {
    List<Frame> list = new ArrayList<>(tables.depth(id));
    for (int k = 0; k < tables.depth(id); k++) {
      list.add(frame(tables.frameId(id, k)));
    }
    return list;
  }

  /** The frame with this id. */
  public Frame frame(int frameId) {
    TraceTables.Frame f = tables.frame(frameId);
    return new Frame(f.pc(), tables.function(f), tables.file(f), (int) f.line());
  }

  /** Changes of goroutines. */
  public GoroutineLog goroutineLog() {
    return goroutineLog;
  }

  /** Changes of processors. */
  public ProcLog procLog() {
    return procLog;
  }

  /** Point events. */
  public PointLog points() {
    return points;
  }

  /** Beginnings, ends and measurements. */
  public MarkLog marks() {
    return marks;
  }

  /** The goroutines. */
  public Goroutines goroutines() {
    return goroutines;
  }

  /** Ids of processors. */
  public IdTable procs() {
    return procs;
  }

  /** Ids of threads. */
  public IdTable threads() {
    return threads;
  }

  /** The id of the thread that counted for schedtrace, sysmon's; -1 when nobody did. */
  public long monitor() {
    return monitor;
  }

  /** What happened on each processor. */
  public Lanes procLanes() {
    return procLanes;
  }

  /** What happened on each thread. */
  public Lanes threadLanes() {
    return threadLanes;
  }

  /** GC cycles, stopped worlds and the like. */
  public Ranges ranges() {
    return ranges;
  }

  /** Tasks, regions, log messages. */
  public Annotations annotations() {
    return annotations;
  }

  /** CPU samples. */
  public Samples samples() {
    return samples;
  }

  /** Numbers over time. */
  public Collection<Series> series() {
    return series.values();
  }

  /** One number over time, or null. */
  public @Nullable Series series(String name) {
    return series.get(name);
  }

  /** The name of a goroutine for people: its start function, or what is known instead. */
  public String goroutineName(int g) {
    if (g < 0) {
      return "";
    }
    String name = tables.string(goroutines.name(g));
    return name.isEmpty() ? "(start function unknown)" : name;
  }

  /**
   * When the goroutine's first span begins: 0 when it existed before its first record, because its
   * time until then is unknown rather than absent.
   */
  public long firstTime(int g) {
    int first = goroutines.changeAt(g, 0);
    return goroutineLog.oldState(first) == SpanState.UNKNOWN.code() ? 0 : goroutineLog.time(first);
  }

  /** When the goroutine's last span ends: its own end, or the trace's. */
  public long lastTime(int g) {
    long ended = goroutines.ended(g);
    return ended >= 0 ? ended : duration;
  }

  /** When the span that begins with a change of the goroutine log ends. */
  public long spanEnd(int change) {
    int g = goroutineLog.g(change);
    int next = goroutineLog.rank(change) + 1;
    if (next < goroutines.changes(g)) {
      return goroutineLog.time(goroutines.changeAt(g, next));
    }
    return goroutineLog.newState(change) == SpanState.NONE.code()
        ? goroutineLog.time(change)
        : duration;
  }

  /** Bytes held in columns, for the memory report. */
  public long bytes() {
    long n =
        goroutineLog.bytes()
            + procLog.bytes()
            + points.bytes()
            + marks.bytes()
            + goroutines.bytes()
            + procLanes.bytes()
            + threadLanes.bytes();
    for (Series s : series.values()) {
      n += s.bytes();
    }
    return n;
  }
}
