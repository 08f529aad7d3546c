package dev.gmptrace.analyzer.index;

import dev.gmptrace.analyzer.model.Goroutines;
import dev.gmptrace.analyzer.model.SpanState;
import java.util.Arrays;

/**
 * Cuts a lane into at most two pieces a pixel.
 *
 * <ol>
 *   <li>A span at least a pixel long is a piece by itself, exact.
 *   <li>Everything between, up to the next pixel border or the next long span, is merged into one
 *       piece: time per state from the {@link Summaries}, called after its longest span.
 * </ol>
 *
 * A pixel holds at most one merged piece and the beginning of one long span, hence the bound.
 */
final class TileQuery {
  private final Timeline timeline;
  private final Goroutines goroutines;
  private final int lane;
  private final long from;
  private final long to;
  private final double pixel;

  private int size;
  private long[] start = new long[16];
  private long[] end = new long[16];
  private byte[] state = new byte[16];
  private byte[] busy = new byte[16];
  private int[] count = new int[16];
  private long[] g = new long[16];
  private int[] reason = new int[16];
  private final long[] sums = new long[SpanState.COUNT];
  private final Summaries.Few few = new Summaries.Few();

  TileQuery(Timeline timeline, Goroutines goroutines, int lane, long from, long to, int pixels) {
    this.timeline = timeline;
    this.goroutines = goroutines;
    this.lane = lane;
    this.from = from;
    this.to = to;
    this.pixel = Math.max(1.0, (double) (to - from) / pixels);
  }

  Tile run(LaneId id) {
    if (timeline.size(lane) > 0 && to > from) {
      int k = Math.max(0, timeline.at(lane, from));
      long t = Math.max(from, timeline.start(lane, k));
      long stop = Math.min(to, timeline.end(lane));
      while (t < stop) {
        long e = timeline.end(lane, k);
        if (e <= t) {
          k++;
        } else if (e - timeline.start(lane, k) >= pixel) {
          exact(k, t, Math.min(e, stop));
          t = e;
          k++;
        } else {
          t = merged(k, t, stop);
          k = timeline.before(lane, t + 1, k);
        }
      }
    }
    return new Tile(
        id,
        from,
        to,
        size,
        Arrays.copyOf(start, size),
        Arrays.copyOf(end, size),
        Arrays.copyOf(state, size),
        Arrays.copyOf(busy, size),
        Arrays.copyOf(count, size),
        Arrays.copyOf(g, size),
        Arrays.copyOf(reason, size));
  }

  private void exact(int k, long s, long e) {
    int st = timeline.state(lane, k);
    if (st != Timeline.NONE) {
      boolean works = SpanState.of(st).busy();
      add(s, e, st, works ? 255 : 0, 1, k);
    }
  }

  /** Merges from span {@code k} at {@code t} on; where the piece ends. */
  private long merged(int k, long t, long stop) {
    long border = from + (long) Math.ceil((Math.floor((t - from) / pixel) + 1) * pixel);
    border = Math.min(stop, Math.max(t + 1, border));
    int last = timeline.before(lane, border, k);
    if (last > k && timeline.end(lane, last) - timeline.start(lane, last) >= pixel) {
      border = timeline.start(lane, last);
      last--;
    }
    Arrays.fill(sums, 0);
    timeline.durations(lane, k, last, t, border, sums, few);
    sums[Timeline.NONE] = 0;
    int dominant = 0;
    long working = 0;
    for (int s = 1; s < sums.length; s++) {
      if (sums[s] > sums[dominant]) {
        dominant = s;
      }
      if (SpanState.of(s).busy()) {
        working += sums[s];
      }
    }
    if (sums[dominant] > 0) {
      int name = timeline.summaries().longest(lane, k, last + 1, few);
      int share = (int) (255 * working / (border - t));
      add(t, border, dominant, share == 0 && working > 0 ? 1 : share, last + 1 - k, name);
    }
    return border;
  }

  private void add(long s, long e, int st, int share, int n, int name) {
    if (size == start.length) {
      grow();
    }
    start[size] = s;
    end[size] = e;
    state[size] = (byte) st;
    busy[size] = (byte) share;
    count[size] = n;
    g[size] = name < 0 ? -1 : goroutines.id(timeline.goroutine(lane, name));
    reason[size] = name < 0 ? 0 : timeline.reason(lane, name);
    size++;
  }

  private void grow() {
    int n = size * 2;
    start = Arrays.copyOf(start, n);
    end = Arrays.copyOf(end, n);
    state = Arrays.copyOf(state, n);
    busy = Arrays.copyOf(busy, n);
    count = Arrays.copyOf(count, n);
    g = Arrays.copyOf(g, n);
    reason = Arrays.copyOf(reason, n);
  }
}
