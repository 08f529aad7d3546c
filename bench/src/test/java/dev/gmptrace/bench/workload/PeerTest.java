package dev.gmptrace.bench.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Every peer of this class path does every workload it claims, and gets the right answer. */
class PeerTest {
  @TestFactory
  Stream<DynamicTest> everyPeerDoesItsWork() {
    Map<PeerId, Peer> peers =
        Map.of(PeerId.GMP, new GmpPeer(2), PeerId.JDK, new JdkPeer(), PeerId.JOX, new JoxPeer());
    return Stream.of(Workload.values())
        .filter(w -> !List.of(Workload.SKYNET, Workload.SIEVE).contains(w)) // always full size
        .flatMap(w ->
            peers.entrySet().stream()
                .filter(p -> p.getKey().has(w))
                .map(p ->
                    DynamicTest.dynamicTest(
                        p.getKey().id() + " " + w.id(), () -> check(p.getValue(), w))));
  }

  private static void check(Peer peer, Workload workload) {
    // A hundred thousand timers at once are a measurement, not a test.
    int n = workload == Workload.TIMERS ? 1000 : workload.scaled(0.01);
    // A task that was lost is a hang; twice, for some work keeps its connections for the next run.
    assertTimeoutPreemptively(
        Duration.ofMinutes(2),
        () -> {
          assertEquals(workload.expected(n), peer.run(workload, n));
          assertEquals(workload.expected(n), peer.run(workload, n));
        });
  }
}
