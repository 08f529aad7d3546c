package dev.gmptrace.analyzer.index;

import java.util.List;

/**
 * Rows of the event table.
 *
 * @param more whether there may be further ones: the page is full, or a filter that lets few events
 *     through had looked at many and stopped
 * @param next where to go on
 * @param untilNs up to which time all events have been looked at
 */
public record EventPage(boolean more, EventCursor next, long untilNs, List<EventRow> rows) {
  /** One event in words. */
  public record EventRow(long ns, String kind, long g, long p, long m, String text) {}

  /**
   * Which events are wanted; -1 and "" mean any.
   *
   * @param kind a part of the kind's name, in any case
   * @param text a part of the sentence, in any case
   */
  public record EventFilter(long g, long p, long m, String kind, String text) {
    /** All of them. */
    public static final EventFilter ALL = new EventFilter(-1, -1, -1, "", "");
  }
}
