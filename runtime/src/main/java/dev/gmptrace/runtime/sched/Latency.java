package dev.gmptrace.runtime.sched;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * How long Gs wait runnable before they run: a histogram of powers of two, in nanoseconds. One
 * transition in 32 is measured.
 */
public final class Latency {
  private final AtomicLongArray buckets = new AtomicLongArray(64);

  void record(long nanos) {
    buckets.incrementAndGet(64 - Long.numberOfLeadingZeros(Math.max(nanos, 0) | 1) - 1);
  }

  /** Counts; bucket i holds latencies from 2^i to 2^(i+1) ns. */
  public long[] counts() {
    long[] n = new long[64];
    for (int i = 0; i < n.length; i++) {
      n[i] = buckets.get(i);
    }
    return n;
  }
}
