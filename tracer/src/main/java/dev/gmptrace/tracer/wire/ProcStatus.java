package dev.gmptrace.tracer.wire;

/** What a P is doing, in the numbers of Go's traces. */
public final class ProcStatus {
  public static final int RUNNING = 1;
  public static final int IDLE = 2;
  public static final int SYSCALL = 3;

  /** Written by Go only: in a syscall of an M that could not be named. */
  public static final int SYSCALL_ABANDONED = 4;

  private ProcStatus() {}
}
