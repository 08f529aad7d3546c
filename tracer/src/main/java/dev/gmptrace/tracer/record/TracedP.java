package dev.gmptrace.tracer.record;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/** The part of a P that the recorder needs. A scheduler's P extends it. See {@link TracedG}. */
public abstract class TracedP {
  private static final VarHandle MARK;

  static {
    try {
      MARK = MethodHandles.lookup().findVarHandle(TracedP.class, "mark", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  long mark;
  int seq;
  @Nullable TraceThread last;
  final int procId;

  protected TracedP(int procId) {
    this.procId = procId;
  }

  final long markOpaque() {
    return (long) MARK.getOpaque(this);
  }

  /**
   * What it is doing, as a {@link dev.gmptrace.tracer.wire.ProcStatus}, or 0 if it is not to be
   * reported. Only asked about a P that had no event since the recording started.
   */
  protected abstract int traceStatus();

  /** The id of the M that holds it; otherwise -1. */
  protected abstract int traceThread();
}
