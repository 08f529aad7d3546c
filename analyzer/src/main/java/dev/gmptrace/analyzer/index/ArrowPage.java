package dev.gmptrace.analyzer.index;

import java.util.List;

/**
 * Arrows of a window.
 *
 * @param truncated whether there are more than asked for
 * @param total how many there are on the lane asked for; of all lanes, counting stops beyond the
 *     limit
 */
public record ArrowPage(boolean truncated, int total, List<Arrow> arrows) {
  /** What an arrow means. */
  public enum ArrowKind {
    /** A goroutine created another, which began to run at the arrow's head. */
    CREATE,
    /** A goroutine, the poller or a timer woke one, which began to run at the arrow's head. */
    WAKE,
    /** A processor took work of another, which began to run at the arrow's head. */
    STEAL,
    /** A processor changed threads: handed off, or taken from a system call. */
    HANDOFF
  }

  /** Which ends of an arrow are looked at. */
  public enum ArrowSide {
    /** It begins or ends there. */
    BOTH,
    /** It begins there. */
    FROM,
    /** It ends there. */
    TO
  }

  /** From cause to effect; ids are -1 where there is none. */
  public record Arrow(
      ArrowKind kind,
      long fromNs,
      long fromG,
      long fromP,
      long fromM,
      long toNs,
      long toG,
      long toP,
      long toM,
      String text) {}
}
