package dev.gmptrace.analyzer.index;

import dev.gmptrace.analyzer.model.Frame;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Ranges of a window.
 *
 * @param truncated whether there are more than asked for
 * @param total how many there are
 * @param sums of all of them, by name, most time first
 * @param ranges the first of them, in the order asked for
 */
public record RangePage(boolean truncated, int total, List<RangeSum> sums, List<RangeInfo> ranges) {
  /** What comes first. */
  public enum Order {
    START,
    DURATION,
    NAME
  }

  /**
   * All ranges of one name.
   *
   * @param inWindowNs their time inside the window
   * @param longestNs the longest of them, also where it is outside
   */
  public record RangeSum(String name, int count, long inWindowNs, long longestNs) {}

  /**
   * A GC cycle, a stopped world, a mark assist …
   *
   * @param lane whom it is about, or null when it is about the whole program
   * @param open whether it began before the trace or ended after it
   */
  public record RangeInfo(
      String name,
      @Nullable LaneId lane,
      long start,
      long end,
      boolean open,
      List<Frame> stack,
      Map<String, Long> attributes) {}
}
