package dev.gmptrace.cli;

import dev.gmptrace.analyzer.index.Latency;

/** Ways to print a distribution of durations. */
final class Distribution {
  private static final int BAR = 40;

  private Distribution() {}

  /** On one line: {@code p50 3.2µs p90 … max …}. */
  static String line(Latency l) {
    return l.count() == 0
        ? "none"
        : "p50 %s  p90 %s  p99 %s  max %s"
            .formatted(
                Units.duration(l.p50()),
                Units.duration(l.p90()),
                Units.duration(l.p99()),
                Units.duration(l.max()));
  }

  /** A bar for every bucket between the first and the last that has something in it. */
  static void print(Latency l, Output out, String indent) {
    long most = l.histogram().stream().mapToLong(Latency.Bucket::count).max().orElse(0);
    var table = new Table("from", "to", "count", "<");
    for (Latency.Bucket b : l.histogram()) {
      // At least a mark for whatever there is.
      int bar = Math.max(1, Math.round((float) b.count() / most * BAR));
      table.row(
          Units.duration(b.from()),
          Units.duration(b.to()),
          Units.count(b.count()),
          "#".repeat(bar));
    }
    table.print(out, indent);
  }

  /** A kind of task or region: how many there were, where, how long they took. */
  static void type(
      Output out, String name, String where, long count, long complete, Latency latency) {
    out.line(
        "%s  %s%s, %s complete: %s"
            .formatted(
                out.style().bold(name),
                Units.count(count),
                where.isEmpty() ? "" : " at " + where,
                Units.count(complete),
                line(latency)));
    print(latency, out, "  ");
  }
}
