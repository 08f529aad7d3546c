package dev.gmptrace.bench.workload;

import io.javalin.Javalin;
import io.javalin.http.Context;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/**
 * {@link Workload#WEB}: a Javalin service whose requests run on an executor of virtual threads, and
 * clients on plain java.net sockets in the same process. It is started once; a run is so many
 * requests.
 */
final class WebService {
  private static final byte[] GET = "GET /orders/".getBytes(StandardCharsets.US_ASCII);

  private final Javalin server;

  WebService(Executor requests) {
    var threads = new QueuedThreadPool(16, 4);
    threads.setDaemon(true);
    threads.setVirtualThreadsExecutor(requests);
    server =
        Javalin.create(
                config -> {
                  config.startup.showJavalinBanner = false;
                  config.startup.showOldJavalinVersionWarning = false;
                  config.startup.startupWatcherEnabled = false;
                  config.jetty.threadPool = threads;
                  config.routes.get("/orders/{id}", WebService::order);
                })
            .start("localhost", 0);
  }

  /** A page of JSON, some hundred bytes. */
  private static void order(Context ctx) {
    int id = Integer.parseInt(ctx.pathParam("id"));
    var json = new StringBuilder(600).append("{\"id\":").append(id).append(",\"items\":[");
    for (int i = 0; i < 12; i++) {
      json.append(i == 0 ? "" : ",")
          .append("{\"sku\":\"")
          .append(Integer.toHexString(id * 31 + i))
          .append("\",\"count\":")
          .append(i)
          .append('}');
    }
    ctx.contentType("application/json").result(json.append("]}").toString());
  }

  /**
   * Asks {@code n} times over {@link Workload#CLIENTS} connections.
   *
   * @param start starts a client
   * @return how many answers came
   */
  long run(int n, Consumer<Runnable> start) throws InterruptedException {
    var answers = new AtomicLong();
    var done = new CountDownLatch(Workload.CLIENTS);
    for (int c = 0; c < Workload.CLIENTS; c++) {
      start.accept(() -> {
        try {
          answers.addAndGet(ask(server.port(), n / Workload.CLIENTS));
        } finally {
          done.countDown(); // or a broken connection would be waited for, for ever
        }
      });
    }
    done.await();
    return answers.get();
  }

  private static long ask(int port, int requests) {
    byte[] rest =
        (" HTTP/1.1\r\nHost: localhost:" + port + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII);
    try (var socket = new Socket("localhost", port);
        var in = new BufferedInputStream(socket.getInputStream())) {
      socket.setTcpNoDelay(true);
      var out = socket.getOutputStream();
      var request = new ByteArrayOutputStream(80);
      for (int i = 0; i < requests; i++) {
        request.reset();
        request.write(GET);
        request.write(Integer.toString(i).getBytes(StandardCharsets.US_ASCII));
        request.write(rest);
        request.writeTo(out);
        skipAnswer(in);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return requests;
  }

  /** Reads a head, line by line, and as many bytes as it announces. */
  private static void skipAnswer(InputStream in) throws IOException {
    int length = -1;
    var line = new StringBuilder(64);
    for (int c = in.read(); ; c = in.read()) {
      if (c < 0) {
        throw new IOException("the server closed the connection");
      }
      if (c == '\r') {
        continue;
      }
      if (c != '\n') {
        line.append((char) c);
        continue;
      }
      if (line.isEmpty()) {
        break;
      }
      String header = line.toString();
      if (header.regionMatches(true, 0, "Content-Length:", 0, 15)) {
        length = Integer.parseInt(header.substring(15).strip());
      }
      line.setLength(0);
    }
    if (length <= 0 || in.readNBytes(length).length != length) {
      throw new IOException("an answer without a body");
    }
  }
}
