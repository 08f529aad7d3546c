package dev.gmptrace.tracer.wire;

/** Why a P was given to another M: the last argument of {@link EventType#PROC_HANDOFF}. */
public final class HandoffCause {
  /** The monitor took it from an M that stayed too long in a syscall. */
  public static final int SYSMON = 0;

  /** The M itself gave it up around a syscall. */
  public static final int SYSCALL = 1;

  /** The goroutine is locked to another M, or this M to another goroutine. */
  public static final int LOCKED = 2;

  /** The world was stopped, or the number of Ps changed. */
  public static final int STOP_THE_WORLD = 3;

  /** The M was found blocked in something that nobody announced. */
  public static final int BLOCKED = 4;

  private HandoffCause() {}
}
