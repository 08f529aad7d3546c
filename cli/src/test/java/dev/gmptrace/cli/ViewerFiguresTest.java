package dev.gmptrace.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.gmptrace.viewer.ListenAddress;
import dev.gmptrace.viewer.Viewer;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A range selected in the viewer and the same range on the command line have the same figures. */
class ViewerFiguresTest {
  private static final JsonMapper JSON = new JsonMapper();

  @ParameterizedTest
  @CsvSource({
    "web-go1.27, 0, 50000000",
    "web-go1.27, 7000123, 12000456",
    "blocking-go1.26, 1000, 9000000",
    "fanout-go1.22, 500000, 3000001",
    "gc-go1.25, 0, 1000000000"
  })
  void theSelectionPanelSaysWhatStatsPrints(String trace, long from, long to) throws Exception {
    Cli.Result stats =
        Cli.run("stats", "--json", "--from", from + "ns", "--to", to + "ns", Cli.goTrace(trace));
    assertEquals(0, stats.code(), stats::all);
    JsonNode printed = JSON.readTree(stats.out());
    JsonNode shown = select(Path.of(Cli.goTrace(trace)), from, to);
    for (String figure :
        new String[] {
          "utilisation", "steals", "stolen", "wakes", "handoffs", "syscalls", "preemptions"
        }) {
      assertEquals(printed.get(figure), shown.get(figure), figure);
    }
    assertEquals(printed.get("goroutines").get("created"), shown.get("created"));
    assertEquals(printed.get("goroutines").get("ended"), shown.get("ended"));
    assertEquals(printed.get("schedLatency"), shown.get("schedLatency"));
    assertEquals(printed.get("procs").size(), shown.get("procs").size());
    for (int p = 0; p < shown.get("procs").size(); p++) {
      JsonNode line = printed.get("procs").get(p);
      JsonNode row = shown.get("procs").get(p);
      assertEquals(line.get("p"), row.get("p"));
      assertEquals(line.get("utilisation"), row.get("utilisation"));
      assertEquals(
          line.get("runningNs").asLong() + line.get("syscallNs").asLong(),
          row.get("busy").asLong());
    }
  }

  private static JsonNode select(Path trace, long from, long to) throws Exception {
    try (Viewer viewer = Viewer.start(ListenAddress.loopback(), trace);
        HttpClient client = HttpClient.newHttpClient()) {
      viewer.session().awaitReady();
      HttpResponse<String> answer =
          client.send(
              HttpRequest.newBuilder(
                      viewer.url().resolve("api/v1/select?from=" + from + "&to=" + to))
                  .build(),
              HttpResponse.BodyHandlers.ofString());
      assertEquals(200, answer.statusCode());
      return JSON.readTree(answer.body());
    }
  }
}
