package dev.gmptrace.analyzer.index;

/** What a lane of the timeline shows. */
public enum LaneKind {
  /** A processor: who ran on it. */
  PROC('p'),
  /** A thread: what it did. */
  THREAD('m'),
  /** A goroutine: its states. */
  GOROUTINE('g'),
  /** Named ranges of the whole program: GC, stopped world. */
  RANGE('r'),
  /** Tasks of a type that do not overlap, or the regions inside them. */
  TASK('t');

  private final char letter;

  LaneKind(char letter) {
    this.letter = letter;
  }

  /** The letter lane ids begin with, as in {@code g:17}. */
  public char letter() {
    return letter;
  }
}
