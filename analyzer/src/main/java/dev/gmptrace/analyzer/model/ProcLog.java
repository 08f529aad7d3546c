package dev.gmptrace.analyzer.model;

/** Every state change of every processor, in order. */
public final class ProcLog {
  final TimeColumn time = new TimeColumn();
  final ShortColumn p = new ShortColumn();
  final ByteColumn states = new ByteColumn();
  final ShortColumn m = new ShortColumn();
  final ShortColumn by = new ShortColumn();

  int add(long at, int proc, int from, int to, int thread, int byThread) {
    int i = time.size();
    time.add(at);
    p.add((short) proc);
    states.add((byte) (from << 4 | to));
    m.add((short) thread);
    by.add((short) byThread);
    return i;
  }

  /** Number of changes. */
  public int size() {
    return time.size();
  }

  /** When change {@code i} happened. */
  public long time(int i) {
    return time.get(i);
  }

  /** The first change not before {@code at}. */
  public int lowerBound(long at) {
    return time.lowerBound(at);
  }

  /** Which processor (dense index). */
  public int p(int i) {
    return GoroutineLog.place(p.get(i));
  }

  /** {@link SpanState} ordinal before the change. */
  public int oldState(int i) {
    return states.get(i) >> 4 & 15;
  }

  /** {@link SpanState} ordinal after the change. */
  public int newState(int i) {
    return states.get(i) & 15;
  }

  /** The thread that holds or held it (dense index), or -1. */
  public int m(int i) {
    return GoroutineLog.place(m.get(i));
  }

  /** The thread that made the change; differs from {@link #m} when the processor was taken. */
  public int by(int i) {
    return GoroutineLog.place(by.get(i));
  }

  /** Bytes held, for the memory report. */
  public long bytes() {
    return time.bytes() + p.bytes() + states.bytes() + m.bytes() + by.bytes();
  }
}
