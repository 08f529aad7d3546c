package dev.gmptrace.bench.section;

import java.util.ArrayList;
import java.util.List;

/**
 * What a further event costs, between traces of two sizes: without the floor that every start pays.
 * The same between all neighbours means that opening is linear.
 *
 * @param from events wished for, of the smaller trace
 * @param to and of the larger one
 */
record Growth(long from, long to, double nanosPerEvent, double bytesPerEvent) {
  /** One size that was opened: medians. */
  record Point(long wished, long events, double readyMillis, double peakBytes) {}

  /** Between each size and the next; {@code points} ascend. */
  static List<Growth> between(List<Point> points) {
    List<Growth> result = new ArrayList<>();
    for (int i = 1; i < points.size(); i++) {
      Point a = points.get(i - 1);
      Point b = points.get(i);
      double events = b.events - a.events;
      if (events > 0) {
        result.add(
            new Growth(
                a.wished,
                b.wished,
                (b.readyMillis - a.readyMillis) * 1e6 / events,
                (b.peakBytes - a.peakBytes) / events));
      }
    }
    return result;
  }

  /** {@code 1M-12M}. */
  static String span(long from, long to) {
    return "%dM-%dM".formatted(from / 1_000_000, to / 1_000_000);
  }
}
