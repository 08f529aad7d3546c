package dev.gmptrace.runtime;

import dev.gmptrace.runtime.sched.Sched;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * The numbers of a scheduler under the names of Go's {@code runtime/metrics}.
 *
 * @param goroutines /sched/goroutines:goroutines
 * @param created /sched/goroutines-created:goroutines
 * @param runnable /sched/goroutines/runnable:goroutines
 * @param running /sched/goroutines/running:goroutines
 * @param waiting /sched/goroutines/waiting:goroutines
 * @param syscall /sched/goroutines/not-in-go:goroutines
 * @param gomaxprocs /sched/gomaxprocs:threads
 * @param threads /sched/threads/total:threads
 * @param idleProcs Ps without work, which Go does not count
 * @param spinning Ms looking for work, which Go does not count
 * @param latencies /sched/latencies:seconds; entry i counts waits from 2^i to 2^(i+1) ns, one
 *     transition in 32
 */
public record Metrics(
    int goroutines,
    long created,
    int runnable,
    int running,
    int waiting,
    int syscall,
    int gomaxprocs,
    int threads,
    int idleProcs,
    int spinning,
    List<Long> latencies) {

  /** Keeps its own copy. */
  public Metrics {
    latencies = List.copyOf(latencies);
  }

  /** The numbers now. They are not taken at one instant. */
  public static Metrics read(Sched s) {
    int[] states = s.countStates();
    return new Metrics(
        s.numGoroutine(),
        s.goroutinesCreated(),
        states[0],
        states[1],
        states[2],
        states[3],
        s.gomaxprocs(),
        s.threadCount(),
        s.idleProcs(),
        s.spinningThreads(),
        Arrays.stream(s.latency().counts()).boxed().toList());
  }

  /**
   * How often a value fell between two bounds, as Go's {@code Float64Histogram}.
   *
   * @param counts one less than there are bounds
   * @param bounds ascending; count i is of values from bound i, inclusive, to bound i + 1
   */
  public record Histogram(List<Long> counts, List<Double> bounds) {
    static final List<Double> LATENCY_BOUNDS =
        IntStream.rangeClosed(0, 64).mapToObj(i -> i == 0 ? 0.0 : Math.scalb(1e-9, i)).toList();

    /** Keeps its own copies. */
    public Histogram {
      counts = List.copyOf(counts);
      bounds = List.copyOf(bounds);
      if (bounds.size() != counts.size() + 1) {
        throw new IllegalArgumentException(
            counts.size() + " counts with " + bounds.size() + " bounds");
      }
    }
  }

  /** The distributions by name: {@code /sched/latencies:seconds}. */
  public Map<String, Histogram> histograms() {
    return Map.of("/sched/latencies:seconds", new Histogram(latencies, Histogram.LATENCY_BOUNDS));
  }

  /** The scalar ones by name. */
  public Map<String, Long> byName() {
    Map<String, Long> m = new LinkedHashMap<>();
    m.put("/sched/gomaxprocs:threads", (long) gomaxprocs);
    m.put("/sched/goroutines:goroutines", (long) goroutines);
    m.put("/sched/goroutines-created:goroutines", created);
    m.put("/sched/goroutines/not-in-go:goroutines", (long) syscall);
    m.put("/sched/goroutines/runnable:goroutines", (long) runnable);
    m.put("/sched/goroutines/running:goroutines", (long) running);
    m.put("/sched/goroutines/waiting:goroutines", (long) waiting);
    m.put("/sched/threads/total:threads", (long) threads);
    m.put("/gmp/sched/idleprocs:threads", (long) idleProcs);
    m.put("/gmp/sched/spinning:threads", (long) spinning);
    return m;
  }
}
