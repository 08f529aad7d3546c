package dev.gmptrace.tracer.wire;

/**
 * Thrown for bytes that are no trace, or that break the format in a way that no checksum would have
 * let through. The one exception that reading a trace throws, beside {@link
 * java.io.UncheckedIOException}.
 */
public final class TraceFormatException extends RuntimeException {
  public TraceFormatException(String message) {
    super(message);
  }
}
