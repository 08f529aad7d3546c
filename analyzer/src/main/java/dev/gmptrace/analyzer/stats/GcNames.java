package dev.gmptrace.analyzer.stats;

import dev.gmptrace.analyzer.model.Ranges;
import dev.gmptrace.analyzer.model.TraceModel;
import java.util.Comparator;
import java.util.stream.IntStream;

/** Which ranges are the garbage collector's, by the names Go and the JVM give them. */
final class GcNames {
  private GcNames() {}

  /** A whole collection. */
  static boolean isCycle(String name) {
    return name.contains("GC") && !isStop(name) && !isAssist(name) && !isSweep(name);
  }

  /** How long in {@code [from, to)} some collection was under way; collectors may overlap. */
  static long collecting(TraceModel model, long from, long to) {
    Ranges ranges = model.ranges();
    int[] cycles =
        IntStream.range(0, ranges.size())
            .filter(i -> isCycle(model.string(ranges.name(i))))
            .boxed()
            .sorted(Comparator.comparingLong(ranges::start))
            .mapToInt(i -> i)
            .toArray();
    long sum = 0;
    long covered = from;
    for (int i : cycles) {
      long end = Math.min(to, ranges.end(i));
      sum += Math.max(0, end - Math.max(covered, ranges.start(i)));
      covered = Math.max(covered, end);
    }
    return sum;
  }

  /** A stopped world, whoever stopped it. */
  static boolean isStop(String name) {
    return name.startsWith("stop-the-world");
  }

  /** A stopped world that the collector asked for. */
  static boolean isGcStop(String name) {
    return isStop(name) && name.contains("GC");
  }

  static boolean isAssist(String name) {
    return name.contains("mark assist");
  }

  static boolean isSweep(String name) {
    return name.contains("sweep");
  }
}
