package dev.gmptrace.tracer.wire;

/** What a thief took: the last argument of {@link EventType#WORK_STEAL}. */
public final class StealKind {
  /** Half of the victim's ring. */
  public static final int RING = 0;

  /** The victim's next goroutine. */
  public static final int RUNNEXT = 1;

  /** Timers of the victim's heap that were due. */
  public static final int TIMERS = 2;

  private StealKind() {}
}
