package dev.gmptrace.bench.workload;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * {@link Workload#NETECHO} over plain java.net sockets: one task per end of each connection. The
 * first run connects; the connections and the tasks that answer stay for the next ones.
 */
final class SocketEcho {
  private final List<Socket> connections = new ArrayList<>();

  /**
   * @param start starts a task
   * @return bytes that came back
   */
  long run(int n, Consumer<Runnable> start) throws IOException, InterruptedException {
    if (connections.isEmpty()) {
      connect(start);
    }
    int trips = n / connections.size();
    AtomicLong bytes = new AtomicLong();
    CountDownLatch done = new CountDownLatch(connections.size());
    for (Socket socket : connections) {
      start.accept(() -> {
        try {
          bytes.addAndGet(call(socket, trips));
        } finally {
          done.countDown(); // or a broken connection would be waited for, for ever
        }
      });
    }
    done.await();
    return bytes.get();
  }

  private void connect(Consumer<Runnable> start) throws IOException {
    try (ServerSocket server = new ServerSocket()) {
      server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      for (int c = 0; c < Workload.CONNECTIONS; c++) {
        Socket socket = new Socket(server.getInetAddress(), server.getLocalPort());
        socket.setTcpNoDelay(true);
        connections.add(socket);
        Socket other = server.accept();
        start.accept(() -> echo(other));
      }
    }
  }

  private static void echo(Socket socket) {
    byte[] buffer = new byte[Workload.MESSAGE];
    try (socket) {
      socket.setTcpNoDelay(true);
      InputStream in = socket.getInputStream();
      OutputStream out = socket.getOutputStream();
      for (; ; ) {
        int got = in.read(buffer);
        if (got < 0) {
          return;
        }
        out.write(buffer, 0, got);
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static long call(Socket socket, int trips) {
    byte[] buffer = new byte[Workload.MESSAGE];
    long bytes = 0;
    try {
      InputStream in = socket.getInputStream();
      OutputStream out = socket.getOutputStream();
      for (int i = 0; i < trips; i++) {
        out.write(buffer);
        bytes += in.readNBytes(buffer, 0, buffer.length);
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
    return bytes;
  }
}
