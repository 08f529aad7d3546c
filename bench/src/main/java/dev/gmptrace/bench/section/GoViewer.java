package dev.gmptrace.bench.section;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Somebody who looks at a trace with {@code go tool trace}: its front page offers the trace in
 * ranges, and a range is one answer in JSON, which is all there is to look at until the next one.
 */
final class GoViewer {
  private static final Pattern RANGE = Pattern.compile("/trace\\?(view=proc[^\"'>\\s]*)");
  private static final Duration LIMIT = Duration.ofMinutes(5);

  private final HttpClient client = HttpClient.newHttpClient();
  private final String url;

  GoViewer(String url) {
    this.url = url;
  }

  /** What it took to get the first range it offers. */
  record Range(double millis, long bytes) {}

  Range firstRange() throws IOException, InterruptedException {
    String page = client.send(request("/"), HttpResponse.BodyHandlers.ofString()).body();
    String query = firstRangeQuery(page);
    long begin = System.nanoTime();
    HttpResponse<InputStream> answer =
        client.send(request("/jsontrace?" + query), HttpResponse.BodyHandlers.ofInputStream());
    try (InputStream body = answer.body()) {
      long bytes = body.transferTo(OutputStream.nullOutputStream());
      return new Range((System.nanoTime() - begin) / 1e6, bytes);
    }
  }

  /** The parameters of the page's first link to a range; the whole trace when it is small. */
  static String firstRangeQuery(String page) throws IOException {
    Matcher link = RANGE.matcher(page);
    if (!link.find()) {
      throw new IOException("go tool trace offers no range to look at");
    }
    return link.group(1).replace("&amp;", "&");
  }

  private HttpRequest request(String path) {
    return HttpRequest.newBuilder(URI.create(url + path)).timeout(LIMIT).build();
  }
}
