package dev.gmptrace.runtime;

import org.jspecify.annotations.Nullable;

/** Why a {@link Context} is done, in Go's words. Its cause, if any, is what cancel was given. */
public final class CancelledException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final boolean deadline;

  CancelledException(boolean deadline, @Nullable Throwable cause) {
    super(deadline ? "context deadline exceeded" : "context canceled", cause);
    this.deadline = deadline;
  }

  /** Whether the time was over, as against a call of cancel. */
  public boolean isDeadlineExceeded() {
    return deadline;
  }
}
