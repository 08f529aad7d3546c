package dev.gmptrace.bench.tracer;

import dev.gmptrace.tracer.record.Recording;
import dev.gmptrace.tracer.record.TraceOptions;
import dev.gmptrace.tracer.record.TraceTotals;
import java.nio.file.Path;
import java.util.List;
import tools.jackson.databind.json.JsonMapper;

/**
 * How many events a second go through the writer thread into a file; a program of its own, {@code
 * WriterThroughput FILE ROUNDS ROUND_TRIPS FLOOD_MILLIS}, so that it runs in the JVM that
 * everything else is measured in. Prints a line {@code pingpong {…}} and a line {@code flood {…}}
 * for each round but the first, which warms up.
 */
public final class WriterThroughput {
  /** What the lines of {@link #pingPong} begin with. */
  static final String PINGPONG = "pingpong ";

  /** What the lines of {@link #flood} begin with. */
  static final String FLOOD = "flood ";

  private static final JsonMapper JSON = new JsonMapper();
  private static final int BURST = 64;

  /** Runs and prints. */
  public static void main(String[] args) {
    Path file = Path.of(args[0]);
    for (int round = 0; round <= Integer.parseInt(args[1]); round++) {
      Pace through = pingPong(file, Long.parseLong(args[2]));
      Pace alone = flood(file, Long.parseLong(args[3]));
      if (round > 0) {
        System.out.println(PINGPONG + through.json());
        System.out.println(FLOOD + alone.json());
      }
    }
  }

  /** What a recording came to. */
  record Pace(double millionEventsPerSecond, double bytesPerEvent, long lost) {
    static Pace of(TraceTotals totals, long nanos) {
      return new Pace(
          totals.events() * 1e3 / nanos,
          (double) totals.bytes() / totals.events(),
          totals.lostEvents());
    }

    private String json() {
      return JSON.writeValueAsString(this);
    }

    /** Those that a process printed under that mark. */
    static List<Pace> parse(List<String> output, String mark) {
      return output.stream()
          .filter(line -> line.startsWith(mark))
          .map(line -> JSON.readValue(line.substring(mark.length()), Pace.class))
          .toList();
    }
  }

  private WriterThroughput() {}

  private static BenchSubject subject() {
    return new BenchSubject(TraceOptions.DEFAULTS.withJvmEvents(false).withPoolBuffers(1024), 1);
  }

  /** One thread records a ping-pong as fast as it can, up to the last byte in the file. */
  static Pace pingPong(Path file, long roundTrips) {
    BenchSubject subject = subject();
    BenchSubject.Pair pair = subject.pairs.getFirst();
    Recording recording = subject.tracer.start(file);
    pair.begin();
    long start = System.nanoTime();
    for (long i = 0; i < roundTrips; i++) {
      pair.roundTrip();
    }
    return Pace.of(recording.stop(), System.nanoTime() - start);
  }

  /**
   * The writer's own pace: it is never short of events, because a thread writes dense sections with
   * a time of its own instead of the clock's, and what finds no chunk is dropped. What arrived in
   * the file, by the time it took, is the pace.
   */
  static Pace flood(Path file, long millis) {
    BenchSubject subject = subject();
    BenchSubject.Pair pair = subject.pairs.getFirst();
    Recording recording = subject.tracer.start(file);
    pair.begin();
    long start = System.nanoTime();
    long now = start;
    while (System.nanoTime() - start < millis * 1_000_000) {
      for (int section = 0; section < 100; section++) {
        now += 100;
        if (pair.trace.begin(pair.thread, now)) {
          for (int i = 0; i < BURST; i++) {
            pair.trace.workSteal(1, 100, 0);
          }
          pair.trace.end();
        }
      }
    }
    return Pace.of(recording.stop(), System.nanoTime() - start);
  }
}
