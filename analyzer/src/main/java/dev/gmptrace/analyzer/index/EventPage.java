package dev.gmptrace.analyzer.index;

import java.util.List;

/** Rows of the event table; {@code more} when the window holds further ones. */
public record EventPage(boolean more, List<EventRow> rows) {
  /** One event in words. */
  public record EventRow(long ns, String kind, long g, long p, long m, String text) {}

  /** Which events are wanted; -1 and "" mean any. */
  public record EventFilter(long g, long p, long m, String kind, String text) {
    /** All of them. */
    public static final EventFilter ALL = new EventFilter(-1, -1, -1, "", "");
  }
}
