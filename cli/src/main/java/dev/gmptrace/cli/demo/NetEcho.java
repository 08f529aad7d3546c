package dev.gmptrace.cli.demo;

import dev.gmptrace.runtime.Go;
import dev.gmptrace.runtime.WaitGroup;
import dev.gmptrace.runtime.net.Conn;
import dev.gmptrace.runtime.net.Listener;
import dev.gmptrace.runtime.net.Net;
import dev.gmptrace.runtime.net.NetException;
import java.time.Duration;

/** An echo server and eight clients: a goroutine that waits for the network holds no thread. */
final class NetEcho implements Workload {
  private static final int CLIENTS = 8;
  private static final int MESSAGE = 64;

  @Override
  public void run(Stopwatch time) {
    try (Listener listener = Net.listen("localhost:0")) {
      Go.go(() -> serve(listener));
      WaitGroup clients = new WaitGroup();
      long[] echoes = new long[CLIENTS];
      for (int i = 0; i < CLIENTS; i++) {
        int client = i;
        clients.go(() -> echoes[client] = talk(listener.address(), time));
      }
      clients.await();
      long sum = 0;
      for (long n : echoes) {
        sum += n;
      }
      Report.line("%d echoes for %d clients".formatted(sum, CLIENTS));
    }
  }

  private static void serve(Listener listener) {
    try {
      while (true) {
        Conn conn = listener.accept();
        Go.go("echo", () -> echo(conn));
      }
    } catch (NetException e) {
      // The listener was closed: the demonstration is over.
    }
  }

  private static void echo(Conn conn) {
    try (conn) {
      byte[] buffer = new byte[MESSAGE];
      for (int n = conn.read(buffer); n > 0; n = conn.read(buffer)) {
        conn.write(buffer, 0, n);
      }
    }
  }

  private static long talk(String address, Stopwatch time) {
    long echoes = 0;
    try (Conn conn = Net.dial(address)) {
      byte[] message = new byte[MESSAGE];
      while (time.running()) {
        conn.write(message);
        for (int got = 0; got < MESSAGE; ) {
          int n = conn.read(message, got, MESSAGE - got);
          if (n < 0) {
            throw new IllegalStateException("the server closed the connection");
          }
          got += n;
        }
        echoes++;
        if (echoes % 100 == 0) {
          Go.sleep(Duration.ofMillis(2));
        }
      }
    }
    return echoes;
  }
}
