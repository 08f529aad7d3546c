package dev.gmptrace.analyzer.index;

/**
 * How far a reader of the event table has come: the next entry of each of the model's logs. Times
 * would not do, because several rows can have the same.
 */
public record EventCursor(int goroutine, int proc, int point, int mark) {
  /** As {@link #toString} writes it. */
  public static EventCursor parse(String text) {
    if (!text.matches("\\d{1,9}(-\\d{1,9}){3}")) {
      throw new IllegalArgumentException(
          "\"" + text + "\" is no place among the events; use \"next\" of the page before");
    }
    String[] parts = text.split("-", -1);
    return new EventCursor(
        Integer.parseInt(parts[0]),
        Integer.parseInt(parts[1]),
        Integer.parseInt(parts[2]),
        Integer.parseInt(parts[3]));
  }

  @Override
  public String toString() {
    return goroutine + "-" + proc + "-" + point + "-" + mark;
  }
}
