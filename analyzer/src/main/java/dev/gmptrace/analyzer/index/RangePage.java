package dev.gmptrace.analyzer.index;

import dev.gmptrace.analyzer.model.Frame;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Ranges of a window, in order of start. */
public record RangePage(boolean truncated, List<RangeInfo> ranges) {
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
