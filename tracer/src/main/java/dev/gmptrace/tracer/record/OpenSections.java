package dev.gmptrace.tracer.record;

/**
 * What is asked about the stack of a thread around its sections, where it costs nothing or little:
 * at annotations, when a chunk is full, and when something has gone wrong.
 */
final class OpenSections {
  private static final StackWalker WALKER =
      StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

  /** As many calls as a section is deep, and some. */
  private static final int DEPTH = 40;

  private OpenSections() {}

  /**
   * Overflows the stack if a section might: before anything has begun that must be ended. Frames
   * are as small or as large as those of a section, since both are compiled or both are not.
   */
  static void needStack() {
    if (down(DEPTH) != 0) {
      throw new AssertionError();
    }
  }

  private static int down(int left) {
    return left == 0 ? 0 : down(left - 1);
  }

  /**
   * Whether the section that is about to be opened would be inside of another: whether, below those
   * who are opening it, there is a call of a class that opens sections, or of a buffer.
   */
  static boolean isInside() {
    return WALKER.walk(frames -> {
      Class<?>[] opener = {null};
      boolean[] left = {false};
      return frames
          .map(StackWalker.StackFrame::getDeclaringClass)
          .dropWhile(c -> c == OpenSections.class || isBuffer(c))
          .anyMatch(c -> {
            if (opener[0] == null) {
              opener[0] = c;
            }
            boolean opens = c == opener[0] || c == Tracer.class || isBuffer(c);
            left[0] |= !opens;
            return left[0] && opens;
          });
    });
  }

  private static boolean isBuffer(Class<?> c) {
    return BufferCore.class.isAssignableFrom(c);
  }
}
