package dev.gmptrace.analyzer.read;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;

/**
 * What the bytes of a trace are spent on: every byte of the file is in exactly one row, so the rows
 * add up to its size.
 *
 * @param file the trace
 * @param bytes its size
 * @param events how many events it holds; tables and frames do not count
 * @param rows the biggest first
 */
public record Footprint(String file, long bytes, long events, List<Row> rows) {
  /**
   * One kind of event or of frame.
   *
   * @param event whether it is an event, or a table or frame around events
   */
  public record Row(String name, long bytes, long count, boolean event) {}

  static final String UNREADABLE = "(unreadable)";

  /** Bytes that no reader could make sense of. */
  public long unreadable() {
    return rows.stream().filter(r -> r.name().equals(UNREADABLE)).mapToLong(Row::bytes).sum();
  }

  /** Collects the rows. */
  static final class Tally {
    private final Map<String, long[]> events = new LinkedHashMap<>();
    private final Map<String, long[]> others = new LinkedHashMap<>();

    void event(String name, long bytes) {
      add(events, name, bytes);
    }

    /** What is no event: headers, tables, frames. */
    void other(String name, long bytes) {
      add(others, name, bytes);
    }

    private static void add(Map<String, long[]> to, String name, long bytes) {
      long[] row = to.computeIfAbsent(name, _ -> new long[2]);
      row[0] += bytes;
      row[1]++;
    }

    Footprint result(Path file, long size) {
      long known = sum(events) + sum(others);
      if (known < size) {
        other(UNREADABLE, size - known);
      }
      var rows = new ArrayList<Row>();
      events.forEach((name, row) -> rows.add(new Row(name, row[0], row[1], true)));
      others.forEach((name, row) -> rows.add(new Row(name, row[0], row[1], false)));
      rows.sort(Comparator.comparingLong(Row::bytes).reversed().thenComparing(Row::name));
      long count = events.values().stream().mapToLong(row -> row[1]).sum();
      return new Footprint(file.toString(), size, count, List.copyOf(rows));
    }

    private static long sum(Map<String, long[]> rows) {
      return rows.values().stream().mapToLong(row -> row[0]).sum();
    }
  }

  /**
   * Reads a whole trace of either format.
   *
   * @param progress told the position in the file now and then
   */
  public static Footprint of(Path file, LongConsumer progress) throws IOException {
    TraceInfo info;
    try (TraceReader reader = TraceReader.open(file)) {
      info = reader.info();
    }
    var tally = new Tally();
    switch (info.format()) {
      case GO -> GoFootprint.read(file, tally, progress);
      case GMP -> GmpFootprint.read(file, tally, progress);
    }
    return tally.result(file, info.size());
  }
}
