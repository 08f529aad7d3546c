package dev.gmptrace.runtime.sched;

/**
 * Go's {@code fatal error: …}: the program or the scheduler is in a state from which there is no
 * way on. The message is Go's.
 */
public class FatalError extends Error {
  private static final long serialVersionUID = 1L;

  /** A fatal error with Go's words, without the prefix. */
  public FatalError(String message) {
    super("fatal error: " + message);
  }
}
