package dev.gmptrace.analyzer.index;

/**
 * A lane by the id people know: goroutine id, P id, M id; of ranges and of tracks of tasks their
 * place in the list. Written {@code g:17}.
 */
public record LaneId(LaneKind kind, long id) {
  /** The lane of a goroutine. */
  public static LaneId g(long goid) {
    return new LaneId(LaneKind.GOROUTINE, goid);
  }

  /** The lane of a processor. */
  public static LaneId p(long id) {
    return new LaneId(LaneKind.PROC, id);
  }

  /** The lane of a thread. */
  public static LaneId m(long id) {
    return new LaneId(LaneKind.THREAD, id);
  }

  /** The lane of a range. */
  public static LaneId r(long id) {
    return new LaneId(LaneKind.RANGE, id);
  }

  /** The lane of a track of tasks, or of the regions below it. */
  public static LaneId t(long id) {
    return new LaneId(LaneKind.TASK, id);
  }

  /**
   * Reads what {@link #toString} writes; the colon may be missing.
   *
   * @throws IllegalArgumentException naming the text when it is no lane
   */
  public static LaneId parse(String text) {
    for (LaneKind kind : LaneKind.values()) {
      if (!text.isEmpty() && Character.toLowerCase(text.charAt(0)) == kind.letter()) {
        try {
          return new LaneId(kind, Long.parseLong(text.substring(text.startsWith(":", 1) ? 2 : 1)));
        } catch (NumberFormatException e) {
          break;
        }
      }
    }
    throw new IllegalArgumentException(
        "\"" + text + "\" is no lane; write g:17, p:0, m:3, r:0 or t:0");
  }

  @Override
  public String toString() {
    return kind.letter() + ":" + id;
  }
}
