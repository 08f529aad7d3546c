package dev.gmptrace.bench.section;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
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

  /** Ids of all P and M lanes, at most 40. */
  List<String> procLanes() throws IOException, InterruptedException {
    return Stream.concat(lanes('p'), lanes('m')).limit(LANES).toList();
  }

  /** Ids of all goroutines' lanes, in order. */
  List<String> goroutineLanes() throws IOException, InterruptedException {
    List<String> lanes = new ArrayList<>();
    for (long id : firstColumn(get("lanes/goroutines"))) {
      lanes.add("g:" + id);
    }
    return lanes;
  }

  /** The numbers of the first column of an answer in columns, which have to be f64. */
  static long[] firstColumn(byte[] answer) throws IOException {
    ByteBuffer in = ByteBuffer.wrap(answer).order(ByteOrder.LITTLE_ENDIAN);
    int headerBytes = in.getInt(Integer.BYTES);
    int begin = 2 * Integer.BYTES;
    JsonNode column =
        JSON.readTree(new String(answer, begin, headerBytes, StandardCharsets.UTF_8))
            .get("columns")
            .get(0);
    if (!column.get("type").asString().equals("f64")) {
      throw new IOException("the first column is not f64: " + column);
    }
    in.position((begin + headerBytes + 7) / 8 * 8);
    long[] values = new long[column.get("length").asInt()];
    for (int i = 0; i < values.length; i++) {
      values[i] = (long) in.getDouble();
    }
    return values;
  }

  /** Milliseconds until the screen with the whole trace on it is there, for those lanes. */
  double whole(List<String> lanes) throws IOException, InterruptedException {
    return screen(lanes, 0, duration());
  }

  /**
   * Milliseconds of each of {@code n} requests, sorted: 40 lanes next to each other, anywhere, over
   * anything from the whole trace down to a millionth of it.
   */
  double[] ask(int n, List<String> lanes) throws IOException, InterruptedException {
    long duration = duration();
    Random random = new Random(SEED);
    double[] millis = new double[n];
    for (int i = 0; i < n; i++) {
      long width = Math.max(1000, (long) (duration * Math.pow(10, -6 * random.nextDouble())));
      long from = (long) (random.nextDouble() * Math.max(1, duration - width));
      int first = random.nextInt(Math.max(1, lanes.size() - LANES + 1));
      millis[i] =
          screen(lanes.subList(first, Math.min(lanes.size(), first + LANES)), from, from + width);
    }
    Arrays.sort(millis);
    return millis;
  }

  private double screen(List<String> lanes, long from, long to)
      throws IOException, InterruptedException {
    List<String> shown = lanes.subList(0, Math.min(lanes.size(), LANES));
    long begin = System.nanoTime();
    get("tiles?lanes=%s&from=%d&to=%d&px=%d".formatted(String.join(",", shown), from, to, WIDTH));
    return (System.nanoTime() - begin) / 1e6;
  }

  private long duration() throws IOException, InterruptedException {
    return JSON.readTree(get("info")).get("durationNs").asLong();
  }

  private Stream<String> lanes(char kind) throws IOException, InterruptedException {
    JsonNode lanes = JSON.readTree(get("lanes?kind=" + kind));
    return StreamSupport.stream(lanes.spliterator(), false).map(lane -> lane.get("id").asString());
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
