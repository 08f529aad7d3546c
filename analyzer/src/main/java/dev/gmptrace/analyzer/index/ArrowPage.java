package dev.gmptrace.analyzer.index;

import java.util.List;

/** Arrows of a window; {@code truncated} when there were more than asked for. */
public record ArrowPage(boolean truncated, List<Arrow> arrows) {
  /** What an arrow means. */
  public enum ArrowKind {
    /** A goroutine created another, which began to run at the arrow's head. */
    CREATE,
    /** A goroutine, the poller or a timer woke one, which began to run at the arrow's head. */
    WAKE,
    /** A processor took work of another. */
    STEAL,
    /** A processor changed threads: handed off, or taken from a system call. */
    HANDOFF
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
