package dev.gmptrace.runtime;

/**
 * What Go calls a panic of the runtime: a mistake in the use of a channel or lock, in Go's words.
 */
public final class Panic extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** With Go's text, such as "send on closed channel". */
  public Panic(String text) {
    super(text);
  }

  /** As Go prints it: "panic: send on closed channel". */
  @Override
  @SuppressWarnings("OverrideThrowableToString") // the message alone is Go's Error()
  public String toString() {
    return "panic: " + getMessage();
  }
}
