package dev.gmptrace.analyzer.index;

import dev.gmptrace.analyzer.model.GoroutineLog;
import dev.gmptrace.analyzer.model.SpanState;

/**
 * How many goroutines were in which state, at any time. Kept as a checkpoint with least and
 * greatest for every {@value #BLOCK} changes; between checkpoints the log is walked.
 */
final class GoroutineCounts {
  static final int RUNNABLE = 0;
  static final int RUNNING = 1;
  static final int SYSCALL = 2;
  static final int WAITING = 3;
  static final int UNKNOWN = 4;
  static final int TOTAL = 5;
  private static final int KINDS = 6;
  private static final int BLOCK = 256;
  private static final int SHIFT = 8;

  /** Per state code a bit set of the counters it counts for. */
  private static final int[] COUNTS = new int[SpanState.COUNT];

  static {
    for (int s = 0; s < SpanState.COUNT; s++) {
      SpanState state = SpanState.of(s);
      int kind =
          state.runnable()
              ? RUNNABLE
              : state == SpanState.RUNNING
                  ? RUNNING
                  : state.syscall() ? SYSCALL : state.waiting() ? WAITING : UNKNOWN;
      COUNTS[s] = state == SpanState.NONE ? 0 : (1 << kind) | (1 << TOTAL);
    }
  }

  private final GoroutineLog log;
  private final int[] before;
  private final int[] least;
  private final int[] greatest;
  private final long[] min = new long[KINDS];
  private final long[] max = new long[KINDS];

  GoroutineCounts(GoroutineLog log) {
    this.log = log;
    int blocks = (log.size() >>> SHIFT) + 1;
    before = new int[blocks * KINDS];
    least = new int[blocks * KINDS];
    greatest = new int[blocks * KINDS];
    int[] value = new int[KINDS];
    for (int b = 0; b < blocks; b++) {
      for (int c = 0; c < KINDS; c++) {
        before[b * KINDS + c] = value[c];
        least[b * KINDS + c] = Integer.MAX_VALUE;
        greatest[b * KINDS + c] = Integer.MIN_VALUE;
      }
      int stop = Math.min(log.size(), (b + 1) << SHIFT);
      for (int i = b << SHIFT; i < stop; i++) {
        for (int c = 0; c < KINDS; c++) {
          value[c] += step(i, c);
          least[b * KINDS + c] = Math.min(least[b * KINDS + c], value[c]);
          greatest[b * KINDS + c] = Math.max(greatest[b * KINDS + c], value[c]);
        }
      }
      for (int c = 0; c < KINDS; c++) {
        min[c] = Math.min(min[c], least[b * KINDS + c]);
        max[c] = Math.max(max[c], greatest[b * KINDS + c]);
      }
    }
  }

  /**
   * By how much change {@code i} moves a counter. A first record's goroutine was not counted yet.
   */
  private int step(int i, int counter) {
    int was = log.rank(i) == 0 ? 0 : COUNTS[log.oldState(i)];
    return ((COUNTS[log.newState(i)] >> counter) & 1) - ((was >> counter) & 1);
  }

  /** The counter's value after the first {@code i} changes. */
  int after(int i, int counter) {
    int b = i >>> SHIFT;
    int v = before[b * KINDS + counter];
    for (int k = b << SHIFT; k < i; k++) {
      v += step(k, counter);
    }
    return v;
  }

  /** The counter's value at a time. */
  int at(long time, int counter) {
    return after(log.lowerBound(time + 1), counter);
  }

  long min(int counter) {
    return min[counter];
  }

  long max(int counter) {
    return max[counter];
  }

  CounterTile tile(String name, int counter, long from, long to, int pixels) {
    long[] lo = new long[pixels];
    long[] hi = new long[pixels];
    long[] last = new long[pixels];
    int i = log.lowerBound(from);
    int v = after(i, counter);
    for (int x = 0; x < pixels; x++) {
      long border = from + Math.round((double) (to - from) * (x + 1) / pixels);
      int j = log.lowerBound(border);
      int a = v;
      int z = v;
      while (i < j) {
        if ((i & (BLOCK - 1)) == 0 && i + BLOCK <= j) {
          int b = (i >>> SHIFT) * KINDS + counter;
          a = Math.min(a, least[b]);
          z = Math.max(z, greatest[b]);
          i += BLOCK;
          v = before[b + KINDS];
        } else {
          v += step(i, counter);
          a = Math.min(a, v);
          z = Math.max(z, v);
          i++;
        }
      }
      lo[x] = a;
      hi[x] = z;
      last[x] = v;
    }
    return new CounterTile(name, from, to, lo, hi, last);
  }
}
