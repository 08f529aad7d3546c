package dev.gmptrace.tracer.record;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Keeps the last seconds of a program in memory, from {@link Tracer#startFlight}, and writes them
 * out when something of interest has happened.
 */
public final class FlightRecorder implements AutoCloseable {
  private final Tracer tracer;
  private final FlightSink sink;

  FlightRecorder(Tracer tracer, FlightSink sink) {
    this.tracer = tracer;
    this.sink = sink;
  }

  /** Writes what the ring holds, up to now, as a whole trace. Recording goes on. */
  public TraceTotals snapshot(Path file) {
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file), 1 << 18)) {
      return snapshot(out);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + file + ": " + e.getMessage(), e);
    }
  }

  /** As {@link #snapshot(Path)}, into a stream, which is flushed and not closed. */
  public TraceTotals snapshot(OutputStream out) {
    tracer.onWriter(() -> tracer.closeGeneration());
    // Written by the caller: the writer thread has a queue to empty.
    return sink.writeTo(out);
  }

  /** How many bytes the ring holds now. */
  public long bytes() {
    return sink.size();
  }

  /** Stops it. What the ring holds can still be written out. */
  public void stop() {
    tracer.detach(sink);
  }

  @Override
  public void close() {
    stop();
  }
}
