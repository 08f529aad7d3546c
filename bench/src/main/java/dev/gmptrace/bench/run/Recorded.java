package dev.gmptrace.bench.run;

import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * What a worker prints of the trace it wrote.
 *
 * @param events in it, -1 when the peer does not count them
 * @param bytes of the file
 * @param lost events that did not fit
 */
public record Recorded(long events, long bytes, long lost) {
  private static final JsonMapper JSON = new JsonMapper();
  private static final String MARK = "trace ";

  static @Nullable Recorded parse(List<String> output) {
    return output.stream()
        .filter(line -> line.startsWith(MARK))
        .map(line -> JSON.readValue(line.substring(MARK.length()), Recorded.class))
        .findFirst()
        .orElse(null);
  }
}
