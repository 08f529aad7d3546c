package dev.gmptrace.runtime;

import dev.gmptrace.tracer.record.FlightRecorder;
import dev.gmptrace.tracer.record.Recording;
import dev.gmptrace.tracer.record.Region;
import dev.gmptrace.tracer.record.Task;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Notes in the trace, and the trace itself: Go's {@code runtime/trace}. Everything here acts on the
 * scheduler of the calling goroutine; notes cost next to nothing while nothing is recorded, and are
 * dropped on threads that are no goroutines.
 *
 * <pre>{@code
 * try (var order = Trace.task("order")) {
 *   try (var pricing = order.region("pricing")) { … }
 *   order.log("customer", id);
 * }
 * }</pre>
 */
public final class Trace {
  private Trace() {}

  /** Begins a task: work with a name that may cross goroutines. Closing it ends it. */
  public static Task task(String name) {
    return Go.sched().tracer().task(name);
  }

  /** Begins a region: a stretch of the calling goroutine's time. Closing it ends it. */
  public static Region region(String name) {
    return Go.sched().tracer().region(name);
  }

  /** Runs {@code body} as a region. */
  public static void with(String region, Runnable body) {
    Region r = region(region);
    try {
      body.run();
    } finally {
      r.close();
    }
  }

  /** Writes a line of log into the trace. */
  public static void log(String key, String value) {
    Go.sched().tracer().log(key, value);
  }

  /** Gives the calling goroutine a label. */
  public static void label(String text) {
    Go.sched().tracer().label(text);
  }

  /** Whether something is being recorded. */
  public static boolean isEnabled() {
    return Go.sched().tracer().enabled();
  }

  /** Records into a file until the recording is stopped or closed. */
  public static Recording start(Path file) {
    return Go.sched().tracer().start(file);
  }

  /** Keeps the last {@code maxAge} or {@code maxBytes} in memory, to be saved when it matters. */
  public static FlightRecorder startFlight(long maxBytes, Duration maxAge) {
    return Go.sched().tracer().startFlight(maxBytes, maxAge);
  }
}
