package dev.gmptrace.analyzer.read;

import java.util.Arrays;
import java.util.Comparator;

/** The CPU profile samples of a generation, by time: {@code {time, m, p, g, stack, offset}}. */
final class CpuSamples {
  static final int TIME = 0;
  static final int THREAD = 1;
  static final int PROC = 2;
  static final int GOROUTINE = 3;
  static final int STACK = 4;
  static final int OFFSET = 5;

  private static final long[][] NONE = {};

  private long[][] samples = NONE;
  private int count;

  void add(long ticks, long m, long p, long g, long stack, long offset) {
    if (count == samples.length) {
      samples = Arrays.copyOf(samples, Math.max(8, count * 2));
    }
    samples[count++] = new long[] {ticks, m, p, g, stack, offset};
  }

  /** Turns ticks into nanoseconds, and puts the samples in order; they come from many threads. */
  void finish(double nanosPerTick) {
    for (int i = 0; i < count; i++) {
      samples[i][TIME] = EventStream.nanos(samples[i][TIME], nanosPerTick);
    }
    Arrays.sort(samples, 0, count, Comparator.comparingLong(s -> s[TIME]));
  }

  int count() {
    return count;
  }

  long[] get(int i) {
    return samples[i];
  }
}
