package dev.gmptrace.analyzer.read;

/**
 * The states of a P, numbered as Go's trace API numbers them. A P whose goroutine is in a system
 * call counts as running until it is taken away.
 */
public enum ProcState {
  /** Nothing is known: the trace began in the middle of this P's life. */
  UNDETERMINED("Undetermined"),
  /** Before the P first appeared. */
  NOT_EXIST("NotExist"),
  /** Held by a thread. */
  RUNNING("Running"),
  /** Held by nobody. */
  IDLE("Idle");

  private static final ProcState[] ALL = values();
  private final String text;

  ProcState(String text) {
    this.text = text;
  }

  /** The state as it is printed. */
  public String text() {
    return text;
  }

  /** Whether a P in this state is bound to a thread. */
  public boolean executing() {
    return this == RUNNING;
  }

  /** The number that stands for it in an event's row. */
  @SuppressWarnings("EnumOrdinal")
  int code() {
    return ordinal();
  }

  static ProcState of(int code) {
    return ALL[code];
  }
}
