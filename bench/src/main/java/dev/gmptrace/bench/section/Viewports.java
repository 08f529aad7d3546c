package dev.gmptrace.bench.section;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Somebody who looks at a trace: asks the viewer's server for screens at random places and zooms.
 */
final class Viewports {
  private static final int WIDTH = 1600;
  private static final int LANES = 40;
  private static final long SEED = 42;
  private static final JsonMapper JSON = new JsonMapper();

  private final HttpClient client = HttpClient.newHttpClient();
  private final String url;

  Viewports(String url) {
    this.url = url;
  }

  /** Whether the trace is ready; fails when it cannot be read. */
  boolean ready() throws IOException, InterruptedException {
    JsonNode status = JSON.readTree(get("status"));
    String state = status.get("state").asString();
    if (state.equals("failed")) {
      throw new IOException(status.get("error").asString());
    }
    return state.equals("ready");
  }

  /** Number of events in the trace. */
  long events() throws IOException, InterruptedException {
    return JSON.readTree(get("info")).get("events").asLong();
  }

  /**
   * Milliseconds of each of {@code n} requests, sorted: all P and M lanes (at most 40), from the
   * whole trace down to a millionth of it.
   */
  double[] ask(int n) throws IOException, InterruptedException {
    long duration = JSON.readTree(get("info")).get("durationNs").asLong();
    String lanes = lanes('p') + "," + lanes('m');
    lanes = Arrays.stream(lanes.split(",", -1)).limit(LANES).collect(Collectors.joining(","));
    Random random = new Random(SEED);
    double[] millis = new double[n];
    for (int i = 0; i < n; i++) {
      long width = Math.max(1000, (long) (duration * Math.pow(10, -6 * random.nextDouble())));
      long from = (long) (random.nextDouble() * Math.max(1, duration - width));
      long begin = System.nanoTime();
      get("tiles?lanes=%s&from=%d&to=%d&px=%d".formatted(lanes, from, from + width, WIDTH));
      millis[i] = (System.nanoTime() - begin) / 1e6;
    }
    Arrays.sort(millis);
    return millis;
  }

  private String lanes(char kind) throws IOException, InterruptedException {
    JsonNode lanes = JSON.readTree(get("lanes?kind=" + kind));
    return StreamSupport.stream(lanes.spliterator(), false)
        .map(lane -> lane.get("id").asString())
        .collect(Collectors.joining(","));
  }

  private byte[] get(String path) throws IOException, InterruptedException {
    HttpResponse<byte[]> response =
        client.send(
            HttpRequest.newBuilder(URI.create(url + "/api/v1/" + path)).build(),
            HttpResponse.BodyHandlers.ofByteArray());
    if (response.statusCode() != 200) {
      throw new IOException(
          path
              + ": status "
              + response.statusCode()
              + " "
              + new String(response.body(), StandardCharsets.UTF_8));
    }
    return response.body();
  }
}
