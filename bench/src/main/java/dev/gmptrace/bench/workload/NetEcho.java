package dev.gmptrace.bench.workload;

import static dev.gmptrace.runtime.Go.go;

import dev.gmptrace.runtime.WaitGroup;
import dev.gmptrace.runtime.net.Conn;
import dev.gmptrace.runtime.net.Listener;
import dev.gmptrace.runtime.net.Net;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * {@link Workload#NETECHO} on the runtime's own netpoller, as a Go program has it. The first run
 * connects; the connections and the goroutines that answer stay for the next ones.
 */
final class NetEcho {
  private final List<Conn> connections = new ArrayList<>();

  /** In a goroutine. The bytes that came back. */
  long run(int n) {
    if (connections.isEmpty()) {
      connect();
    }
    int trips = n / connections.size();
    AtomicLong bytes = new AtomicLong();
    WaitGroup callers = new WaitGroup();
    for (Conn conn : connections) {
      callers.go(() -> bytes.addAndGet(call(conn, trips)));
    }
    callers.await();
    return bytes.get();
  }

  private void connect() {
    WaitGroup accepting = new WaitGroup();
    try (Listener server = Net.listen("127.0.0.1:0")) {
      accepting.go(() -> {
        for (int c = 0; c < Workload.CONNECTIONS; c++) {
          Conn conn = server.accept();
          go(() -> echo(conn));
        }
      });
      for (int c = 0; c < Workload.CONNECTIONS; c++) {
        connections.add(Net.dial(server.address()));
      }
      accepting.await();
    }
  }

  private static void echo(Conn conn) {
    byte[] buffer = new byte[Workload.MESSAGE];
    try (conn) {
      for (int got = conn.read(buffer); got >= 0; got = conn.read(buffer)) {
        conn.write(buffer, 0, got);
      }
    }
  }

  private static long call(Conn conn, int trips) {
    byte[] buffer = new byte[Workload.MESSAGE];
    for (int i = 0; i < trips; i++) {
      conn.write(buffer);
      for (int got = 0; got < buffer.length; ) {
        int more = conn.read(buffer, got, buffer.length - got);
        if (more < 0) {
          throw new IllegalStateException("the other end closed");
        }
        got += more;
      }
    }
    return (long) trips * buffer.length;
  }
}
