package dev.gmptrace.tracer.record;

import org.jspecify.annotations.Nullable;

/** Reads what HotSpot keeps of a throwable's stack; {@link Stacks} draws it. */
final class Backtrace {
  private static final int METHODS = 0;
  private static final int INDEXES = 1;
  private static final int CLASSES = 2;
  private static final int NEXT = 5;
  private static final int LENGTH = 7;

  private Backtrace() {}

  /** Up to so many frames below our own, or null if it is not built as we know it. */
  static @Nullable RawStack read(Object backtrace, int depth) {
    Object chunk = backtrace;
    Class<?>[] owners = new Class<?>[depth];
    long[] places = new long[depth];
    int skipped = 0;
    int count = 0;
    boolean atTop = true;
    while (chunk != null) {
      if (!(chunk instanceof Object[] parts
          && parts.length == LENGTH
          && parts[METHODS] instanceof short[] methods
          && parts[INDEXES] instanceof int[] indexes
          && parts[CLASSES] instanceof Object[] classes
          && classes.length <= methods.length
          && classes.length <= indexes.length)) {
        return null;
      }
      for (int i = 0; i < classes.length; i++) {
        Object owner = classes[i];
        if (owner == null || count == depth) {
          return new RawStack(owners, places, count, skipped);
        }
        if (!(owner instanceof Class<?> type)) {
          return null;
        }
        if (atTop && OwnFrames.isOurs(type)) {
          skipped++;
          continue;
        }
        atTop = false;
        owners[count] = type;
        places[count++] = (long) methods[i] << 32 | (indexes[i] & 0xffffffffL);
      }
      chunk = parts[NEXT];
    }
    return new RawStack(owners, places, count, skipped);
  }
}
