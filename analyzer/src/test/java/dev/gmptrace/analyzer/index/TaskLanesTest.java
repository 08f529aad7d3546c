package dev.gmptrace.analyzer.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gmptrace.analyzer.model.Annotations;
import dev.gmptrace.analyzer.model.SpanState;
import java.util.Arrays;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tasks and regions as lanes: everything is there once, nothing overlaps, nests lie below. */
class TaskLanesTest {
  @Test
  void rowsAreAsManyAsIntervalsWereOpenAtOnce() {
    long seed = Long.getLong("gmptrace.seed", 11);
    SplittableRandom random = new SplittableRandom(seed);
    for (int round = 0; round < 50; round++) {
      int n = 1 + random.nextInt(200);
      long[] start = random.longs(n, 0, 1000).sorted().toArray();
      long[] end = Arrays.stream(start).map(s -> s + 1 + random.nextInt(100)).toArray();
      Rows rows = new Rows();
      long[] busyUntil = new long[n];
      int used = 0;
      int atOnce = 0;
      for (int i = 0; i < n; i++) {
        int row = rows.place(start[i], end[i]);
        assertTrue(busyUntil[row] <= start[i], "an overlap with -Dgmptrace.seed=" + seed);
        busyUntil[row] = end[i];
        used = Math.max(used, row + 1);
        int open = 0;
        for (int j = 0; j <= i; j++) {
          open += end[j] > start[i] ? 1 : 0;
        }
        atOnce = Math.max(atOnce, open);
      }
      assertEquals(atOnce, used, "rows with -Dgmptrace.seed=" + seed);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"go122-annotations", "go122-task-across-generations", "web-go1.27", "idle-go1.26"})
  void everyTaskAndRegionIsOnALaneOnce(String name) {
    Trace trace = GoldenTraces.open(name);
    TraceIndex index = trace.index();
    Annotations all = trace.model().annotations();
    int shown = 0;
    for (LaneInfo lane : index.lanes(LaneKind.TASK)) {
      Tile tile = index.query(lane.id(), 0, Long.MAX_VALUE / 4, Integer.MAX_VALUE);
      shown += lane.spans() / 2;
      for (int i = 1; i < tile.size(); i++) {
        assertTrue(tile.start()[i] >= tile.end()[i - 1], () -> "overlap on " + lane.id());
      }
    }
    assertEquals(all.tasks() + all.regions(), shown);
    for (int t = 0; t < all.tasks(); t++) {
      LaneId lane = Objects.requireNonNull(index.taskLane(all.taskId(t)));
      SpanDetail task = index.span(lane, Math.max(0, all.taskStart(t)));
      assertNotNull(task);
      assertEquals(SpanState.ACTIVE, task.state());
      assertEquals("task", task.stateLabel());
      assertEquals(trace.model().string(all.taskName(t)), task.reason());
      assertEquals(all.taskId(t), task.taskIds().getFirst());
    }
    for (int r = 0; r < all.regions(); r++) {
      SpanDetail region = index.span(index.regionLane(r), Math.max(0, all.regionStart(r)));
      assertNotNull(region);
      assertEquals(trace.model().string(all.regionName(r)), region.reason());
      LaneId task = index.taskLane(all.regionTask(r));
      assertTrue(task == null || index.regionLane(r).id() > task.id(), "regions lie below");
    }
    assertNull(index.taskLane(Long.MAX_VALUE));
  }
}
