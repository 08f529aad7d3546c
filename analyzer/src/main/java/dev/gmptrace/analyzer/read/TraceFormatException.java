package dev.gmptrace.analyzer.read;

/**
 * The input is not a trace that can be read. The message is one sentence for a person: it names the
 * file, what is wrong with it and, where there is one, the way out.
 */
public final class TraceFormatException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Refuses an input with a sentence. */
  public TraceFormatException(String message) {
    super(message);
  }

  /** Refuses an input with a sentence, keeping what led to it. */
  public TraceFormatException(String message, Throwable cause) {
    super(message, cause);
  }
}
