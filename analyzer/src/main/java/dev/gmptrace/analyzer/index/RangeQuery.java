package dev.gmptrace.analyzer.index;

import dev.gmptrace.analyzer.index.RangePage.Order;
import dev.gmptrace.analyzer.index.RangePage.RangeInfo;
import dev.gmptrace.analyzer.index.RangePage.RangeSum;
import dev.gmptrace.analyzer.model.IntColumn;
import dev.gmptrace.analyzer.model.Ranges;
import dev.gmptrace.analyzer.model.TraceModel;
import dev.gmptrace.analyzer.read.ResourceKind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Finds the ranges of a window. They are sorted before the list is cut, and summed up whole. */
final class RangeQuery {
  private final TraceModel model;
  private final TimeWindow window;

  RangeQuery(TraceModel model, TimeWindow window) {
    this.model = model;
    this.window = window;
  }

  RangePage run(@Nullable String nameContains, Order order, boolean descending, int limit) {
    Ranges r = model.ranges();
    IntColumn found = new IntColumn();
    Map<Integer, long[]> sums = new TreeMap<>();
    Map<Integer, Boolean> wanted = new TreeMap<>();
    for (int i = 0; i < r.size(); i++) {
      if (window.touches(r.start(i), r.end(i))
          && wanted.computeIfAbsent(r.name(i), n -> matches(n, nameContains))) {
        found.add(i);
        long[] sum = sums.computeIfAbsent(r.name(i), n -> new long[3]);
        sum[0]++;
        sum[1] += window.overlap(r.start(i), r.end(i));
        sum[2] = Math.max(sum[2], r.end(i) - r.start(i));
      }
    }
    Comparator<Integer> by = comparator(r, order);
    List<RangeInfo> first =
        IntStream.range(0, found.size())
            .map(found::get)
            .boxed()
            .sorted((descending ? by.reversed() : by).thenComparingLong(r::start))
            .limit(limit)
            .map(this::info)
            .toList();
    return new RangePage(found.size() > limit, found.size(), sums(sums), first);
  }

  private boolean matches(int name, @Nullable String part) {
    return part == null || model.string(name).contains(part);
  }

  private Comparator<Integer> comparator(Ranges r, Order order) {
    return switch (order) {
      case START -> Comparator.comparingLong(r::start);
      case DURATION -> Comparator.comparingLong(i -> r.end(i) - r.start(i));
      case NAME -> Comparator.comparing(i -> model.string(r.name(i)));
    };
  }

  private List<RangeSum> sums(Map<Integer, long[]> byName) {
    List<RangeSum> list = new ArrayList<>();
    byName.forEach(
        (name, sum) -> list.add(new RangeSum(model.string(name), (int) sum[0], sum[1], sum[2])));
    list.sort(
        Comparator.comparingLong((RangeSum s) -> -s.inWindowNs()).thenComparing(RangeSum::name));
    return list;
  }

  private RangeInfo info(int i) {
    Ranges r = model.ranges();
    return new RangeInfo(
        model.string(r.name(i)),
        scope(r.scope(i), r.scopeId(i)),
        r.start(i),
        r.end(i),
        r.openEnd(i) || r.beganBefore(i),
        model.stack(r.stack(i)),
        r.attributes(i));
  }

  private static @Nullable LaneId scope(ResourceKind kind, long id) {
    return switch (kind) {
      case NONE -> null;
      case GOROUTINE -> LaneId.g(id);
      case PROC -> LaneId.p(id);
      case THREAD -> LaneId.m(id);
    };
  }
}
