package dev.gmptrace.tracer.record;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A thread that writes events: an M, the monitor, or a foreign thread that readies goroutines. Made
 * by {@link Tracer#newThread}. Except for the buffer, only the thread itself may use it.
 */
public final class TraceThread {
  private static final VarHandle MARK;

  static {
    try {
      MARK = MethodHandles.lookup().findVarHandle(TraceThread.class, "mark", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final Tracer tracer;
  private final TraceBuffer buffer;
  final int id;
  final String name;

  /** Its generation and state, as a {@link TraceMark}; state 0 while nothing is known. */
  long mark;

  /** The number of its next segment in the generation. */
  int segments;

  /** Its last segment was followed by dropped events, and the next number already skips one. */
  boolean gap;

  /** Where its open segment is. */
  @Nullable Slot slot;

  TraceThread(Tracer tracer, int id, String name) {
    this.tracer = tracer;
    this.id = id;
    this.name = name;
    this.buffer = new TraceBuffer(tracer, null);
  }

  /** The id of the M, as events and schedtrace show it. */
  public int id() {
    return id;
  }

  /** The name given to it. */
  public String name() {
    return name;
  }

  /** Its own buffer, for when it holds no P. */
  public TraceBuffer buffer() {
    return buffer;
  }

  /** The thread has ended; what it wrote is still recorded. */
  public void close() {
    tracer.forget(this);
  }

  final long markOpaque() {
    return (long) MARK.getOpaque(this);
  }
}
