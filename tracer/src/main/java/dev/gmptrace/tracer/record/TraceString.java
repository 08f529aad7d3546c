package dev.gmptrace.tracer.record;

import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A text that events refer to. Wait reasons and the like are made once with {@link #constant} and
 * kept in static fields; texts that come and go are made by {@link Tracer#intern}.
 */
public final class TraceString extends Interned {
  private static final ConcurrentHashMap<String, TraceString> CONSTANTS = new ConcurrentHashMap<>();
  private static final CopyOnWriteArrayList<TraceString> LIST = new CopyOnWriteArrayList<>();

  /** The empty text. */
  public static final TraceString NONE = new TraceString(0, "", true);

  private final String text;

  TraceString(int id, String text, boolean constant) {
    super(id, constant);
    this.text = text;
  }

  /**
   * The text as a constant of the process: it is never forgotten and is part of every trace, in
   * exchange for the smallest ids. Same text, same object.
   */
  public static TraceString constant(String text) {
    if (text.isEmpty()) {
      return NONE;
    }
    TraceString known = CONSTANTS.get(text);
    if (known != null) {
      return known;
    }
    synchronized (LIST) {
      return CONSTANTS.computeIfAbsent(
          text,
          t -> {
            // Constants have even ids, the texts of a recorder odd ones.
            TraceString made = new TraceString(2 * (LIST.size() + 1), t, true);
            LIST.add(made);
            return made;
          });
    }
  }

  static List<TraceString> constants() {
    return LIST;
  }

  public String text() {
    return text;
  }

  @Override
  public String toString() {
    return text;
  }
}
