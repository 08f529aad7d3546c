package dev.gmptrace.tracer.record;

/**
 * The mark of a goroutine or a P: what the trace last said about it, and when.
 *
 * <pre>
 * 63                    32 31                   3 2     0
 * | previous generation   |     generation       | state |
 * </pre>
 *
 * The low half is compared as one int with what an event expects, so that one comparison asks both
 * "has it had its status in this generation?" and "does the event fit its last state?". The high
 * half is the generation it was touched in before: while generation g + 1 is written, the writer
 * still has to know whether the thing was touched in g. Both halves change in one store.
 */
final class TraceMark {
  static final int STATE_BITS = 3;
  static final int STATE_MASK = 7;

  /** It has ended; nothing more is said of it. */
  static final int DEAD = 6;

  /** An event of it was dropped, so the trace does not know. */
  static final int UNKNOWN = 7;

  private TraceMark() {}

  static int generation(long mark) {
    return (int) mark >>> STATE_BITS;
  }

  static int state(long mark) {
    return (int) mark & STATE_MASK;
  }

  /** The mark after something happened in generation {@code gen} that leads to {@code state}. */
  static long touch(long mark, int gen, int state) {
    int last = generation(mark);
    long previous = last == gen ? mark & 0xffffffff00000000L : (long) last << 32;
    return previous | (gen << STATE_BITS | state);
  }

  static boolean touchedIn(long mark, int gen) {
    int last = generation(mark);
    return last == gen || (last == gen + 1 && (int) (mark >>> 32) == gen);
  }
}
