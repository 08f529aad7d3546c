package dev.gmptrace.analyzer.index;

import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * A distribution of durations in nanoseconds. Percentiles come from an HdrHistogram of three
 * significant digits; count, total, min and max are exact.
 *
 * @param histogram buckets of doubling width, empty ones left out
 */
public record Latency(
    long count,
    long total,
    long min,
    long p50,
    long p90,
    long p99,
    long p999,
    long max,
    double mean,
    List<Bucket> histogram) {

  /** How many durations were in {@code [from, to)}. */
  public record Bucket(long from, long to, long count) {}

  /** No durations at all. */
  public static final Latency EMPTY = new Latency(0, 0, 0, 0, 0, 0, 0, 0, 0, List.of());

  /** Collects durations. */
  public static final class Recorder {
    private static final int DIGITS = 3;
    private static final long HIGHEST = 1L << 61;
    private final Histogram histogram = new Histogram(1, 1000, DIGITS);
    private final long[] buckets = new long[64];
    private long count;
    private long total;
    private long min = Long.MAX_VALUE;
    private long max;

    /** An empty one. */
    public Recorder() {
      histogram.setAutoResize(true);
    }

    /** Counts a duration. */
    public void add(long ns) {
      long v = Math.max(0, ns);
      histogram.recordValue(Math.min(v, HIGHEST));
      buckets[64 - Long.numberOfLeadingZeros(v)]++;
      count++;
      total += v;
      min = Math.min(min, v);
      max = Math.max(max, v);
    }

    /** How many so far. */
    public long count() {
      return count;
    }

    /** What was collected. */
    public Latency get() {
      if (count == 0) {
        return EMPTY;
      }
      List<Bucket> list = new ArrayList<>();
      for (int b = 0; b < buckets.length; b++) {
        if (buckets[b] > 0) {
          list.add(new Bucket(b == 0 ? 0 : 1L << (b - 1), b == 0 ? 1 : 1L << b, buckets[b]));
        }
      }
      return new Latency(
          count, total, min, at(50), at(90), at(99), at(99.9), max, (double) total / count, list);
    }

    private long at(double percentile) {
      return Math.min(max, Math.max(min, histogram.getValueAtPercentile(percentile)));
    }
  }
}
