package dev.gmptrace.bench.run;

import java.util.List;

/**
 * How much is spent on a measurement.
 *
 * @param name quick or full
 * @param rounds how often each process is started
 * @param procs the numbers of Ps
 * @param share of the full number of operations in one run
 * @param warmupMillis of CPU time before the first measured run of a process
 * @param minRuns measured runs of a process at least
 * @param maxRuns and at most
 * @param budgetMillis after which no run beyond the least is begun
 * @param traceEvents sizes of the traces to open
 */
public record Effort(
    String name,
    int rounds,
    List<Integer> procs,
    double share,
    int warmupMillis,
    int minRuns,
    int maxRuns,
    int budgetMillis,
    List<Long> traceEvents) {
  /** For every day: under five minutes. */
  public static Effort quick() {
    return new Effort("quick", 2, List.of(2), 0.4, 1500, 1, 5, 400, List.of(1_000_000L));
  }

  /** For the record: about an hour. */
  public static Effort full() {
    return new Effort(
        "full",
        5,
        List.of(1, 2, 4),
        1,
        2500,
        2,
        7,
        1500,
        List.of(1_000_000L, 12_000_000L, 100_000_000L));
  }

  /** The same with another number of rounds. */
  public Effort withRounds(int n) {
    return new Effort(
        name, n, procs, share, warmupMillis, minRuns, maxRuns, budgetMillis, traceEvents);
  }

  /** The same with other numbers of Ps. */
  public Effort withProcs(List<Integer> ps) {
    return new Effort(
        name, rounds, ps, share, warmupMillis, minRuns, maxRuns, budgetMillis, traceEvents);
  }

  /** The same with other numbers of runs in a process. */
  public Effort withRuns(int min, int max, int budget) {
    return new Effort(name, rounds, procs, share, warmupMillis, min, max, budget, traceEvents);
  }

  /** The same with traces of other sizes. */
  public Effort withTraceEvents(List<Long> sizes) {
    return new Effort(
        name, rounds, procs, share, warmupMillis, minRuns, maxRuns, budgetMillis, sizes);
  }
}
