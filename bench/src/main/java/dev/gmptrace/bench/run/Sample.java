package dev.gmptrace.bench.run;

import java.util.List;
import java.util.function.ToDoubleFunction;
import tools.jackson.databind.json.JsonMapper;

/** What a worker prints for one run; nanoseconds and bytes. */
public record Sample(
    long wall, long cpu, long alloc, long voluntary, long involuntary, long maxrss, long result) {
  private static final JsonMapper JSON = new JsonMapper();
  private static final String MARK = "sample ";

  /** The samples among the lines of output. */
  public static List<Sample> parse(List<String> output) {
    return output.stream()
        .filter(line -> line.startsWith(MARK))
        .map(line -> JSON.readValue(line.substring(MARK.length()), Sample.class))
        .toList();
  }

  /** The median of one of the figures. */
  public static double median(List<Sample> samples, ToDoubleFunction<Sample> figure) {
    return dev.gmptrace.bench.report.Spread.of(samples.stream().mapToDouble(figure).toArray())
        .median();
  }
}
