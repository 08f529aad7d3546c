package dev.gmptrace.bench.worker;

import dev.gmptrace.bench.workload.GmpPeer;
import dev.gmptrace.bench.workload.JdkPeer;
import dev.gmptrace.bench.workload.JoxPeer;
import dev.gmptrace.bench.workload.Peer;
import dev.gmptrace.bench.workload.PeerId;
import dev.gmptrace.bench.workload.Workload;
import dev.gmptrace.tracer.record.Recording;
import dev.gmptrace.tracer.record.TraceTotals;
import java.nio.file.Path;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/**
 * Measures one peer at one workload:
 *
 * <pre>
 *   Worker PEER WORKLOAD PROCS OPERATIONS WARMUP_MS MIN_RUNS MAX_RUNS BUDGET_MS [FILE STACK_DEPTH]
 * </pre>
 *
 * Runs the work until the warm-up is over (see {@link #warmUp}), then measures at least MIN_RUNS
 * runs, and more, up to MAX_RUNS, while the budget lasts. Each prints one line, {@code sample
 * {"wall":…}}, in nanoseconds and bytes. A wrong result ends the process with exit code 1.
 */
public final class Worker {
  private Worker() {}

  /** Runs and prints. */
  public static void main(String[] args) throws Exception {
    if (args.length != 8 && args.length != 10) {
      fail(
          "usage: PEER WORKLOAD PROCS OPERATIONS WARMUP_MS MIN_RUNS MAX_RUNS BUDGET_MS [FILE"
              + " STACK_DEPTH]");
    }
    PeerId id = PeerId.of(args[0]);
    Workload workload = Workload.of(args[1]);
    if (id == null || workload == null || !id.has(workload)) {
      fail("no " + args[1] + " for " + args[0]);
      return;
    }
    int procs = Integer.parseInt(args[2]);
    int n = Integer.parseInt(args[3]);
    boolean traced = args.length == 10;
    Peer peer = peer(id, procs, traced ? Integer.parseInt(args[9]) : 0);

    // Traced runs are warmed up traced: the first event of a process would throw away compiled
    // code.
    Recording rehearsal = traced ? record(peer, args[8]) : null;
    warmUp(Long.parseLong(args[4]), () -> check(workload, n, peer.run(workload, n)));
    if (rehearsal != null) {
      rehearsal.stop();
    }

    int minRuns = Integer.parseInt(args[5]);
    int maxRuns = Integer.parseInt(args[6]);
    long budget = Long.parseLong(args[7]);
    Recording recording = traced ? record(peer, args[8]) : null;
    long begin = System.nanoTime();
    for (int i = 0; i < minRuns || (i < maxRuns && millisSince(begin) < budget); i++) {
      Usage before = Usage.now();
      long start = System.nanoTime();
      long result = peer.run(workload, n);
      long wall = System.nanoTime() - start;
      Usage after = Usage.now();
      check(workload, n, result);
      System.out.println(
          "sample {\"wall\":%d,\"cpu\":%d,\"alloc\":%d,\"voluntary\":%d,\"involuntary\":%d,\"maxrss\":%d,\"result\":%d}"
              .formatted(
                  wall,
                  after.cpu() - before.cpu(),
                  after.alloc() - before.alloc(),
                  after.voluntary() - before.voluntary(),
                  after.involuntary() - before.involuntary(),
                  after.maxrss(),
                  result));
    }
    if (recording != null) {
      TraceTotals totals = recording.stop();
      System.out.println(
          "trace {\"events\":%d,\"bytes\":%d,\"lost\":%d}"
              .formatted(totals.events(), totals.bytes(), totals.lostEvents()));
    }
    System.exit(0); // Some peers leave threads behind.
  }

  private static @Nullable Recording record(Peer peer, String file) {
    return peer instanceof GmpPeer gmp ? gmp.trace(Path.of(file)) : null;
  }

  private interface Run {
    void run() throws Exception;
  }

  /**
   * Until the process has used that much CPU: on a busy machine the wall clock says little about
   * how much was compiled. Work that mostly waits gets twice the time by the wall clock.
   */
  private static void warmUp(long millis, Run work) throws Exception {
    long begin = System.nanoTime();
    do {
      work.run();
    } while (Usage.now().cpu() / 1_000_000 < millis && millisSince(begin) < 2 * millis);
  }

  private static Peer peer(PeerId id, int procs, int stackDepth) {
    return switch (id) {
      case GMP -> new GmpPeer(procs, stackDepth);
      case JDK -> new JdkPeer();
      case JOX -> new JoxPeer();
      case KOTLIN -> ServiceLoader.load(Peer.class).findFirst().orElseThrow();
      case GO -> throw new IllegalArgumentException("Go has its own worker");
    };
  }

  private static long millisSince(long nanos) {
    return (System.nanoTime() - nanos) / 1_000_000;
  }

  private static void check(Workload workload, int n, long result) {
    if (result != workload.expected(n)) {
      fail(workload.id() + ": wrong result " + result + ", must be " + workload.expected(n));
    }
  }

  private static void fail(String message) {
    System.err.println("worker: " + message);
    System.exit(1);
  }
}
