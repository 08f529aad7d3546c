package dev.gmptrace.analyzer.read;

/** What a transition, a range or a label is about. */
public enum ResourceKind {
  /** Nothing in particular: the whole program. */
  NONE("None"),
  /** A goroutine, G. */
  GOROUTINE("Goroutine"),
  /** A proc, P: the right to run. */
  PROC("Proc"),
  /** A thread, M. */
  THREAD("Thread");

  private static final ResourceKind[] ALL = values();
  private final String text;

  ResourceKind(String text) {
    this.text = text;
  }

  /** The kind as it is printed. */
  public String text() {
    return text;
  }

  /** The number that stands for it in an event's row. */
  @SuppressWarnings("EnumOrdinal")
  int code() {
    return ordinal();
  }

  static ResourceKind of(int code) {
    return ALL[code];
  }
}
