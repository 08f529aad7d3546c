package dev.gmptrace.tracer.record;

import org.jspecify.annotations.Nullable;

/** A stretch of time of one goroutine, which opens and closes it. From {@link Tracer#region}. */
public final class Region implements AutoCloseable {
  static final Region NONE = new Region(null, 0, TraceString.NONE);

  private final @Nullable Tracer tracer;
  private final long task;
  private final TraceString name;

  Region(@Nullable Tracer tracer, long task, TraceString name) {
    this.tracer = tracer;
    this.task = task;
    this.name = name;
  }

  @Override
  public void close() {
    Tracer t = tracer;
    if (t != null && t.enabled()) {
      TraceStack stack = t.stack(StackOn.USER);
      t.annotate((buffer, g) -> buffer.regionEnd(g, task, name, stack));
    }
  }
}
