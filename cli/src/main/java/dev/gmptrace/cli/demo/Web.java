package dev.gmptrace.cli.demo;

import dev.gmptrace.runtime.Go;
import dev.gmptrace.runtime.Trace;
import dev.gmptrace.runtime.WaitGroup;
import io.javalin.Javalin;
import io.javalin.http.Context;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/**
 * A small Javalin service whose requests are goroutines, and eight clients on plain {@code
 * java.net} sockets, goroutines too. Nothing of Jetty or of the JDK knows that its virtual threads
 * run on another scheduler.
 */
final class Web implements Workload {
  private static final int CLIENTS = 8;

  @Override
  public void run(Stopwatch time) {
    var threads = new QueuedThreadPool(16, 4);
    threads.setDaemon(true);
    threads.setVirtualThreadsExecutor(Go.newExecutor());
    Javalin server =
        Javalin.create(
                config -> {
                  config.startup.showJavalinBanner = false;
                  config.startup.showOldJavalinVersionWarning = false;
                  config.startup.startupWatcherEnabled = false;
                  config.jetty.threadPool = threads;
                  config.routes.get("/order/{id}", Web::order);
                })
            .start("localhost", 0);
    try {
      // The time to start a server is not part of the show.
      Stopwatch show = time.share(1);
      WaitGroup clients = new WaitGroup();
      long[] answers = new long[CLIENTS];
      for (int i = 0; i < CLIENTS; i++) {
        int client = i;
        clients.go(() -> answers[client] = load(server.port(), show));
      }
      clients.await();
      long sum = 0;
      for (long n : answers) {
        sum += n;
      }
      Report.line("%d requests by %d clients".formatted(sum, CLIENTS));
    } finally {
      server.stop();
    }
  }

  private static void order(Context ctx) {
    try (var request = Trace.task("request")) {
      try (var _ = request.region("lookup")) {
        Go.sleep(Duration.ofMillis(1));
      }
      try (var _ = request.region("render")) {
        Work.spin(150);
      }
      ctx.result("order " + ctx.pathParam("id") + "\n");
    }
  }

  /** Asks over one connection until time is up; returns how many answers came. */
  private static long load(int port, Stopwatch time) {
    long answers = 0;
    try (var socket = new Socket("localhost", port);
        var in = new BufferedInputStream(socket.getInputStream())) {
      while (time.running()) {
        String request =
            "GET /order/" + answers + " HTTP/1.1\r\nHost: localhost:" + port + "\r\n\r\n";
        socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        if (!readAnswer(in)) {
          throw new IllegalStateException("the server closed the connection");
        }
        answers++;
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return answers;
  }

  /** Reads a head and as many bytes as it announces. */
  private static boolean readAnswer(InputStream in) throws IOException {
    int length = 0;
    for (String line = readLine(in); !line.isEmpty(); line = readLine(in)) {
      if (line.regionMatches(true, 0, "Content-Length:", 0, 15)) {
        length = Integer.parseInt(line.substring(15).strip());
      }
    }
    return in.readNBytes(length).length == length && length > 0;
  }

  private static String readLine(InputStream in) throws IOException {
    var line = new StringBuilder();
    for (int c = in.read(); c >= 0 && c != '\n'; c = in.read()) {
      if (c != '\r') {
        line.append((char) c);
      }
    }
    return line.toString();
  }
}
