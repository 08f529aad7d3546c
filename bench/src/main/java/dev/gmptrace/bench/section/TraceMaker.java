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
  /** Whose trace. */
  enum Kind {
    GO("go", PeerId.GO),
    GMP("gmp", PeerId.GMP);

    private final String id;
    private final PeerId peer;

    Kind(String id, PeerId peer) {
      this.id = id;
      this.peer = peer;
    }

    String id() {
      return id;
    }
  }

  /** A ping-pong round trip is two blocks, two unblocks, two starts. */
  private static final int EVENTS_PER_TRIP = 6;

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
    peers.record(kind.peer, Workload.PINGPONG, 2, (int) (events / EVENTS_PER_TRIP), file, results);
    return Files.exists(file) ? file : null;
  }
}
