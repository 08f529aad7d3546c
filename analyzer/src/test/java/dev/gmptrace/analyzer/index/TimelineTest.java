package dev.gmptrace.analyzer.index;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gmptrace.analyzer.model.SpanState;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The sums and tiles of the index against a plain walk over every span, at every zoom. */
class TimelineTest {
  private static final long SEED = Long.getLong("gmptrace.seed", 42);

  static List<String> traces() {
    return GoldenTraces.all();
  }

  private static long[] walk(Timeline t, int lane, long from, long to) {
    long[] sums = new long[SpanState.COUNT];
    for (int k = 0; k < t.size(lane); k++) {
      long d = Math.min(to, t.end(lane, k)) - Math.max(from, t.start(lane, k));
      if (d > 0) {
        sums[t.state(lane, k)] += d;
      }
    }
    return sums;
  }

  @ParameterizedTest
  @MethodSource("traces")
  void spansFollowEachOtherWithoutGapsAndEndWithTheTrace(String name) {
    Trace trace = GoldenTraces.open(name);
    for (LaneKind kind : LaneKind.values()) {
      Timeline t = trace.index().timeline(kind);
      for (int lane = 0; lane < t.lanes(); lane++) {
        for (int k = 1; k < t.size(lane); k++) {
          assertTrue(t.start(lane, k) >= t.start(lane, k - 1), kind + " " + lane + " span " + k);
        }
        if (t.size(lane) > 0) {
          assertTrue(t.end(lane) <= trace.info().durationNs());
          assertTrue(t.end(lane) >= t.start(lane, t.size(lane) - 1));
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("traces")
  void timePerGoroutineAddsUpToItsLife(String name) {
    Trace trace = GoldenTraces.open(name);
    for (LaneInfo lane : trace.index().lanes(LaneKind.GOROUTINE)) {
      long total = 0;
      for (long d : trace.index().durations(lane.id(), 0, Long.MAX_VALUE)) {
        total += d;
      }
      assertEquals(lane.lastNs() - lane.firstNs(), total, lane.toString());
    }
  }

  @ParameterizedTest
  @MethodSource("traces")
  void runningTimeIsTheSameSeenFromGoroutinesProcsAndThreads(String name) {
    Trace trace = GoldenTraces.open(name);
    long[] byKind = new long[3];
    LaneKind[] kinds = {LaneKind.GOROUTINE, LaneKind.PROC, LaneKind.THREAD};
    for (int i = 0; i < kinds.length; i++) {
      for (LaneInfo lane : trace.index().lanes(kinds[i])) {
        long[] d = trace.index().durations(lane.id(), 0, Long.MAX_VALUE);
        byKind[i] += d[SpanState.RUNNING.code()];
      }
    }
    assertEquals(byKind[0], byKind[1], "goroutines and processors");
    assertEquals(byKind[0], byKind[2], "goroutines and threads");
  }

  @ParameterizedTest
  @MethodSource("traces")
  void sumsEqualAWalkForAnyWindow(String name) {
    Trace trace = GoldenTraces.open(name);
    Random random = new Random(SEED);
    long duration = trace.info().durationNs();
    for (LaneKind kind : LaneKind.values()) {
      Timeline t = trace.index().timeline(kind);
      for (int i = 0; i < 200 && t.lanes() > 0; i++) {
        int lane = random.nextInt(t.lanes());
        long from = random.nextLong(duration + 1);
        long to = from + 1 + random.nextLong(duration + 1);
        long[] sums = new long[SpanState.COUNT];
        t.durations(lane, from, to, sums);
        assertArrayEquals(walk(t, lane, from, to), sums, kind + " " + lane + " seed " + SEED);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("traces")
  void tilesTellTheTruthAtEveryZoom(String name) {
    Trace trace = GoldenTraces.open(name);
    Random random = new Random(SEED);
    long duration = trace.info().durationNs();
    for (LaneKind kind : LaneKind.values()) {
      List<LaneInfo> lanes = trace.index().lanes(kind);
      for (int i = 0; i < 100 && !lanes.isEmpty(); i++) {
        LaneId id = lanes.get(random.nextInt(lanes.size())).id();
        long width = 1 + (long) (duration * Math.pow(random.nextDouble(), 6));
        long from = random.nextLong(duration + 1);
        check(trace.index(), id, from, from + width, 1 + random.nextInt(300));
      }
    }
  }

  private static void check(TraceIndex index, LaneId id, long from, long to, int pixels) {
    String what = id + " [" + from + ", " + to + ") in " + pixels + ", seed " + SEED;
    Tile tile = index.query(id, from, to, pixels);
    assertTrue(tile.size() <= 2 * pixels + 1, what + ": " + tile.size() + " pieces");
    long at = from;
    long covered = 0;
    for (int i = 0; i < tile.size(); i++) {
      assertTrue(tile.start()[i] >= at && tile.end()[i] > tile.start()[i], what);
      at = tile.end()[i];
      covered += tile.end()[i] - tile.start()[i];
      long[] sums = index.durations(id, tile.start()[i], tile.end()[i]);
      long busy = 0;
      long most = 0;
      for (int s = 1; s < sums.length; s++) {
        most = Math.max(most, sums[s]);
        busy += SpanState.of(s).busy() ? sums[s] : 0;
      }
      assertEquals(most, sums[tile.state()[i]], what + ": dominant state of piece " + i);
      double share = 255.0 * busy / (tile.end()[i] - tile.start()[i]);
      assertEquals(share, tile.busy()[i] & 255, 1.01, what + ": busy share of piece " + i);
    }
    assertTrue(at <= to, what);
    long[] all = index.durations(id, from, to);
    long existing = 0;
    for (int s = 1; s < all.length; s++) {
      existing += all[s];
    }
    assertTrue(covered >= existing, what + ": " + covered + " drawn of " + existing);
  }

  @ParameterizedTest
  @MethodSource("traces")
  void countersEqualAWalk(String name) {
    Trace trace = GoldenTraces.open(name);
    long duration = trace.info().durationNs();
    if (duration == 0) {
      return;
    }
    CounterTile fine = trace.index().counter("g.total", 0, duration + 1, 1000);
    CounterTile coarse = trace.index().counter("g.total", 0, duration + 1, 10);
    for (int x = 0; x < 10; x++) {
      long max = Long.MIN_VALUE;
      for (int k = x * 100; k < (x + 1) * 100; k++) {
        max = Math.max(max, fine.max()[k]);
      }
      assertEquals(max, coarse.max()[x]);
      assertEquals(fine.last()[x * 100 + 99], coarse.last()[x]);
    }
  }
}
