package dev.gmptrace.analyzer.read;

/** The states of a goroutine, numbered as Go's trace API numbers them. */
public enum GoState {
  /** Nothing is known: the trace began in the middle of this goroutine's life. */
  UNDETERMINED("Undetermined"),
  /** Before it was created, and after it ended. */
  NOT_EXIST("NotExist"),
  /** Could run, and waits for a P. */
  RUNNABLE("Runnable"),
  /** Runs on a P and a thread. */
  RUNNING("Running"),
  /** Waits for something; the transition's reason says what. */
  WAITING("Waiting"),
  /** In a system call, on a thread, with or without a P. */
  SYSCALL("Syscall");

  private static final GoState[] ALL = values();
  private final String text;

  GoState(String text) {
    this.text = text;
  }

  /** The state as it is printed. */
  public String text() {
    return text;
  }

  /** Whether a goroutine in this state is bound to its thread. */
  public boolean executing() {
    return this == RUNNING || this == SYSCALL;
  }

  /** The number that stands for it in an event's row. */
  @SuppressWarnings("EnumOrdinal")
  int code() {
    return ordinal();
  }

  static GoState of(int code) {
    return ALL[code];
  }
}
