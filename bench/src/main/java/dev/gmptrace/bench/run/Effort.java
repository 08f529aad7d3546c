package dev.gmptrace.bench.run;

import dev.gmptrace.bench.workload.PeerId;
import dev.gmptrace.bench.workload.Workload;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * How much is spent on a measurement.
 *
 * @param name quick or full
 * @param rounds how often each process is started
 * @param procs the numbers of Ps
 * @param runs of one process
 * @param traceEvents sizes of the traces to open
 * @param peers who is measured
 * @param scheduled the scheduler's workloads
 * @param traced those that are traced
 */
public record Effort(
    String name,
    int rounds,
    List<Integer> procs,
    Runs runs,
    List<Long> traceEvents,
    Set<PeerId> peers,
    List<Workload> scheduled,
    List<Workload> traced) {

  /**
   * What one process does.
   *
   * @param share of the full number of operations in one run
   * @param warmupMillis of CPU time before the first measured run
   * @param min measured runs at least
   * @param max and at most
   * @param budgetMillis after which no run beyond the least is begun
   */
  public record Runs(double share, int warmupMillis, int min, int max, int budgetMillis) {}

  /** Workloads with a budget; the others are for the full mode, or to be asked for. */
  private static final List<Workload> EVERY_DAY =
      List.of(
          Workload.PINGPONG,
          Workload.SPAWN,
          Workload.SKYNET,
          Workload.SIEVE,
          Workload.YIELD,
          Workload.MUTEX,
          Workload.SELECT);

  /** For every day: under five minutes. */
  public static Effort quick() {
    return new Effort(
        "quick",
        3,
        List.of(2),
        new Runs(0.4, 1200, 1, 4, 300),
        List.of(1_000_000L),
        EnumSet.of(PeerId.GMP, PeerId.JDK, PeerId.GO),
        EVERY_DAY,
        List.of(Workload.PINGPONG, Workload.SPAWN, Workload.WEB));
  }

  /** For the record: about fifty minutes. */
  public static Effort full() {
    return new Effort(
        "full",
        3,
        List.of(1, 2, 4),
        new Runs(0.5, 2000, 2, 6, 700),
        List.of(1_000_000L, 12_000_000L, 100_000_000L),
        EnumSet.allOf(PeerId.class),
        List.of(Workload.values()),
        List.of(Workload.values()).stream().filter(Workload::makesEvents).toList());
  }

  /** The same with another number of rounds. */
  public Effort withRounds(int n) {
    return new Effort(name, n, procs, runs, traceEvents, peers, scheduled, traced);
  }

  /** The same with other numbers of Ps. */
  public Effort withProcs(List<Integer> ps) {
    return new Effort(name, rounds, ps, runs, traceEvents, peers, scheduled, traced);
  }

  /** The same with one run in a process. */
  public Effort once() {
    Runs one = new Runs(runs.share, runs.warmupMillis, 1, 1, 1);
    return new Effort(name, rounds, procs, one, traceEvents, peers, scheduled, traced);
  }

  /** The same with traces of other sizes. */
  public Effort withTraceEvents(List<Long> sizes) {
    return new Effort(name, rounds, procs, runs, sizes, peers, scheduled, traced);
  }

  /** The same with other peers. */
  public Effort withPeers(Set<PeerId> ids) {
    return new Effort(name, rounds, procs, runs, traceEvents, ids, scheduled, traced);
  }

  /** The same with these workloads; traced are those of them that make events. */
  public Effort withWorkloads(List<Workload> ws) {
    List<Workload> eventful = ws.stream().filter(Workload::makesEvents).toList();
    return new Effort(name, rounds, procs, runs, traceEvents, peers, ws, eventful);
  }
}
