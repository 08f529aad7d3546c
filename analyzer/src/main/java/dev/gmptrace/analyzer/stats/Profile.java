package dev.gmptrace.analyzer.stats;

import dev.gmptrace.analyzer.index.Durations;
import dev.gmptrace.analyzer.index.GoroutineFilter;
import dev.gmptrace.analyzer.index.Trace;
import dev.gmptrace.analyzer.model.Frame;
import dev.gmptrace.analyzer.model.GoroutineLog;
import dev.gmptrace.analyzer.model.Samples;
import dev.gmptrace.analyzer.model.SpanState;
import dev.gmptrace.analyzer.model.TraceModel;
import dev.gmptrace.analyzer.read.TraceTables;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;

/**
 * Where time went, by stack.
 *
 * <p>As in Go's profiles a stretch counts once it is over: what was still going on when the trace
 * ended is not in it. Nor is what happened before the goroutine ran for the first time; the wait
 * for that is a profile of its own, {@link ProfileType#START}. The stack is the one recorded when
 * the stretch began.
 */
public final class Profile {
  /** Go samples the CPU a hundred times a second unless told otherwise; its traces do not say. */
  private static final int GO_CPU_HZ = 100;

  /** One stack: how often, and how long in all. */
  public record Sample(int stack, long count, long nanos) {}

  /**
   * A function: time in it, and time in it and in what it called.
   *
   * @param line the first of its lines that a stack names
   */
  public record Row(
      String function, String file, int line, long flat, long flatCount, long cum, long cumCount) {}

  /** A node of the flame graph, callers above callees; {@code total} includes the children. */
  public record Node(
      String name, String file, int line, long self, long total, long count, List<Node> children) {}

  private final TraceModel model;
  private final ProfileType type;
  private final List<Sample> samples;
  private final long wallNs;
  private final long durationNs;

  private Profile(
      TraceModel model, ProfileType type, List<Sample> samples, long wallNs, long durationNs) {
    this.model = model;
    this.type = type;
    this.samples = samples;
    this.wallNs = wallNs;
    this.durationNs = durationNs;
  }

  /** A profile of the whole trace. */
  public static Profile of(Trace trace, ProfileType type) {
    return of(trace, type, GoroutineFilter.all());
  }

  /** A profile of a window. */
  public static Profile of(Trace trace, ProfileType type, long from, long to) {
    return of(trace, type, GoroutineFilter.all().withWindow(from, to));
  }

  /** A profile of the goroutines and the window a filter names. */
  public static Profile of(Trace trace, ProfileType type, GoroutineFilter filter) {
    TraceModel model = trace.model();
    long[] nanos = new long[model.tables().stacks()];
    long[] count = new long[nanos.length];
    BitSet chosen = new BitSet();
    for (int g : trace.index().matching(filter)) {
      chosen.set(g);
    }
    if (type == ProfileType.CPU) {
      cpu(model, filter, chosen, nanos, count);
    } else {
      spans(model, type, filter, chosen, nanos, count);
    }
    List<Sample> samples = new ArrayList<>();
    for (int s = 0; s < nanos.length; s++) {
      if (count[s] > 0) {
        samples.add(new Sample(s, count[s], nanos[s]));
      }
    }
    samples.sort(Comparator.comparingLong(s -> -s.nanos()));
    long from = Math.max(0, filter.from());
    long to = Math.min(model.duration(), filter.to());
    return new Profile(
        model, type, List.copyOf(samples), Math.max(0, trace.info().wallNs(from)), to - from);
  }

  private static void spans(
      TraceModel model,
      ProfileType type,
      GoroutineFilter filter,
      BitSet chosen,
      long[] nanos,
      long[] count) {
    boolean[][] selected = new boolean[SpanState.COUNT][model.reasons()];
    for (int s = 0; s < SpanState.COUNT; s++) {
      for (int r = 0; r < model.reasons(); r++) {
        selected[s][r] = type.selects(SpanState.of(s), model.reason(r));
      }
    }
    GoroutineLog log = model.goroutineLog();
    for (int g = chosen.nextSetBit(0); g >= 0; g = chosen.nextSetBit(g + 1)) {
      int n = model.goroutines().changes(g);
      long firstRun = firstRun(model, g);
      boolean starting = type == ProfileType.START;
      for (int k = 0; k < n; k++) {
        int i = model.goroutines().changeAt(g, k);
        if (starting && log.time(i) >= firstRun) {
          break;
        }
        if (!selected[log.newState(i)][log.reason(i)]) {
          continue;
        }
        int end = k + 1;
        // A system call that loses its processor is still the same system call.
        while (end < n
            && type == ProfileType.SYSCALL
            && SpanState.of(log.newState(model.goroutines().changeAt(g, end))).syscall()) {
          end++;
        }
        if (end < n) {
          long from = Math.max(starting ? 0 : firstRun, log.time(i));
          from = Math.max(filter.from(), from);
          long to = Math.min(filter.to(), log.time(model.goroutines().changeAt(g, end)));
          if (to > from) {
            nanos[log.stack(i)] += to - from;
            count[log.stack(i)]++;
          }
        }
        k = end - 1;
      }
    }
  }

  /** When the goroutine ran for the first time; 0 when it never did. */
  private static long firstRun(TraceModel model, int g) {
    GoroutineLog log = model.goroutineLog();
    for (int k = 0; k < model.goroutines().changes(g); k++) {
      int i = model.goroutines().changeAt(g, k);
      if (log.newState(i) == SpanState.RUNNING.code()) {
        return log.time(i);
      }
    }
    return 0;
  }

  private static void cpu(
      TraceModel model, GoroutineFilter filter, BitSet chosen, long[] nanos, long[] count) {
    Samples s = model.samples();
    long period = cpuPeriodNs(model);
    boolean everybody = filter.withWindow(0, Long.MAX_VALUE).isAll();
    for (int i = 0; i < s.size(); i++) {
      boolean counts = everybody || (s.g(i) >= 0 && chosen.get(s.g(i)));
      if (counts && s.time(i) >= filter.from() && s.time(i) < filter.to()) {
        nanos[s.stack(i)] += period;
        count[s.stack(i)]++;
      }
    }
  }

  private static long cpuPeriodNs(TraceModel model) {
    String hz = model.info().properties().getOrDefault("cpuhz", "");
    return 1_000_000_000L / (hz.isEmpty() ? GO_CPU_HZ : Long.parseLong(hz));
  }

  /** The CPU time that a sample stands for. */
  long cpuPeriodNs() {
    return cpuPeriodNs(model);
  }

  /** What it adds up. */
  public ProfileType type() {
    return type;
  }

  /** The stacks, most time first. */
  public List<Sample> samples() {
    return samples;
  }

  /** All its time. */
  public long total() {
    return samples.stream().mapToLong(Sample::nanos).sum();
  }

  /** How many stretches, or samples. */
  public long count() {
    return samples.stream().mapToLong(Sample::count).sum();
  }

  /** The functions with most time of their own, at most {@code n}. */
  public List<Row> top(int n) {
    TraceTables tables = model.tables();
    Map<Integer, long[]> rows = new HashMap<>();
    Map<Integer, Integer> places = new HashMap<>();
    Set<Integer> seen = new HashSet<>();
    for (Sample s : samples) {
      seen.clear();
      for (int k = 0; k < tables.depth(s.stack()); k++) {
        int frame = tables.frameId(s.stack(), k);
        int function = tables.frame(frame).function();
        places.merge(
            function, frame, (a, b) -> tables.frame(b).line() < tables.frame(a).line() ? b : a);
        long[] row = rows.computeIfAbsent(function, f -> new long[4]);
        if (k == 0) {
          row[0] += s.nanos();
          row[1] += s.count();
        }
        if (seen.add(function)) {
          row[2] += s.nanos();
          row[3] += s.count();
        }
      }
    }
    List<Row> list = new ArrayList<>();
    rows.forEach((f, r) -> {
      Frame at = model.frame(places.getOrDefault(f, 0));
      list.add(new Row(model.string(f), at.file(), at.line(), r[0], r[1], r[2], r[3]));
    });
    list.sort(
        Comparator.comparingLong((Row r) -> -r.flat())
            .thenComparingLong(r -> -r.cum())
            .thenComparing(Row::function));
    return list.size() > n ? List.copyOf(list.subList(0, n)) : list;
  }

  /** The flame graph: callers above callees, biggest first. */
  public Node root() {
    Building root = new Building(new Frame(0, "all", "", 0));
    TraceTables tables = model.tables();
    for (Sample s : samples) {
      Building at = root;
      at.total += s.nanos();
      at.count += s.count();
      for (int k = tables.depth(s.stack()) - 1; k >= 0; k--) {
        int frame = tables.frameId(s.stack(), k);
        int function = tables.frame(frame).function();
        at = at.children.computeIfAbsent(function, f -> new Building(model.frame(frame)));
        at.total += s.nanos();
        at.count += s.count();
      }
      at.self += s.nanos();
    }
    return root.node();
  }

  private static final class Building {
    private final Frame frame;
    private final Map<Integer, Building> children = new LinkedHashMap<>();
    private long self;
    private long total;
    private long count;

    Building(Frame frame) {
      this.frame = frame;
    }

    Node node() {
      List<Node> list =
          children.values().stream()
              .map(Building::node)
              .sorted(Comparator.comparingLong((Node n) -> -n.total()).thenComparing(Node::name))
              .toList();
      return new Node(frame.function(), frame.file(), frame.line(), self, total, count, list);
    }
  }

  /** Writes it as gzipped pprof, for {@code go tool pprof} and whoever reads that. */
  public void writePprof(OutputStream out) {
    try {
      new PprofWriter(model, this, wallNs, durationNs).write(out);
    } catch (IOException e) {
      throw new UncheckedIOException("the profile cannot be written: " + e.getMessage(), e);
    }
  }

  /** Writes a line a stack, callers first, for flame graph tools. */
  public void writeFolded(Appendable out) {
    try {
      for (Sample s : samples) {
        StringJoiner line = new StringJoiner(";");
        for (Frame f : model.stack(s.stack()).reversed()) {
          line.add(f.function().replace(';', ':'));
        }
        String stack = line.length() == 0 ? "(no stack)" : line.toString();
        out.append(stack).append(' ').append(Long.toString(s.nanos())).append('\n');
      }
    } catch (IOException e) {
      throw new UncheckedIOException("the profile cannot be written: " + e.getMessage(), e);
    }
  }

  /** For people: the top functions as a table. */
  public String text(int n) {
    long total = total();
    StringBuilder b = new StringBuilder();
    b.append(type.title())
        .append(": ")
        .append(Durations.text(total))
        .append(" in ")
        .append(count())
        .append(type == ProfileType.CPU ? " samples\n" : " stretches\n");
    b.append(String.format(Locale.ROOT, "%10s %6s %10s %6s  %s%n", "flat", "", "cum", "", ""));
    for (Row r : top(n)) {
      b.append(
          String.format(
              Locale.ROOT,
              "%10s %5.1f%% %10s %5.1f%%  %s%n",
              Durations.text(r.flat()),
              percent(r.flat(), total),
              Durations.text(r.cum()),
              percent(r.cum(), total),
              r.function()));
    }
    return b.toString();
  }

  private static double percent(long part, long total) {
    return total == 0 ? 0 : 100.0 * part / total;
  }
}
