package dev.gmptrace.tracer.record;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The texts of one recorder that are not constants. Bounded: when the table is full, they get an id
 * without being kept, which costs bytes in the trace and nothing else.
 */
final class Interner {
  private static final int MAX_STRINGS = 1 << 16;
  private static final int MAX_TEXT = 1024;

  private final ConcurrentHashMap<String, TraceString> strings = new ConcurrentHashMap<>();
  private final AtomicInteger stringIds = new AtomicInteger();

  TraceString string(String text) {
    if (text.isEmpty()) {
      return TraceString.NONE;
    }
    String kept = text.length() <= MAX_TEXT ? text : text.substring(0, MAX_TEXT);
    TraceString known = strings.get(kept);
    if (known != null) {
      return known;
    }
    if (strings.size() >= MAX_STRINGS) {
      return newString(kept);
    }
    return strings.computeIfAbsent(kept, this::newString);
  }

  private TraceString newString(String text) {
    // Odd: even ids belong to constants.
    return new TraceString(2 * stringIds.getAndIncrement() + 1, text, false);
  }

  /** Forgets what the last two generations did not use, when there is much of it. */
  void prune(int gen) {
    if (strings.size() > MAX_STRINGS / 2) {
      strings.values().removeIf(string -> !string.usedLately(gen));
    }
  }
}
