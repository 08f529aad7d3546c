package dev.gmptrace.analyzer.index;

import dev.gmptrace.analyzer.model.PointKind;
import java.util.List;

/**
 * Point events of a window: how many in each pixel, and each of them while they are few.
 *
 * @param exact all of them when there are at most as many as asked for, else empty
 */
@SuppressWarnings("ArrayRecordComponent") // An answer, read once; never compared.
public record PointTile(long from, long to, long total, int[] count, List<Point> exact) {
  /** One event; what {@code a} and {@code b} mean is said at its kind. */
  public record Point(
      long ns, PointKind kind, long g, long p, long m, long a, long b, String text) {}
}
