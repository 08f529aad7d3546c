package dev.gmptrace.analyzer.stats;

import dev.gmptrace.analyzer.index.GoroutineFilter;
import dev.gmptrace.analyzer.index.Latency;
import dev.gmptrace.analyzer.index.TimeWindow;
import dev.gmptrace.analyzer.index.Trace;
import dev.gmptrace.analyzer.model.Frame;
import dev.gmptrace.analyzer.model.GoroutineLog;
import dev.gmptrace.analyzer.model.Goroutines;
import dev.gmptrace.analyzer.model.SpanState;
import dev.gmptrace.analyzer.model.TraceModel;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Goroutines by start function, with the distribution over the goroutines of a function and not
 * only the sum: one slow goroutine among a thousand shows at p99.
 */
public record GoroutineReport(long from, long to, int goroutines, List<Group> groups) {

  /**
   * The goroutines of one start function.
   *
   * @param share of all running time
   * @param dimensions life, execution, runnable, syscall, each wait reason, unknown; the ones that
   *     occur
   */
  public record Group(String name, int count, double share, List<Dimension> dimensions) {
    /** Its dimension of that name, or null. */
    public @Nullable Dimension dimension(String wanted) {
      for (Dimension d : dimensions) {
        if (d.name().equals(wanted)) {
          return d;
        }
      }
      return null;
    }
  }

  /** Time in one state or for one reason: in all, and how it is spread over the goroutines. */
  public record Dimension(String name, long total, Latency perGoroutine) {}

  /** One goroutine's time. */
  public record Row(
      long id,
      String name,
      String label,
      long start,
      long end,
      boolean ended,
      long executionNs,
      long runnableNs,
      long syscallNs,
      long waitingNs,
      long unknownNs,
      Map<String, Long> waits) {}

  /**
   * One goroutine in detail. Of a window: how its time there was spent, in {@code row}, {@code
   * spans}, {@code schedLatency} and {@code waits}; when it began and whom it created is of its
   * whole life.
   */
  public record Detail(
      Row row,
      long parent,
      String parentName,
      List<Long> children,
      long childCount,
      List<Frame> startStack,
      int spans,
      Latency schedLatency,
      Map<String, Latency> waits) {}

  private static final int MAX_CHILDREN = 1000;
  static final String EXECUTION = "execution";
  static final String RUNNABLE = "runnable";
  static final String SYSCALL = "syscall";
  static final String UNKNOWN = "unknown";
  static final String LIFE = "life";

  /** All groups of the goroutines a filter lets through, most running time first. */
  public static GoroutineReport of(Trace trace, GoroutineFilter filter) {
    TraceModel model = trace.model();
    Map<String, Map<String, Latency.Recorder>> groups = new LinkedHashMap<>();
    Map<String, int[]> counts = new LinkedHashMap<>();
    Account account = new Account(model, filter);
    int[] matching = trace.index().matching(filter);
    for (int g : matching) {
      account.goroutine(g);
      String name = model.goroutineName(g);
      counts.computeIfAbsent(name, n -> new int[1])[0]++;
      Map<String, Latency.Recorder> dims = groups.computeIfAbsent(name, n -> new LinkedHashMap<>());
      account.byName().forEach((d, ns) -> recorder(dims, d).add(ns));
    }
    List<Group> list = new ArrayList<>();
    long running = 0;
    for (Map<String, Latency.Recorder> dims : groups.values()) {
      Latency.Recorder r = dims.get(EXECUTION);
      running += r == null ? 0 : r.get().total();
    }
    long all = Math.max(1, running);
    groups.forEach((name, dims) -> list.add(group(name, counts, dims, all)));
    list.sort(
        Comparator.comparingDouble((Group g) -> -g.share())
            .thenComparingInt(g -> -g.count())
            .thenComparing(Group::name));
    return new GoroutineReport(account.from, account.to, matching.length, list);
  }

  private static Latency.Recorder recorder(Map<String, Latency.Recorder> dims, String name) {
    return dims.computeIfAbsent(name, n -> new Latency.Recorder());
  }

  private static Group group(
      String name, Map<String, int[]> counts, Map<String, Latency.Recorder> dims, long all) {
    List<Dimension> list = new ArrayList<>();
    dims.forEach((d, r) -> {
      Latency l = r.get();
      if (l.total() > 0 || d.equals(LIFE) || d.equals(EXECUTION)) {
        list.add(new Dimension(d, l.total(), l));
      }
    });
    Latency.Recorder execution = dims.get(EXECUTION);
    long total = execution == null ? 0 : execution.get().total();
    int n = counts.getOrDefault(name, new int[1])[0];
    return new Group(name, n, (double) total / all, list);
  }

  /** One row a goroutine, for lists. */
  public static List<Row> rows(Trace trace, GoroutineFilter filter) {
    Account account = new Account(trace.model(), filter);
    List<Row> rows = new ArrayList<>();
    for (int g : trace.index().matching(filter)) {
      account.goroutine(g);
      rows.add(account.row(g));
    }
    return rows;
  }

  /** One goroutine in detail, or null when the trace has none with this id. */
  public static @Nullable Detail goroutine(Trace trace, long goid) {
    return goroutine(trace, goid, TimeWindow.ALL);
  }

  /** As {@link #goroutine(Trace, long)}, with the time it spent in a window. */
  public static @Nullable Detail goroutine(Trace trace, long goid, TimeWindow window) {
    TraceModel model = trace.model();
    Goroutines gs = model.goroutines();
    int g = gs.find(goid);
    if (g < 0) {
      return null;
    }
    Account account =
        new Account(model, GoroutineFilter.all().withWindow(window.from(), window.to()));
    account.goroutine(g);
    int spans = 0;
    GoroutineLog log = model.goroutineLog();
    Latency.Recorder sched = new Latency.Recorder();
    Map<String, Latency.Recorder> waits = new TreeMap<>();
    for (int k = 0; k < gs.changes(g); k++) {
      int i = gs.changeAt(g, k);
      SpanState state = SpanState.of(log.newState(i));
      if (!window.touches(log.time(i), model.spanEnd(i))) {
        continue;
      }
      spans++;
      long d = window.overlap(log.time(i), model.spanEnd(i));
      if (state.runnable()) {
        sched.add(d);
      } else if (state.waiting()) {
        waits.computeIfAbsent(model.reason(log.reason(i)), r -> new Latency.Recorder()).add(d);
      }
    }
    List<Long> children = new ArrayList<>();
    long n = 0;
    for (int c = 0; c < gs.size(); c++) {
      if (gs.parent(c) == g) {
        n++;
        if (children.size() < MAX_CHILDREN) {
          children.add(gs.id(c));
        }
      }
    }
    Map<String, Latency> byReason = new TreeMap<>();
    waits.forEach((r, rec) -> byReason.put(r, rec.get()));
    return new Detail(
        account.row(g),
        gs.id(gs.parent(g)),
        model.goroutineName(gs.parent(g)),
        children,
        n,
        model.stack(gs.startStack(g)),
        spans,
        sched.get(),
        byReason);
  }

  /** Adds up one goroutine at a time, within a window. */
  private static final class Account {
    private final TraceModel model;
    private final long from;
    private final long to;
    private final long[] states = new long[SpanState.COUNT];
    private final long[] reasons;
    private long first;
    private long last;

    Account(TraceModel model, GoroutineFilter filter) {
      this.model = model;
      this.from = Math.max(0, filter.from());
      this.to = Math.min(model.duration(), filter.to());
      this.reasons = new long[model.reasons()];
    }

    void goroutine(int g) {
      java.util.Arrays.fill(states, 0);
      java.util.Arrays.fill(reasons, 0);
      GoroutineLog log = model.goroutineLog();
      Goroutines gs = model.goroutines();
      first = model.firstTime(g);
      last = model.lastTime(g);
      int n = gs.changes(g);
      long start = n == 0 ? 0 : log.time(gs.changeAt(g, 0));
      states[SpanState.UNKNOWN.code()] += overlap(first, start);
      for (int k = 0; k < n; k++) {
        int i = gs.changeAt(g, k);
        long end = k + 1 < n ? log.time(gs.changeAt(g, k + 1)) : last;
        int s = log.newState(i);
        long d = overlap(start, end);
        states[s] += d;
        if (d > 0 && SpanState.of(s).waiting()) {
          reasons[log.reason(i)] += d;
        }
        start = end;
      }
    }

    private long overlap(long a, long b) {
      return Math.max(0, Math.min(to, b) - Math.max(from, a));
    }

    private long sum(SpanState... wanted) {
      long n = 0;
      for (SpanState s : wanted) {
        n += states[s.code()];
      }
      return n;
    }

    Map<String, Long> waits() {
      Map<String, Long> map = new TreeMap<>();
      for (int r = 0; r < reasons.length; r++) {
        if (reasons[r] > 0) {
          map.put(model.reason(r).isEmpty() ? "waiting" : model.reason(r), reasons[r]);
        }
      }
      return map;
    }

    Map<String, Long> byName() {
      Map<String, Long> map = new LinkedHashMap<>();
      map.put(LIFE, overlap(first, last));
      map.put(EXECUTION, sum(SpanState.RUNNING));
      map.put(RUNNABLE, sum(SpanState.RUNNABLE, SpanState.PREEMPTED));
      map.put(SYSCALL, sum(SpanState.SYSCALL, SpanState.SYSCALL_NO_P));
      map.put(UNKNOWN, sum(SpanState.UNKNOWN));
      map.putAll(waits());
      return map;
    }

    Row row(int g) {
      Map<String, Long> waits = waits();
      return new Row(
          model.goroutines().id(g),
          model.goroutineName(g),
          model.string(model.goroutines().label(g)),
          first,
          last,
          model.goroutines().ended(g) >= 0,
          sum(SpanState.RUNNING),
          sum(SpanState.RUNNABLE, SpanState.PREEMPTED),
          sum(SpanState.SYSCALL, SpanState.SYSCALL_NO_P),
          waits.values().stream().mapToLong(Long::longValue).sum(),
          sum(SpanState.UNKNOWN),
          waits);
    }
  }
}
