package dev.gmptrace.bench.workload;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** {@link Workload#NETECHO} over plain java.net sockets: one task per end of each connection. */
final class SocketEcho {
  private SocketEcho() {}

  /**
   * @param start starts a task
   * @return bytes that came back
   */
  static long run(int n, Consumer<Runnable> start) throws IOException, InterruptedException {
    int connections = Workload.CONNECTIONS;
    int trips = n / connections;
    AtomicLong bytes = new AtomicLong();
    CountDownLatch done = new CountDownLatch(connections);
    try (ServerSocket server = new ServerSocket()) {
      server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), connections);
      start.accept(() -> serve(server, connections, start));
      for (int c = 0; c < connections; c++) {
        start.accept(() -> {
          bytes.addAndGet(call(server.getLocalPort(), trips));
          done.countDown();
        });
      }
      done.await();
    }
    return bytes.get();
  }

  private static void serve(ServerSocket server, int connections, Consumer<Runnable> start) {
    try {
      for (int c = 0; c < connections; c++) {
        Socket socket = server.accept();
        start.accept(() -> echo(socket));
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
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

  private static long call(int port, int trips) {
    byte[] buffer = new byte[Workload.MESSAGE];
    long bytes = 0;
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setTcpNoDelay(true);
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
