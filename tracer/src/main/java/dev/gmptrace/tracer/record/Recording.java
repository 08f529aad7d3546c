package dev.gmptrace.tracer.record;

import java.io.UncheckedIOException;

/**
 * A recording that runs, from {@link Tracer#start}. Ends with {@link #stop()} or {@link #close()}.
 */
public final class Recording implements AutoCloseable {
  private final Tracer tracer;
  private final StreamSink sink;

  Recording(Tracer tracer, StreamSink sink) {
    this.tracer = tracer;
    this.sink = sink;
  }

  /**
   * Ends the recording and says what it came to. When it returns, the trace is complete.
   *
   * @throws UncheckedIOException if the trace could not be written; it ends where that happened
   */
  public TraceTotals stop() {
    tracer.detach(sink);
    sink.throwFailure();
    return sink.totals();
  }

  /** As {@link #stop()}. */
  @Override
  public void close() {
    stop();
  }
}
