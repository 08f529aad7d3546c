package dev.gmptrace.analyzer.index;

import dev.gmptrace.analyzer.model.Annotations;
import dev.gmptrace.analyzer.model.SpanState;
import dev.gmptrace.analyzer.model.TraceModel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Tasks and regions as lanes. Tasks of one type overlap, so a type has as many tracks as it ever
 * had tasks at once ({@link Rows}); right below a track come the regions of its tasks, one inside
 * the other. Regions of no task have tracks of their own at the end.
 *
 * <pre>
 *   t:0  request   |=====#1=====|  |===#3===|
 *   t:1    regions |lookup|render| |lookup|..
 *   t:2  request        |=====#2=====|
 *   t:3    regions      |lookup |render|
 * </pre>
 */
final class TaskTimeline extends Timeline {
  /** Name of the lanes below a track, and group of those that belong to no task. */
  static final String REGIONS = "regions";

  /** A lane; items are tasks, or regions as their complement. */
  private static final class Lane {
    final String name;
    final String group;
    private int[] items = new int[1];
    private int size;

    Lane(String name, String group) {
      this.name = name;
      this.group = group;
    }

    void add(int item) {
      // A trace may have as many tracks as tasks, so a track costs no more than what is on it.
      if (size == items.length) {
        items = Arrays.copyOf(items, size * 2);
      }
      items[size++] = item;
    }
  }

  private final List<Lane> lanes = new ArrayList<>();
  private final Annotations all;
  private final long duration;
  private final int reasonBase;
  private final int[] laneOfTask;
  private final int[] laneOfRegion;

  TaskTimeline(TraceModel model) {
    this.all = model.annotations();
    this.duration = model.duration();
    this.reasonBase = model.reasons();
    this.laneOfTask = new int[all.tasks()];
    this.laneOfRegion = new int[all.regions()];
    Map<Integer, List<Integer>> regions = new HashMap<>();
    for (int r : byStart(all.regions(), this::regionStart)) {
      regions.computeIfAbsent(all.findTask(all.regionTask(r)), t -> new ArrayList<>()).add(r);
    }
    Map<Integer, List<Integer>> types = new LinkedHashMap<>();
    for (int t : byStart(all.tasks(), this::taskStart)) {
      types.computeIfAbsent(all.taskName(t), n -> new ArrayList<>()).add(t);
    }
    types.forEach((name, tasks) -> addType(model.string(name), tasks, regions));
    addRegions(REGIONS, regions.getOrDefault(-1, List.of()));
  }

  private static int[] byStart(int n, java.util.function.IntToLongFunction start) {
    return IntStream.range(0, n)
        .boxed()
        .sorted(Comparator.comparingLong(start::applyAsLong))
        .mapToInt(i -> i)
        .toArray();
  }

  private void addType(String name, List<Integer> tasks, Map<Integer, List<Integer>> regions) {
    Rows rows = new Rows();
    List<List<Integer>> tracks = new ArrayList<>();
    for (int t : tasks) {
      int row = rows.place(taskStart(t), taskEnd(t));
      if (row == tracks.size()) {
        tracks.add(new ArrayList<>());
      }
      tracks.get(row).add(t);
    }
    for (List<Integer> track : tracks) {
      Lane lane = new Lane(name, name);
      lanes.add(lane);
      List<Integer> below = new ArrayList<>();
      for (int t : track) {
        laneOfTask[t] = lanes.size() - 1;
        lane.add(t);
        below.addAll(regions.getOrDefault(t, List.of()));
      }
      below.sort(Comparator.comparingLong(this::regionStart));
      addRegions(name, below);
    }
  }

  private void addRegions(String group, List<Integer> regions) {
    int first = lanes.size();
    Rows rows = new Rows();
    for (int r : regions) {
      int at = first + rows.place(regionStart(r), regionEnd(r));
      if (at == lanes.size()) {
        lanes.add(new Lane(REGIONS, group));
      }
      laneOfRegion[r] = at;
      lanes.get(at).add(~r);
    }
  }

  private long taskStart(int t) {
    return Math.max(0, all.taskStart(t));
  }

  /** At least a nanosecond, so that nothing vanishes. */
  private long taskEnd(int t) {
    return Math.max(
        taskStart(t) + 1, all.taskEnd(t) == Annotations.OUTSIDE ? duration : all.taskEnd(t));
  }

  private long regionStart(int r) {
    return Math.max(0, all.regionStart(r));
  }

  private long regionEnd(int r) {
    return Math.max(
        regionStart(r) + 1, all.regionEnd(r) == Annotations.OUTSIDE ? duration : all.regionEnd(r));
  }

  /** The lane of a task (dense index). */
  int laneOfTask(int task) {
    return laneOfTask[task];
  }

  /** The lane of a region (dense index). */
  int laneOfRegion(int region) {
    return laneOfRegion[region];
  }

  String name(int lane) {
    return lanes.get(lane).name;
  }

  String group(int lane) {
    return lanes.get(lane).group;
  }

  /** The task behind an even span, or -1 when it is a region. */
  int task(int lane, int k) {
    return Math.max(-1, lanes.get(lane).items[k >> 1]);
  }

  /** The region behind an even span, or -1 when it is a task. */
  int region(int lane, int k) {
    return Math.max(-1, ~lanes.get(lane).items[k >> 1]);
  }

  @Override
  int lanes() {
    return lanes.size();
  }

  /** Even spans are tasks or regions, odd ones the nothing between. */
  @Override
  int size(int lane) {
    return lanes.get(lane).size * 2;
  }

  @Override
  int distance() {
    return 2;
  }

  @Override
  long start(int lane, int k) {
    int item = lanes.get(lane).items[k >> 1];
    if ((k & 1) == 0) {
      return item < 0 ? regionStart(~item) : taskStart(item);
    }
    return item < 0 ? regionEnd(~item) : taskEnd(item);
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
    if ((k & 1) != 0) {
      return -1;
    }
    int task = task(lane, k);
    return task >= 0 ? all.taskG(task) : all.regionG(region(lane, k));
  }

  @Override
  int reason(int lane, int k) {
    if ((k & 1) != 0) {
      return 0;
    }
    int task = task(lane, k);
    return reasonBase + (task >= 0 ? all.taskName(task) : all.regionName(region(lane, k)));
  }

  @Override
  long end(int lane) {
    return start(lane, size(lane) - 1);
  }
}
