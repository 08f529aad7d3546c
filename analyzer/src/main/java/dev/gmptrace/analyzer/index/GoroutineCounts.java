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
      // The value before the block counts too: whoever asks for the block comes from there.
      System.arraycopy(value, 0, before, b * KINDS, KINDS);
      System.arraycopy(value, 0, least, b * KINDS, KINDS);
      System.arraycopy(value, 0, greatest, b * KINDS, KINDS);
      int stop = Math.min(log.size(), (b + 1) << SHIFT);
      for (int i = b << SHIFT; i < stop; i++) {
        int states = log.bothStates(i);
        int was = was(i, states);
        int now = COUNTS[states & 15];
        for (int moved = was ^ now; moved != 0; moved &= moved - 1) {
          int c = Integer.numberOfTrailingZeros(moved);
          value[c] += (now >> c & 1) - (was >> c & 1);
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
   * The counters a goroutine counted for before change {@code i}. One that is first heard of was
   * not counted yet; its old state is none or unknown then.
   */
  private int was(int i, int states) {
    int old = states >> 4;
    return old == SpanState.UNKNOWN.code() && log.rank(i) == 0 ? 0 : COUNTS[old];
  }

  /** By how much change {@code i} moves a counter. */
  private int step(int i, int counter) {
    int states = log.bothStates(i);
    return (COUNTS[states & 15] >> counter & 1) - (was(i, states) >> counter & 1);
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
