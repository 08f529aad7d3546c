package dev.gmptrace.viewer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gmptrace.analyzer.index.LaneId;
import dev.gmptrace.analyzer.index.Tile;
import dev.gmptrace.analyzer.index.TimeWindow;
import dev.gmptrace.analyzer.index.Trace;
import dev.gmptrace.analyzer.stats.TaskReport;
import io.javalin.Javalin;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ViewerServerTest {
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  private static Viewer viewer;
  private static Trace trace;

  @TempDir Path directory;

  @BeforeAll
  static void start() throws Exception {
    viewer = Viewer.start(ListenAddress.loopback(), TestTraces.golden("web-go1.27.trace"));
    trace = assertInstanceOf(TraceSession.Ready.class, viewer.session().awaitReady()).trace();
  }

  @AfterAll
  static void stop() {
    viewer.close();
    HTTP.close();
  }

  private static HttpResponse<byte[]> get(URI base, String path, String... headers)
      throws IOException, InterruptedException {
    HttpRequest.Builder request = HttpRequest.newBuilder(base.resolve(path));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return HTTP.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
  }

  private static JsonNode json(String path) throws IOException, InterruptedException {
    HttpResponse<byte[]> response = get(viewer.url(), "api/v1/" + path);
    assertEquals(
        200, response.statusCode(), () -> new String(response.body(), StandardCharsets.UTF_8));
    return JSON.readTree(response.body());
  }

  @Test
  void servesThePageAndItsFilesOnly() throws Exception {
    HttpResponse<byte[]> page = get(viewer.url(), "");
    assertEquals(200, page.statusCode());
    assertTrue(new String(page.body(), StandardCharsets.UTF_8).contains("<title>gmptrace</title>"));
    assertEquals(200, get(viewer.url(), "app.js").statusCode());
    assertEquals(200, get(viewer.url(), "app.css").statusCode());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/etc/passwd",
        "/../pom.xml",
        "/%2e%2e/%2e%2e/etc/passwd",
        "/..%2f..%2fetc/passwd",
        "/web/app.js",
        "/app.js/../../pom.xml",
        "/trace.bin",
        "//etc/passwd",
        "/api/v1/../../../etc/passwd"
      })
  void servesNoPathOfTheFileSystem(String path) throws Exception {
    // By hand, because a well-behaved client would tidy the path up.
    String answer =
        raw("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    assertTrue(answer.startsWith("HTTP/1.1 40"), answer);
    assertFalse(answer.contains("root:"), answer);
  }

  @ParameterizedTest
  @ValueSource(strings = {"evil.example", "evil.example:80", "localhost.evil.example", ""})
  void refusesOtherHostNames(String host) throws Exception {
    String answer =
        raw("GET /api/v1/info HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n");
    assertTrue(answer.startsWith("HTTP/1.1 40"), answer);
    assertFalse(answer.contains("web-go1.27"), answer);
  }

  @Test
  void refusalSaysTheWayOut() throws Exception {
    String answer = raw("GET / HTTP/1.1\r\nHost: build7:6060\r\nConnection: close\r\n\r\n");
    assertTrue(answer.contains("--http build7:6060"), answer);
  }

  @ParameterizedTest
  @ValueSource(strings = {"localhost", "LOCALHOST:1", "127.0.0.1:99", "[::1]:80", "a.localhost"})
  void answersToNamesOfThisMachine(String host) throws Exception {
    String answer =
        raw("GET /api/v1/status HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n");
    assertTrue(answer.startsWith("HTTP/1.1 200"), answer);
  }

  private static String raw(String request) throws IOException {
    try (Socket socket = new Socket("localhost", viewer.url().getPort())) {
      socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
    }
  }

  @Test
  void refusesFetchesOfOtherSitesButNotLinks() throws Exception {
    assertEquals(
        403,
        get(viewer.url(), "api/v1/info", "Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "cors")
            .statusCode());
    assertEquals(
        200,
        get(viewer.url(), "", "Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate")
            .statusCode());
  }

  @Test
  void sendsNoCorsHeaderAndForbidsWhatItDoesNotNeed() throws Exception {
    HttpResponse<byte[]> response =
        get(viewer.url(), "api/v1/info", "Origin", "http://evil.example");
    assertTrue(response.headers().firstValue("Access-Control-Allow-Origin").isEmpty());
    assertEquals(
        "same-origin", response.headers().firstValue("Cross-Origin-Resource-Policy").orElse(""));
    assertTrue(
        response
            .headers()
            .firstValue("Content-Security-Policy")
            .orElse("")
            .contains("default-src 'none'"));
    assertTrue(response.headers().firstValue("Server").isEmpty());
  }

  @Test
  void compressesForThoseWhoCanReadIt() throws Exception {
    HttpResponse<byte[]> plain = get(viewer.url(), "api/v1/lanes/goroutines");
    HttpResponse<byte[]> packed =
        get(viewer.url(), "api/v1/lanes/goroutines", "Accept-Encoding", "gzip");
    assertEquals("gzip", packed.headers().firstValue("Content-Encoding").orElse(""));
    assertTrue(packed.body().length < plain.body().length);
    try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(packed.body()))) {
      assertEquals(ByteBuffer.wrap(plain.body()), ByteBuffer.wrap(in.readAllBytes()));
    }
  }

  @Test
  void saysWhatTheTraceIs() throws Exception {
    JsonNode info = json("info");
    assertEquals("web-go1.27.trace", info.get("file").asString());
    assertEquals(trace.info().events(), info.get("events").asLong());
    assertEquals(Long.toString(trace.info().wallAtZeroNs()), info.get("wallAtZeroNs").asString());
    assertEquals("RUNNING", info.get("states").get(3).get("name").asString());
  }

  @Test
  void tilesAreTheIndexsOwn() throws Exception {
    long to = trace.info().durationNs();
    byte[] body =
        get(viewer.url(), "api/v1/tiles?lanes=p:0,p:1,g:1&from=0&to=" + to + "&px=700").body();
    Decoded columns = decode(body);
    int at = 0;
    int lane = 0;
    for (LaneId id : new LaneId[] {LaneId.p(0), LaneId.p(1), LaneId.g(1)}) {
      Tile tile = trace.index().query(id, 0, to, 700);
      assertEquals(at, columns.get("offset")[lane++]);
      for (int i = 0; i < tile.size(); i++, at++) {
        assertEquals((double) tile.start()[i], columns.get("start")[at]);
        assertEquals((double) tile.end()[i], columns.get("end")[at]);
        assertEquals(tile.state()[i], columns.get("state")[at]);
        assertEquals(tile.count()[i], columns.get("count")[at]);
        assertEquals((double) tile.g()[i], columns.get("g")[at]);
      }
    }
    assertEquals(at, columns.get("offset")[3]);
    assertTrue(at > 100);
  }

  private record Decoded(Map<String, double[]> columns) {
    double[] get(String name) {
      return Objects.requireNonNull(columns.get(name), name);
    }
  }

  /** As docs/API.md describes the binary answers. */
  private static Decoded decode(byte[] body) {
    ByteBuffer in = ByteBuffer.wrap(body).order(ByteOrder.LITTLE_ENDIAN);
    assertEquals("GMT1", new String(body, 0, 4, StandardCharsets.US_ASCII));
    int length = in.getInt(4);
    JsonNode header = JSON.readTree(new String(body, 8, length, StandardCharsets.UTF_8));
    int at = (8 + length + 7) & -8;
    Map<String, double[]> columns = new HashMap<>();
    for (JsonNode column : header.get("columns")) {
      double[] values = new double[column.get("length").asInt()];
      String type = column.get("type").asString();
      int width =
          switch (type) {
            case "f64" -> 8;
            case "u8" -> 1;
            default -> 4;
          };
      for (int i = 0; i < values.length; i++) {
        int where = at + i * width;
        values[i] =
            switch (type) {
              case "f64" -> in.getDouble(where);
              case "u8" -> in.get(where) & 0xff;
              case "u32" -> in.getInt(where) & 0xffff_ffffL;
              default -> in.getInt(where);
            };
      }
      columns.put(column.get("name").asString(), values);
      at = (at + values.length * width + 7) & -8;
    }
    assertEquals(body.length, at);
    return new Decoded(columns);
  }

  @Test
  void aRangesSumsAreTheIndexsOwn() throws Exception {
    JsonNode selection = json("select?from=1000000&to=30000000");
    var expected =
        trace
            .index()
            .select(1_000_000, 30_000_000, dev.gmptrace.analyzer.index.GoroutineFilter.all());
    assertEquals(expected.wakes(), selection.get("wakes").asLong());
    assertEquals(expected.schedLatency().p99(), selection.get("schedLatency").get("p99").asLong());
    assertEquals(
        expected.gTimeByState()[dev.gmptrace.analyzer.model.SpanState.RUNNING.code()],
        selection.get("gTimeByState").get("RUNNING").asLong());
  }

  @Test
  void aWindowBeyondAllTimeIsTheWholeTrace() throws Exception {
    String all = "from=" + Long.MIN_VALUE + "&to=" + Long.MAX_VALUE;
    Decoded tiles = decode(get(viewer.url(), "api/v1/tiles?lanes=p:0&px=100&" + all).body());
    assertTrue(tiles.get("offset")[1] > 0);
    assertEquals(json("select").get("wakes").asLong(), json("select?" + all).get("wakes").asLong());
    for (String path : new String[] {"arrows?limit=1&", "logs?", "points?px=3&", "ranges?"}) {
      assertEquals(200, get(viewer.url(), "api/v1/" + path + all).statusCode(), path);
    }
    assertEquals(200, get(viewer.url(), "api/v1/span?lane=p:0&at=" + Long.MAX_VALUE).statusCode());
  }

  @Test
  void everyAddressOfTheApiAnswers() throws Exception {
    for (String path :
        new String[] {
          "lanes?kind=p",
          "lanes?kind=m",
          "lanes?kind=r",
          "lanes?kind=t",
          "logs",
          "span?lane=p:0&at=10000000",
          "arrows?limit=5",
          "ranges",
          "search?q=main",
          "events?limit=10",
          "stats",
          "scheduler?buckets=5",
          "goroutines",
          "goroutines?group=main.main",
          "goroutines/list?order=RUNNING&desc=true&limit=3",
          "goroutines/1",
          "profile?type=sync",
          "profile?type=sched&from=1000000&to=20000000",
          "tasks",
          "regions",
          "mmu",
          "findings",
          "schedtrace?step=1000000",
          "schedtrace?step=10000000&detail=1"
        }) {
      json(path);
    }
    for (String path :
        new String[] {"counters?names=g.running&px=50", "points?kinds=LOG", "heatmap?columns=20"}) {
      assertFalse(decode(get(viewer.url(), "api/v1/" + path).body()).columns().isEmpty());
    }
  }

  @Test
  void reportsAreOfTheWindow() throws Exception {
    TimeWindow part = new TimeWindow(10_000_000, 20_000_000);
    String window = "from=10000000&to=20000000";
    JsonNode tasks = json("tasks?" + window);
    JsonNode regions = json("regions?limit=3&order=START&desc=no&" + window);
    TaskReport expected =
        TaskReport.of(
            trace, new TaskReport.Filter("", 0, Long.MAX_VALUE, "", part, Integer.MAX_VALUE));
    assertEquals(expected.tasks().size(), tasks.get("total").asInt());
    assertEquals(
        expected.types().get(0).latency().p99(),
        tasks.get("types").get(0).get("latency").get("p99").asLong());
    assertEquals(3, regions.get("regions").size());
    assertTrue(regions.get("total").asInt() > 3);
    long first = regions.get("regions").get(0).get("start").asLong();
    assertTrue(first <= regions.get("regions").get(2).get("start").asLong());
    JsonNode main = json("goroutines/1?" + window);
    long inside = 0;
    for (JsonNode ns : main.get("byState")) {
      inside += ns.asLong();
    }
    assertEquals(part.to() - part.from(), inside);
  }

  @Test
  void rangesAreSummedWholeAndSortedBeforeTheyAreCut() throws Exception {
    JsonNode all = json("ranges?limit=10000");
    JsonNode longest = json("ranges?limit=2&order=DURATION&desc=yes");
    long max = 0;
    for (JsonNode range : all.get("ranges")) {
      max = Math.max(max, range.get("end").asLong() - range.get("start").asLong());
    }
    JsonNode first = longest.get("ranges").get(0);
    assertEquals(max, first.get("end").asLong() - first.get("start").asLong());
    assertEquals(all.get("ranges").size(), longest.get("total").asInt());
    assertEquals(all.get("sums"), longest.get("sums"));
  }

  @Test
  void eventsGoOnWhereThePageBeforeEnded() throws Exception {
    JsonNode two = json("events?limit=20");
    JsonNode one = json("events?limit=10");
    JsonNode other = json("events?limit=10&after=" + one.get("next").asString());
    assertEquals(two.get("rows").get(10), other.get("rows").get(0));
    assertEquals(two.get("next"), other.get("next"));
  }

  @Test
  void profilesCanBeTakenAway() throws Exception {
    byte[] pprof = get(viewer.url(), "api/v1/profile.pb.gz?type=sync").body();
    assertEquals(0x1f, pprof[0] & 0xff, "pprof files are gzip");
    String folded =
        new String(
            get(viewer.url(), "api/v1/profile.folded?type=sync").body(), StandardCharsets.UTF_8);
    assertTrue(folded.contains("sync.(*Mutex).Lock"), folded);
  }

  @Test
  void anUnknownGoroutineIsNotFound() throws Exception {
    assertEquals(404, get(viewer.url(), "api/v1/goroutines/987654321").statusCode());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "goroutines/abc",
        "profile?type=heap",
        "tiles?lanes=x:1",
        "tiles?lanes=p:0&from=abc",
        "tiles?lanes=p:0&from=10&to=5",
        "lanes?kind=q",
        "lanes",
        "span?at=1",
        "points?kinds=NOPE",
        "events?after=here",
        "tasks?order=size",
        "lanes/goroutines?order=sideways"
      })
  void bizarreQuestionsGetASentence(String path) throws Exception {
    HttpResponse<byte[]> response = get(viewer.url(), "api/v1/" + path);
    assertEquals(400, response.statusCode());
    assertTrue(JSON.readTree(response.body()).get("error").asString().length() > 10);
  }

  @Test
  void anAddressThatDoesNotExistGetsASentence() throws Exception {
    for (String path : new String[] {"api/v1/nope", "api/v2/info"}) {
      HttpResponse<byte[]> response = get(viewer.url(), path);
      assertEquals(404, response.statusCode());
      assertTrue(JSON.readTree(response.body()).get("error").asString().contains(path));
    }
  }

  @Test
  void whoRefusesGzipDoesNotGetIt() throws Exception {
    for (String accepted : new String[] {"gzip;q=0", "identity, gzip; q=0.0", "br"}) {
      HttpResponse<byte[]> response =
          get(viewer.url(), "api/v1/lanes/goroutines", "Accept-Encoding", accepted);
      assertEquals("", response.headers().firstValue("Content-Encoding").orElse(""), accepted);
    }
  }

  @Test
  void logsAreMarksOnTheLanesOfTheirTasks() throws Exception {
    JsonNode logs = json("logs?limit=5000");
    assertEquals(trace.model().annotations().logs(), logs.get("total").asInt());
    assertEquals(logs.get("total").asInt(), logs.get("logs").size());
    for (JsonNode log : logs.get("logs")) {
      LaneId lane = trace.index().taskLane(log.get("task").asLong());
      assertEquals(lane == null ? "null" : lane.toString(), log.get("lane").asString("null"));
    }
    JsonNode few = json("logs?limit=1");
    assertTrue(few.get("truncated").asBoolean());
    assertEquals(0, few.get("logs").size());
  }

  @Test
  void aLaneThatDoesNotExistIsEmpty() throws Exception {
    byte[] body = get(viewer.url(), "api/v1/tiles?lanes=g:999999&px=10").body();
    assertEquals(0, decode(body).get("start").length);
  }

  @Test
  void thePageIsThereWhileTheTraceIsBeingRead() throws Exception {
    CompletableFuture<Trace> file = new CompletableFuture<>();
    try (Viewer other = Viewer.start(ListenAddress.loopback(), TraceSession.reading(file::join))) {
      assertEquals(200, get(other.url(), "").statusCode());
      JsonNode status = JSON.readTree(get(other.url(), "api/v1/status").body());
      assertEquals("reading", status.get("state").asString());
      assertEquals(503, get(other.url(), "api/v1/info").statusCode());
      file.complete(trace);
      other.session().awaitReady();
      assertEquals(200, get(other.url(), "api/v1/info").statusCode());
    }
  }

  @Test
  void aFileThatIsNoTraceSaysSo() throws Exception {
    Path text = Files.writeString(directory.resolve("notes.txt"), "this is no trace");
    try (Viewer other = Viewer.start(ListenAddress.loopback(), text)) {
      TraceSession.Failed failed =
          assertInstanceOf(TraceSession.Failed.class, other.session().awaitReady());
      JsonNode status = JSON.readTree(get(other.url(), "api/v1/status").body());
      assertEquals("failed", status.get("state").asString());
      assertEquals(failed.message(), status.get("error").asString());
      // The page has been told, so whoever serves it need not wait for that any longer.
      other.session().awaitTold(true, Duration.ofDays(1));
      assertEquals(503, get(other.url(), "api/v1/info").statusCode());
    }
  }

  @Test
  void saysWhichPortIsTaken() {
    ListenAddress taken = new ListenAddress("localhost", viewer.url().getPort());
    IllegalStateException refused =
        assertThrows(
            IllegalStateException.class,
            () -> Viewer.start(taken, TestTraces.golden("web-go1.27.trace")));
    assertTrue(String.valueOf(refused.getMessage()).contains(":" + taken.port()));
  }

  @Test
  void canLiveInsideAnotherServer() throws Exception {
    Javalin host =
        Javalin.create(config -> {
          config.startup.showJavalinBanner = false;
          config.routes.get("/hello", ctx -> ctx.result("hello"));
          Viewer.addTo(config, "/debug/trace", TraceSession.of(trace));
        });
    try {
      host.start("localhost", 0);
      URI base = URI.create("http://localhost:" + host.port() + "/");
      assertEquals(200, get(base, "hello").statusCode());
      assertNull(get(base, "hello").headers().firstValue("Content-Security-Policy").orElse(null));
      assertEquals(200, get(base, "debug/trace/").statusCode());
      assertEquals(302, get(base, "debug/trace").statusCode());
      assertEquals(200, get(base, "debug/trace/app.js").statusCode());
      assertEquals(200, get(base, "debug/trace/api/v1/info").statusCode());
    } finally {
      host.stop();
    }
  }

  @Test
  void closingStopsListening() throws Exception {
    Viewer other = Viewer.start(ListenAddress.loopback(), TestTraces.golden("idle-go1.26.trace"));
    other.session().awaitReady();
    other.close();
    other.join();
    assertThrows(IOException.class, () -> new Socket("localhost", other.url().getPort()).close());
  }
}
