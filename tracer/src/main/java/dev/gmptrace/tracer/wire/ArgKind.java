package dev.gmptrace.tracer.wire;

/** What an argument of an event stands for, and so how its varint is to be read. */
public enum ArgKind {
  /** Ticks since the event before it in the same segment. Always the first argument. */
  DELTA("ticks since the previous event of the segment"),
  /** Ticks on the clock of the trace. */
  TIME("absolute ticks"),
  /** A goroutine id; 0 is none. */
  GOROUTINE("goroutine id"),
  /** The id of a P. */
  PROC("P id"),
  /** The id of an M; negative ids are streams that belong to no M. Zigzag coded. */
  THREAD("M id, zigzag"),
  /** A sequence number, or 0 for "directly after, in this same stream". */
  SEQUENCE("sequence number; 0 = next after the one before it in this stream"),
  /** An id in the string table of the generation; 0 is the empty text. */
  STRING("string id"),
  /** An id in the stack table of the generation; 0 is no stack. */
  STACK("stack id"),
  /** A {@link GoStatus}. */
  GO_STATUS("goroutine status"),
  /** A {@link ProcStatus}. */
  PROC_STATUS("P status"),
  /** A {@link ThreadStatus}. */
  THREAD_STATUS("M status"),
  /** The id of a user task; 0 is the background task. */
  TASK("task id"),
  /** A plain number: a count, a size, one of a few constants. */
  VALUE("number");

  private final String meaning;

  ArgKind(String meaning) {
    this.meaning = meaning;
  }

  /** One line for the format description. */
  public String meaning() {
    return meaning;
  }
}
