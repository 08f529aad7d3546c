package dev.gmptrace.analyzer.model;

/**
 * Every state change of every goroutine, in order. A change ends the goroutine's previous span and
 * begins its next one, so this one log is all spans of all goroutines.
 *
 * <pre>
 *   time     when
 *   g        goroutine (dense index)
 *   states   old state in the high nibble, new one in the low
 *   reason   index of the reason: why it waits, why it was stopped
 *   p, m     where the change happened: for a wake-up or creation that is the waker's place
 *   stack    stack of whoever made the change
 *   actor    goroutine that created or woke it, or -1
 *   rank     how many changes this goroutine had before
 * </pre>
 *
 * All packed: some six bytes a change instead of the 27 of plain arrays. When a span ends follows
 * from the goroutine's next change, found through {@link Goroutines#changeAt}.
 */
public final class GoroutineLog {
  /** No processor, thread or goroutine. */
  public static final int NOBODY = -1;

  final PackedColumn time = new PackedColumn();
  final PackedColumn g = new PackedColumn();
  final PackedColumn states = new PackedColumn();
  final PackedColumn reason = new PackedColumn();
  final PackedColumn p = new PackedColumn();
  final PackedColumn m = new PackedColumn();
  final PackedColumn stack = new PackedColumn();
  final PackedColumn actor = new PackedColumn();
  final PackedColumn rank = new PackedColumn();

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
    states.add(from << 4 | to);
    reason.add(reasonId);
    p.add(proc);
    m.add(thread);
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
    return g.getInt(i);
  }

  /** {@link SpanState} ordinal before the change. */
  public int oldState(int i) {
    return states.getInt(i) >> 4 & 15;
  }

  /** {@link SpanState} ordinal after the change. */
  public int newState(int i) {
    return states.getInt(i) & 15;
  }

  /** Both: {@code oldState << 4 | newState}. */
  public int bothStates(int i) {
    return states.getInt(i);
  }

  /** String id of the reason. */
  public int reason(int i) {
    return reason.getInt(i);
  }

  /** Processor (dense index) or {@link #NOBODY}. */
  public int p(int i) {
    return p.getInt(i);
  }

  /** Thread (dense index) or {@link #NOBODY}. */
  public int m(int i) {
    return m.getInt(i);
  }

  /** Stack id. */
  public int stack(int i) {
    return stack.getInt(i);
  }

  /** Goroutine (dense index) that caused it, or {@link #NOBODY}. */
  public int actor(int i) {
    return actor.getInt(i);
  }

  /** Number of changes the goroutine had before this one. */
  public int rank(int i) {
    return rank.getInt(i);
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
