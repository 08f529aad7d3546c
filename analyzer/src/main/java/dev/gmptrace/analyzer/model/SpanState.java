package dev.gmptrace.analyzer.model;

/**
 * What a lane was doing during a span. One vocabulary for goroutines, processors, threads and
 * ranges, so that a colour means the same everywhere. There are sixteen of them because two fit
 * into the byte that a state change takes in the log.
 */
public enum SpanState {
  /** Does not exist: before creation, after the end. Never drawn. */
  NONE("not existing"),
  /** The trace does not say; the reason is explained where it is shown. */
  UNKNOWN("unknown"),
  /** A goroutine that could run and waits for a processor. */
  RUNNABLE("runnable"),
  /** A goroutine executing on a processor. */
  RUNNING("running"),
  /** A goroutine in a system call; the processor is still with its thread. */
  SYSCALL("syscall"),
  /** A goroutine in a system call whose processor was taken away. */
  SYSCALL_NO_P("syscall, processor taken"),
  /** Waiting for another goroutine: channel, select, lock, condition. */
  WAIT_SYNC("waiting: sync"),
  /** Waiting for the network poller. */
  WAIT_NET("waiting: network"),
  /** Waiting for a timer. */
  WAIT_SLEEP("waiting: sleep"),
  /** Waiting for the garbage collector. */
  WAIT_GC("waiting: GC"),
  /** Waiting for anything else. */
  WAIT_OTHER("waiting"),
  /** Runnable because it was pushed off its processor. */
  PREEMPTED("preempted"),
  /** A processor or thread without a goroutine, in the scheduler. */
  SCHEDULING("scheduling"),
  /** A processor nobody holds, or a thread that sleeps. */
  IDLE("idle"),
  /** A thread looking for work. */
  SPINNING("spinning"),
  /** Inside a range such as a GC cycle or a stopped world. */
  ACTIVE("active");

  private static final SpanState[] ALL = values();

  /** Number of states; the length of arrays indexed by {@link #code()}. */
  public static final int COUNT = 16;

  private final String label;

  SpanState(String label) {
    this.label = label;
  }

  /** For people: lower case, short. */
  public String label() {
    return label;
  }

  /** What stands for it in columns and tiles: its place in this list, 0 to 15. */
  @SuppressWarnings("EnumOrdinal") // The order is the code; it is written down nowhere else.
  public int code() {
    return ordinal();
  }

  /** The state with this code. */
  public static SpanState of(int code) {
    return ALL[code & 15];
  }

  /** Whether this is one of the waiting states of a goroutine. */
  public boolean waiting() {
    return code() >= WAIT_SYNC.code() && code() <= WAIT_OTHER.code();
  }

  /** Whether a goroutine in this state waits for a processor. */
  public boolean runnable() {
    return this == RUNNABLE || this == PREEMPTED;
  }

  /** Whether a goroutine in this state is in a system call. */
  public boolean syscall() {
    return this == SYSCALL || this == SYSCALL_NO_P;
  }

  /** Whether the lane counts as busy: something is executed for it. */
  public boolean busy() {
    return this == RUNNING || this == SYSCALL || this == ACTIVE;
  }

  /**
   * The waiting state for a wait reason. The texts are data of the trace; only their family is
   * decided here, by the same words Go's own profiles select on.
   */
  public static SpanState ofWaitReason(String reason) {
    if (reason.equals("network") || reason.equals("IO wait") || reason.startsWith("java net")) {
      return WAIT_NET;
    }
    if (reason.equals("sleep")
        || reason.equals("timer goroutine (idle)")
        || reason.startsWith("java sleep")) {
      return WAIT_SLEEP;
    }
    if (reason.contains("GC") || reason.contains("finalizer")) {
      return WAIT_GC;
    }
    if (reason.contains("chan")
        || reason.contains("sync")
        || reason.contains("select")
        || reason.contains("semacquire")
        || reason.equals("forever")
        || reason.startsWith("java ")) {
      return WAIT_SYNC;
    }
    return WAIT_OTHER;
  }
}
