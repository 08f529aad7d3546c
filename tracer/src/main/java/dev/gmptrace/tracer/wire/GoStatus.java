package dev.gmptrace.tracer.wire;

/** What a goroutine is doing, in the numbers of Go's traces. */
public final class GoStatus {
  public static final int RUNNABLE = 1;
  public static final int RUNNING = 2;
  public static final int SYSCALL = 3;
  public static final int WAITING = 4;

  private GoStatus() {}
}
