package dev.gmptrace.analyzer.index;

import dev.gmptrace.analyzer.model.Ranges;
import dev.gmptrace.analyzer.model.SpanState;
import dev.gmptrace.analyzer.model.TraceModel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A lane per family of ranges: stopped worlds together, every other range by its name. Ranges that
 * overlap (mark assists of several goroutines) become one span from the first begin to the last
 * end.
 */
final class RangeTimeline extends Timeline {
  static final String STOPPED = "stop-the-world";

  @SuppressWarnings("ArrayRecordComponent") // Columns, never compared.
  private record Lane(String name, long[] start, long[] end, int[] range) {}

  private final List<Lane> lanes = new ArrayList<>();
  private final Ranges ranges;
  private final int reasonBase;

  RangeTimeline(TraceModel model) {
    this.ranges = model.ranges();
    this.reasonBase = model.reasons();
    Map<String, List<Integer>> families = new TreeMap<>();
    for (int i = 0; i < ranges.size(); i++) {
      String name = model.string(ranges.name(i));
      String family = name.startsWith(STOPPED) ? STOPPED : name;
      families.computeIfAbsent(family, f -> new ArrayList<>()).add(i);
    }
    families.forEach((name, members) -> lanes.add(lane(name, members)));
  }

  private Lane lane(String name, List<Integer> members) {
    members.sort((a, b) -> Long.compare(ranges.start(a), ranges.start(b)));
    long[] start = new long[members.size()];
    long[] end = new long[members.size()];
    int[] range = new int[members.size()];
    int n = 0;
    for (int i : members) {
      if (n > 0 && ranges.start(i) <= end[n - 1]) {
        end[n - 1] = Math.max(end[n - 1], ranges.end(i));
      } else {
        start[n] = ranges.start(i);
        end[n] = ranges.end(i);
        range[n] = i;
        n++;
      }
    }
    return new Lane(
        name,
        java.util.Arrays.copyOf(start, n),
        java.util.Arrays.copyOf(end, n),
        java.util.Arrays.copyOf(range, n));
  }

  String name(int lane) {
    return lanes.get(lane).name;
  }

  /** The range behind an even span. */
  int range(int lane, int k) {
    return lanes.get(lane).range[k >> 1];
  }

  @Override
  int lanes() {
    return lanes.size();
  }

  /** Even spans are ranges, odd ones the nothing between. */
  @Override
  int size(int lane) {
    return lanes.get(lane).start.length * 2;
  }

  @Override
  int distance() {
    return 2;
  }

  @Override
  long start(int lane, int k) {
    Lane l = lanes.get(lane);
    return (k & 1) == 0 ? l.start[k >> 1] : l.end[k >> 1];
  }

  @Override
  int state(int lane, int k) {
    return (k & 1) == 0 ? SpanState.ACTIVE.code() : NONE;
  }

  @Override
  int states() {
    return (1 << SpanState.ACTIVE.code()) | (1 << NONE);
  }

  @Override
  int goroutine(int lane, int k) {
    return -1;
  }

  @Override
  int reason(int lane, int k) {
    return (k & 1) == 0 ? reasonBase + ranges.name(range(lane, k)) : 0;
  }

  @Override
  long end(int lane) {
    Lane l = lanes.get(lane);
    return l.end[l.end.length - 1];
  }
}
