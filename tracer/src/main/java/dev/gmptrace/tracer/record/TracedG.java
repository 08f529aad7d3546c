package dev.gmptrace.tracer.record;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The part of a goroutine that the recorder needs. A scheduler's G extends it.
 *
 * <p>All fields but the mark are plain: whoever writes an event about a goroutine owns it at that
 * moment, and the scheduler's own hand-over orders the accesses. The writer thread reads the mark
 * from outside, through {@link #markOpaque()}.
 */
public abstract class TracedG {
  private static final VarHandle MARK;

  static {
    try {
      MARK = MethodHandles.lookup().findVarHandle(TracedG.class, "mark", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** See {@link TraceMark}. */
  long mark;

  /** The number of its last event at a distance in this generation. */
  int seq;

  /** Who wrote that event, or its status. */
  @Nullable TraceThread last;

  /** What it last blocked on. */
  TraceString reason = TraceString.NONE;

  long goid;
  EntrySite entry = EntrySite.UNKNOWN;

  protected TracedG() {}

  /** Gives it its identity; again when the object is used for another goroutine. */
  protected final void initTrace(long goid, EntrySite entry) {
    this.goid = goid;
    this.entry = entry;
  }

  public final long goid() {
    return goid;
  }

  public final EntrySite entry() {
    return entry;
  }

  final long markOpaque() {
    return (long) MARK.getOpaque(this);
  }

  /**
   * What it is doing, as a {@link dev.gmptrace.tracer.wire.GoStatus}, or 0 if it is not to be
   * reported (not yet alive, or dead). Only asked about goroutines that had no event since the
   * recording started. A racy answer is good enough, since a change while we ask makes an event.
   */
  protected abstract int traceStatus();

  /** The id of the M that it runs on or is in a syscall on; otherwise -1. */
  protected abstract int traceThread();

  /** What it waits for, or {@link TraceString#NONE}. */
  protected abstract TraceString traceWaitReason();
}
