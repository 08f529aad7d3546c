package dev.gmptrace.analyzer.index;

/** Something found, and where to look at it. */
public record Hit(HitKind kind, String title, String detail, LaneId lane, long ns, long endNs) {
  /** What was found. */
  public enum HitKind {
    GOROUTINE,
    FUNCTION,
    REASON,
    LABEL,
    TASK,
    REGION,
    LOG,
    PROC,
    THREAD,
    RANGE
  }
}
