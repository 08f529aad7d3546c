package dev.gmptrace.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code gmptrace view} as a process: its one line, what it serves, how it ends. */
@Timeout(600)
class ViewTest {
  @TempDir Path dir;

  private static int get(HttpClient client, String url) throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(URI.create(url)).build();
    return client.send(request, BodyHandlers.discarding()).statusCode();
  }

  @Test
  void printsItsAddressOnOneLineServesAndEndsWithCtrlC() throws Exception {
    try (var view = CliProcess.gmptrace(dir, "view", "--no-open", Cli.goTrace("web-go1.27"));
        HttpClient client = HttpClient.newHttpClient()) {
      String url = view.line();
      assertTrue(url.matches("http://(localhost|127\\.0\\.0\\.1):\\d+/?"), url);
      assertEquals(200, get(client, url));
      view.interrupt();
      assertEquals(ExitCode.OK, view.await(), view.err());
      assertEquals(null, view.line(), "more than one line");
      assertEquals("", view.err());
    }
  }

  @Test
  void demoEndsWithItsAddressAndServesUntilCtrlC() throws Exception {
    try (var demo =
            CliProcess.gmptrace(
                dir, "demo", "steal", "--seconds", "0.2", "-o", dir.resolve("demo.bin"));
        HttpClient client = HttpClient.newHttpClient()) {
      String url = demo.line();
      while (url != null && !url.startsWith("http")) {
        url = demo.line();
      }
      assertTrue(url != null && url.matches("http://(localhost|127\\.0\\.0\\.1):\\d+/?"), url);
      assertEquals(200, get(client, url));
      demo.interrupt();
      assertEquals(ExitCode.OK, demo.await(), demo.err());
      assertEquals(null, demo.line(), "more after the address");
    }
  }

  @Test
  void listensWhereItIsTold() throws Exception {
    int port;
    try (var free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    try (var view =
            CliProcess.gmptrace(
                dir, "view", "--no-open", "--http", ":" + port, Cli.goTrace("leak-go1.22"));
        HttpClient client = HttpClient.newHttpClient()) {
      String url = view.line();
      assertTrue(url.contains(":" + port), url);
      assertEquals(200, get(client, url));
    }
  }

  @Test
  void aPortThatIsTakenIsNamedInOneLine() throws Exception {
    try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String where = "127.0.0.1:" + taken.getLocalPort();
      try (var view =
          CliProcess.gmptrace(
              dir, "view", "--no-open", "--http", where, Cli.goTrace("leak-go1.22"))) {
        assertEquals(ExitCode.USAGE, view.await(), view.err());
        assertEquals(null, view.line());
        assertEquals(
            "gmptrace view: Cannot listen on "
                + where
                + ": Address already in use; without --http a free port is taken\n",
            view.err());
      }
    }
  }
}
