package dev.gmptrace.analyzer.model;

/** Events that are a moment rather than a span. */
public enum PointKind {
  /** Work taken from another processor: a = victim processor, b = how many. */
  STEAL("steal"),
  /** Goroutines taken from the global queue: b = how many. */
  GLOBAL_GET("from global queue"),
  /** Goroutines put on the global queue: b = how many. */
  GLOBAL_PUT("to global queue"),
  /** Half of a full local queue moved to the global one: b = how many. */
  OVERFLOW("local queue overflow"),
  /** A processor was woken because there is work: a = the processor. */
  WAKE("wake processor"),
  /** A processor was handed to another thread: a = the processor. */
  HANDOFF("hand-off"),
  /** A thread began to look for work. */
  SPIN_START("spin start"),
  /** A thread stopped looking for work. */
  SPIN_STOP("spin stop"),
  /** A thread began. */
  THREAD_START("thread start"),
  /** A thread ended. */
  THREAD_STOP("thread stop"),
  /** A thread went to sleep. */
  THREAD_PARK("thread park"),
  /** A thread woke another: a = the other's id. */
  THREAD_UNPARK("thread unpark"),
  /** A timer fired: a = nanoseconds late; the goroutine, when it woke one. */
  TIMER("timer"),
  /** The network poller had goroutines ready: b = how many. */
  NETPOLL("netpoll"),
  /** A processor was taken from a thread in a system call: a = the thread it was taken from. */
  PROC_STEAL("processor taken from syscall"),
  /** A goroutine was labelled. */
  LABEL("label"),
  /** A log message. */
  LOG("log"),
  /** Events were lost: b = how many, a = until when. */
  LOST("events lost"),
  /** A CPU profile sample. */
  CPU_SAMPLE("cpu sample"),
  /** The beginning of a generation of the trace. */
  SYNC("sync"),
  /** Why a goroutine was woken: the text says it. */
  WAKE_REASON("wake reason"),
  /**
   * A goroutine entered a system call: a = how long it lasted. Not in the log of points, where it
   * would say again what the changes of goroutines say; queries make it of those.
   */
  SYSCALL("syscall"),
  /** Anything else. */
  OTHER("other");

  private static final PointKind[] ALL = values();

  private final String label;

  PointKind(String label) {
    this.label = label;
  }

  /** For people: lower case, short. */
  public String label() {
    return label;
  }

  /** What stands for it in columns: its place in this list. */
  @SuppressWarnings("EnumOrdinal") // The order is the code; it is written down nowhere else.
  public int code() {
    return ordinal();
  }

  /** The kind with this code. */
  public static PointKind of(int code) {
    return ALL[code];
  }
}
