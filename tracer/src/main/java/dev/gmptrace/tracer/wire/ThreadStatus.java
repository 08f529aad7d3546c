package dev.gmptrace.tracer.wire;

/** What an M is doing. */
public final class ThreadStatus {
  public static final int RUNNING = 1;
  public static final int SPINNING = 2;
  public static final int PARKED = 3;

  private ThreadStatus() {}
}
