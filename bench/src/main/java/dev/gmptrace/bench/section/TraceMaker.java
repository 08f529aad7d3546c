package dev.gmptrace.bench.section;

import dev.gmptrace.bench.report.Results;
import dev.gmptrace.bench.run.Peers;
import dev.gmptrace.bench.workload.PeerId;
import dev.gmptrace.bench.workload.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Records traces of about a wished number of events. */
final class TraceMaker {
  /** Whose trace, and of what. */
  enum Kind {
    /** Two goroutines; a round trip is two blocks, two unblocks, two starts. */
    GO("go", PeerId.GO, Workload.PINGPONG, 6),
    /** The same. */
    GMP("gmp", PeerId.GMP, Workload.PINGPONG, 6),
    /** A goroutine for every three events: created, started, ended. */
    GMP_MANY("gmp-many", PeerId.GMP, Workload.SPAWN, 3);

    private final String id;
    private final PeerId peer;
    private final Workload workload;
    private final int eventsPerOperation;

    Kind(String id, PeerId peer, Workload workload, int eventsPerOperation) {
      this.id = id;
      this.peer = peer;
      this.workload = workload;
      this.eventsPerOperation = eventsPerOperation;
    }

    String id() {
      return id;
    }

    PeerId peer() {
      return peer;
    }
  }

  private final Peers peers;
  private final Path directory;
  private final Results results;

  TraceMaker(Peers peers, Path directory, Results results) {
    this.peers = peers;
    this.directory = directory;
    this.results = results;
  }

  /** The file, or null when that peer is not there or the recording failed, which is noted. */
  @Nullable Path make(Kind kind, long events) throws IOException, InterruptedException {
    if (!peers.present().contains(kind.peer)) {
      return null;
    }
    Path file = directory.resolve(kind.id + "-" + events / 1_000_000 + "M.trace");
    int operations = (int) (events / kind.eventsPerOperation);
    Peers.Measured recorded = peers.record(kind.peer, kind.workload, 2, operations, file, results);
    if (recorded.samples().isEmpty()) {
      Files.deleteIfExists(file); // half a trace
      return null;
    }
    return Files.exists(file) ? file : null;
  }
}
