package dev.gmptrace.tracer.record;

import org.jspecify.annotations.Nullable;

/**
 * A piece of work that may cross goroutines, such as a request. From {@link Tracer#task}.
 *
 * <pre>{@code
 * try (Task task = tracer.task("GET /users")) {
 *   try (Region r = task.region("query")) { ... }
 *   task.log("rows", "17");
 * }
 * }</pre>
 */
public final class Task implements AutoCloseable {
  static final Task NONE = new Task(null, 0);

  private final @Nullable Tracer tracer;
  private final long id;

  Task(@Nullable Tracer tracer, long id) {
    this.tracer = tracer;
    this.id = id;
  }

  /** Its number in the trace; 0 if it is not being recorded. */
  public long id() {
    return id;
  }

  /** Begins a task that is a part of this one. */
  public Task task(String name) {
    Tracer t = tracer;
    return t != null && t.enabled() ? t.beginTask(name, id) : NONE;
  }

  /** Begins a region of the calling goroutine that counts for this task. */
  public Region region(String name) {
    Tracer t = tracer;
    return t != null && t.enabled() ? t.beginRegion(name, id) : Region.NONE;
  }

  /** Writes a line of log that belongs to this task. */
  public void log(String key, String value) {
    Tracer t = tracer;
    if (t != null && t.enabled()) {
      t.log(id, key, value);
    }
  }

  /** The work is done. Any goroutine may say so. */
  @Override
  public void close() {
    Tracer t = tracer;
    if (t != null && t.enabled()) {
      TraceStack stack = t.stack(StackOn.USER);
      t.annotate((buffer, g) -> buffer.taskEnd(g, id, stack));
    }
  }
}
