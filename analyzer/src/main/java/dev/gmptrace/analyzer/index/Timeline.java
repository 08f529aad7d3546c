package dev.gmptrace.analyzer.index;

import dev.gmptrace.analyzer.model.SpanState;

/**
 * The lanes of one kind, each a gapless sequence of spans: a span ends where the next one begins.
 * Lanes are dense indexes here.
 */
abstract class Timeline {
  static final int NONE = SpanState.NONE.code();

  private final Summaries summaries;

  Timeline() {
    this.summaries = new Summaries(this);
  }

  abstract int lanes();

  /** Number of spans of a lane. */
  abstract int size(int lane);

  /** When span {@code k} begins; rises with {@code k}. */
  abstract long start(int lane, int k);

  /** State code of span {@code k}. */
  abstract int state(int lane, int k);

  /** The states that occur in any lane, a bit for each {@link SpanState#code}. */
  abstract int states();

  /** Goroutine (dense index) of span {@code k}, or -1. */
  abstract int goroutine(int lane, int k);

  /** String id (see {@link TraceIndex#string}) of why span {@code k} is, 0 when there is none. */
  abstract int reason(int lane, int k);

  /** Where the lane's last span ends. */
  abstract long end(int lane);

  /** How far the neighbours of a span are: 2 where every other span is the nothing between. */
  int distance() {
    return 1;
  }

  /**
   * Starts and states of {@code n} spans from {@code k} on: what {@link #start} and {@link #state}
   * say of each, for less.
   */
  void read(int lane, int k, int n, long[] starts, int[] states) {
    for (int i = 0; i < n; i++) {
      starts[i] = start(lane, k + i);
      states[i] = state(lane, k + i);
    }
  }

  /** Whether a span in that state may give a merged piece its name. */
  boolean named(int state) {
    return state != NONE;
  }

  final long end(int lane, int k) {
    return k + 1 < size(lane) ? start(lane, k + 1) : end(lane);
  }

  final Summaries summaries() {
    return summaries;
  }

  /** The span that covers {@code time}: the last one beginning at or before it; -1 if none. */
  final int at(int lane, long time) {
    return before(lane, time + 1, 0);
  }

  /**
   * The last span beginning before {@code time}, at or after span {@code lo}; {@code lo - 1} if
   * none. Gallops from {@code lo}, so stepping through a lane is cheap.
   */
  final int before(int lane, long time, int lo) {
    int n = size(lane);
    int step = 1;
    int hi = lo;
    while (hi < n && start(lane, hi) < time) {
      lo = hi + 1;
      hi = Math.min(n, hi + step);
      step <<= 1;
      if (hi == n) {
        break;
      }
    }
    while (lo < hi) {
      int mid = (lo + hi) >>> 1;
      if (start(lane, mid) < time) {
        lo = mid + 1;
      } else {
        hi = mid;
      }
    }
    return lo - 1;
  }

  /** Adds, per state, how long the lane was in it during {@code [from, to)}. */
  final void durations(int lane, long from, long to, long[] sums) {
    int n = size(lane);
    if (n == 0 || to <= from) {
      return;
    }
    int first = Math.max(0, at(lane, from));
    int last = before(lane, to, first);
    durations(lane, first, last, from, to, sums, new Summaries.Few());
  }

  /** As above for spans {@code first} to {@code last}, which are known to touch the window. */
  final void durations(
      int lane, int first, int last, long from, long to, long[] sums, Summaries.Few few) {
    if (last < first) {
      return;
    }
    clip(lane, first, from, to, sums);
    if (last > first) {
      summaries.add(lane, first + 1, last, sums, few);
      clip(lane, last, from, to, sums);
    }
  }

  private void clip(int lane, int k, long from, long to, long[] sums) {
    long d = Math.min(to, end(lane, k)) - Math.max(from, start(lane, k));
    if (d > 0) {
      sums[state(lane, k)] += d;
    }
  }
}
