package dev.gmptrace.analyzer.stats;

import dev.gmptrace.analyzer.index.Latency;
import dev.gmptrace.analyzer.index.TimeWindow;
import dev.gmptrace.analyzer.index.Trace;
import dev.gmptrace.analyzer.model.Annotations;
import dev.gmptrace.analyzer.model.TraceModel;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/** User tasks by type, with the distribution of their duration, and each of them with its parts. */
public record TaskReport(List<Type> types, List<Task> tasks) {

  /** All tasks of a name; only those that began and ended in the trace have a duration. */
  public record Type(String name, long count, long complete, Latency latency) {}

  /**
   * One task.
   *
   * @param start 0 when it began before the trace
   * @param end the trace's end when it had not ended
   * @param complete whether it began and ended in the trace
   * @param parent id of the task it is part of, -1 when none
   */
  public record Task(
      long id,
      long parent,
      String name,
      long start,
      long end,
      boolean complete,
      List<Long> goroutines,
      List<RegionReport.Region> regions,
      List<Log> logs) {}

  /** One log message. */
  public record Log(long ns, long g, String category, String message) {}

  /**
   * Which tasks are wanted; an empty or extreme value means any.
   *
   * @param window only tasks that were under way in it; they count with their whole duration
   */
  public record Filter(
      String name, long minNs, long maxNs, String logText, TimeWindow window, int limit) {
    /** All of them. */
    public static final Filter ALL =
        new Filter("", 0, Long.MAX_VALUE, "", TimeWindow.ALL, Integer.MAX_VALUE);
  }

  /** All tasks. */
  public static TaskReport of(Trace trace) {
    return of(trace, Filter.ALL);
  }

  /** The tasks a filter names, longest first; types count all of the window. */
  public static TaskReport of(Trace trace, Filter filter) {
    TraceModel model = trace.model();
    Annotations a = model.annotations();
    Map<Long, List<RegionReport.Region>> regions = new HashMap<>();
    for (int i = 0; i < a.regions(); i++) {
      regions
          .computeIfAbsent(a.regionTask(i), t -> new ArrayList<>())
          .add(RegionReport.region(model, i));
    }
    Map<Long, List<Log>> logs = new HashMap<>();
    for (int i = 0; i < a.logs(); i++) {
      logs.computeIfAbsent(a.logTask(i), t -> new ArrayList<>())
          .add(
              new Log(
                  a.logTime(i),
                  model.goroutines().id(a.logG(i)),
                  model.string(a.logCategory(i)),
                  model.string(a.logMessage(i))));
    }
    Map<String, long[]> counts = new TreeMap<>();
    Map<String, Latency.Recorder> latencies = new TreeMap<>();
    List<Task> tasks = new ArrayList<>();
    for (int i = 0; i < a.tasks(); i++) {
      if (!filter.window().touches(begin(a, i), end(model, i))) {
        continue;
      }
      Task t = task(model, i, regions, logs);
      long[] n = counts.computeIfAbsent(t.name(), k -> new long[2]);
      n[0]++;
      if (t.complete()) {
        n[1]++;
        latencies.computeIfAbsent(t.name(), k -> new Latency.Recorder()).add(t.end() - t.start());
      }
      if (matches(t, filter)) {
        tasks.add(t);
      }
    }
    List<Type> types = new ArrayList<>();
    counts.forEach((name, n) -> {
      Latency.Recorder r = latencies.get(name);
      types.add(new Type(name, n[0], n[1], r == null ? Latency.EMPTY : r.get()));
    });
    types.sort(Comparator.comparingLong(t -> -t.count()));
    tasks.sort(Comparator.comparingLong(t -> t.start() - t.end()));
    return new TaskReport(
        types,
        tasks.size() > filter.limit() ? List.copyOf(tasks.subList(0, filter.limit())) : tasks);
  }

  private static long begin(Annotations a, int i) {
    return Math.max(0, a.taskStart(i));
  }

  private static long end(TraceModel model, int i) {
    long end = model.annotations().taskEnd(i);
    return end < 0 ? model.duration() : end;
  }

  private static boolean matches(Task t, Filter f) {
    long d = t.end() - t.start();
    return (f.name().isEmpty() || t.name().equals(f.name()))
        && d >= f.minNs()
        && d <= f.maxNs()
        && (f.logText().isEmpty()
            || t.logs().stream().anyMatch(l -> l.message().contains(f.logText())));
  }

  private static Task task(
      TraceModel model,
      int i,
      Map<Long, List<RegionReport.Region>> regions,
      Map<Long, List<Log>> logs) {
    Annotations a = model.annotations();
    long id = a.taskId(i);
    List<RegionReport.Region> parts = regions.getOrDefault(id, List.of());
    TreeSet<Long> goroutines = new TreeSet<>();
    if (a.taskG(i) >= 0) {
      goroutines.add(model.goroutines().id(a.taskG(i)));
    }
    parts.forEach(r -> goroutines.add(r.g()));
    return new Task(
        id,
        a.taskParent(i) <= 0 ? -1 : a.taskParent(i),
        model.string(a.taskName(i)),
        begin(a, i),
        end(model, i),
        a.taskStart(i) >= 0 && a.taskEnd(i) >= 0,
        List.copyOf(goroutines),
        parts,
        logs.getOrDefault(id, List.of()));
  }
}
