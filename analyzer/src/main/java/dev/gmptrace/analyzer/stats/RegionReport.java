package dev.gmptrace.analyzer.stats;

import dev.gmptrace.analyzer.index.Latency;
import dev.gmptrace.analyzer.index.TimeWindow;
import dev.gmptrace.analyzer.index.Trace;
import dev.gmptrace.analyzer.model.Annotations;
import dev.gmptrace.analyzer.model.Frame;
import dev.gmptrace.analyzer.model.TraceModel;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** User regions by type and place in the source, with the distribution of their duration. */
public record RegionReport(List<Type> types, List<Region> regions) {

  /** All regions of a name begun at one place; only whole ones have a duration. */
  public record Type(String name, String where, long count, long complete, Latency latency) {}

  /** One region of a goroutine. */
  public record Region(
      String name, long task, long g, long start, long end, boolean complete, String where) {}

  /** All regions. */
  public static RegionReport of(Trace trace) {
    return of(trace, Filter.ALL);
  }

  /**
   * Which regions are wanted; an empty or extreme value means any.
   *
   * @param window only regions that were under way in it; they count with their whole duration
   */
  public record Filter(String name, long minNs, long maxNs, TimeWindow window, int limit) {
    /** All of them. */
    public static final Filter ALL =
        new Filter("", 0, Long.MAX_VALUE, TimeWindow.ALL, Integer.MAX_VALUE);

    private boolean wants(Region r) {
      long d = r.end() - r.start();
      return (name.isEmpty() || r.name().equals(name)) && d >= minNs && d <= maxNs;
    }
  }

  /** The regions a filter names, longest first; types count all of the window. */
  public static RegionReport of(Trace trace, Filter filter) {
    TraceModel model = trace.model();
    record Key(String name, String where) {}
    Map<Key, Latency.Recorder> latencies = new LinkedHashMap<>();
    Map<Key, long[]> counts = new LinkedHashMap<>();
    List<Region> list = new ArrayList<>();
    for (int i = 0; i < model.annotations().regions(); i++) {
      Region r = region(model, i);
      if (!filter.window().touches(r.start(), r.end())) {
        continue;
      }
      Key key = new Key(r.name(), r.where());
      long[] n = counts.computeIfAbsent(key, k -> new long[2]);
      n[0]++;
      if (r.complete()) {
        n[1]++;
        latencies.computeIfAbsent(key, k -> new Latency.Recorder()).add(r.end() - r.start());
      }
      if (filter.wants(r)) {
        list.add(r);
      }
    }
    List<Type> types = new ArrayList<>();
    counts.forEach((k, n) -> {
      Latency.Recorder rec = latencies.get(k);
      types.add(new Type(k.name(), k.where(), n[0], n[1], rec == null ? Latency.EMPTY : rec.get()));
    });
    types.sort(Comparator.comparingLong(t -> -t.count()));
    list.sort(Comparator.comparingLong(r -> r.start() - r.end()));
    return new RegionReport(
        types, list.size() > filter.limit() ? List.copyOf(list.subList(0, filter.limit())) : list);
  }

  static Region region(TraceModel model, int i) {
    Annotations a = model.annotations();
    long start = a.regionStart(i);
    long end = a.regionEnd(i);
    List<Frame> stack = model.stack(a.regionStack(i));
    String where = "";
    if (!stack.isEmpty()) {
      Frame f = stack.get(0);
      where = f.function() + " " + f.file() + ":" + f.line();
    }
    return new Region(
        model.string(a.regionName(i)),
        a.regionTask(i),
        model.goroutines().id(a.regionG(i)),
        Math.max(0, start),
        end < 0 ? model.duration() : end,
        start >= 0 && end >= 0,
        where);
  }
}
