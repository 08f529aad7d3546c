package dev.gmptrace.analyzer.model;

/**
 * Every state change of every goroutine, in order. A change ends the goroutine's previous span and
 * begins its next one, so this one log is all spans of all goroutines.
 *
 * <pre>
 *   time     4   when (distance within a chunk, see TimeColumn)
 *   g        4   goroutine (dense index)
 *   states   1   old state in the high nibble, new one in the low
 *   reason   2   string id: why it waits, why it was stopped
 *   p, m     2+2 where the change happened: for a wake-up or creation that is the waker's place
 *   stack    4   stack of whoever made the change
 *   actor    4   goroutine that created or woke it, or -1
 *   rank     4   how many changes this goroutine had before
 * </pre>
 *
 * 27 bytes a change. When a span ends follows from the goroutine's next change, found through
 * {@link Goroutines#changeAt}.
 */
public final class GoroutineLog {
  /** No processor, thread or goroutine. */
  public static final int NOBODY = -1;

  final TimeColumn time = new TimeColumn();
  final IntColumn g = new IntColumn();
  final ByteColumn states = new ByteColumn();
  final ShortColumn reason = new ShortColumn();
  final ShortColumn p = new ShortColumn();
  final ShortColumn m = new ShortColumn();
  final IntColumn stack = new IntColumn();
  final IntColumn actor = new IntColumn();
  final IntColumn rank = new IntColumn();

  private int seen;

  int add(
      long at,
      int goroutine,
      int from,
      int to,
      int reasonId,
      int proc,
      int thread,
      int stackId,
      int actorG,
      int rankInG) {
    int i = time.size();
    seen |= 1 << to;
    time.add(at);
    g.add(goroutine);
    states.add((byte) (from << 4 | to));
    reason.add((short) reasonId);
    p.add((short) proc);
    m.add((short) thread);
    stack.add(stackId);
    actor.add(actorG);
    rank.add(rankInG);
    return i;
  }

  /** Number of changes. */
  public int size() {
    return time.size();
  }

  /** The states that occur after a change, a bit for each {@link SpanState#code}. */
  public int states() {
    return seen;
  }

  /** When change {@code i} happened. */
  public long time(int i) {
    return time.get(i);
  }

  /** The first change not before {@code at}. */
  public int lowerBound(long at) {
    return time.lowerBound(at);
  }

  /** Whose change it was (dense index). */
  public int g(int i) {
    return g.get(i);
  }

  /** {@link SpanState} ordinal before the change. */
  public int oldState(int i) {
    return states.get(i) >> 4 & 15;
  }

  /** {@link SpanState} ordinal after the change. */
  public int newState(int i) {
    return states.get(i) & 15;
  }

  /** String id of the reason. */
  public int reason(int i) {
    return reason.get(i) & 0xffff;
  }

  /** Processor (dense index) or {@link #NOBODY}. */
  public int p(int i) {
    return place(p.get(i));
  }

  /** Thread (dense index) or {@link #NOBODY}. */
  public int m(int i) {
    return place(m.get(i));
  }

  /** Stack id. */
  public int stack(int i) {
    return stack.get(i);
  }

  /** Goroutine (dense index) that caused it, or {@link #NOBODY}. */
  public int actor(int i) {
    return actor.get(i);
  }

  /** Number of changes the goroutine had before this one. */
  public int rank(int i) {
    return rank.get(i);
  }

  static int place(short stored) {
    return stored == -1 ? NOBODY : stored & 0xffff;
  }

  /** Bytes held, for the memory report. */
  public long bytes() {
    return time.bytes()
        + g.bytes()
        + states.bytes()
        + reason.bytes()
        + p.bytes()
        + m.bytes()
        + stack.bytes()
        + actor.bytes()
        + rank.bytes();
  }
}
