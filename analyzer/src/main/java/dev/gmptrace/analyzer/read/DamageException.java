package dev.gmptrace.analyzer.read;

/**
 * The bytes at some place of a trace cannot be what a recorder wrote. Ends the reading there; never
 * leaves this package, but as the {@link ReadResult#damage} of a trace.
 */
final class DamageException extends Exception {
  private static final long serialVersionUID = 1L;

  private final long offset;

  DamageException(long offset, String message) {
    super(message, null, false, false);
    this.offset = offset;
  }

  long offset() {
    return offset;
  }

  TraceWarning warning() {
    return new TraceWarning(offset, String.valueOf(getMessage()));
  }
}
