package dev.gmptrace.bench.workload;

import static dev.gmptrace.runtime.Go.go;

import dev.gmptrace.runtime.WaitGroup;
import dev.gmptrace.runtime.net.Conn;
import dev.gmptrace.runtime.net.Listener;
import dev.gmptrace.runtime.net.Net;
import java.util.concurrent.atomic.AtomicLong;

/** {@link Workload#NETECHO} on the runtime's own netpoller, as a Go program has it. */
final class NetEcho {
  private NetEcho() {}

  /** In a goroutine. The bytes that came back. */
  static long run(int n) {
    int connections = Workload.CONNECTIONS;
    int trips = n / connections;
    AtomicLong bytes = new AtomicLong();
    WaitGroup callers = new WaitGroup();
    try (Listener server = Net.listen("127.0.0.1:0")) {
      go(() -> {
        for (int c = 0; c < connections; c++) {
          Conn conn = server.accept();
          go(() -> echo(conn));
        }
      });
      for (int c = 0; c < connections; c++) {
        callers.go(() -> bytes.addAndGet(call(server.address(), trips)));
      }
      callers.await();
    }
    return bytes.get();
  }

  private static void echo(Conn conn) {
    byte[] buffer = new byte[Workload.MESSAGE];
    try (conn) {
      for (int got = conn.read(buffer); got >= 0; got = conn.read(buffer)) {
        conn.write(buffer, 0, got);
      }
    }
  }

  private static long call(String address, int trips) {
    byte[] buffer = new byte[Workload.MESSAGE];
    long bytes = 0;
    try (Conn conn = Net.dial(address)) {
      for (int i = 0; i < trips; i++) {
        conn.write(buffer);
        for (int got = 0; got < buffer.length; ) {
          int more = conn.read(buffer, got, buffer.length - got);
          if (more < 0) {
            throw new IllegalStateException("the other end closed");
          }
          got += more;
        }
        bytes += buffer.length;
      }
    }
    return bytes;
  }
}
