package dev.gmptrace.analyzer.model;

/** Every state change of every processor, in order. */
public final class ProcLog {
  final PackedColumn time = new PackedColumn();
  final PackedColumn p = new PackedColumn();
  final PackedColumn states = new PackedColumn();
  final PackedColumn m = new PackedColumn();
  final PackedColumn by = new PackedColumn();

  int add(long at, int proc, int from, int to, int thread, int byThread) {
    int i = time.size();
    time.add(at);
    p.add(proc);
    states.add(from << 4 | to);
    m.add(thread);
    by.add(byThread);
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
    return p.getInt(i);
  }

  /** {@link SpanState} ordinal before the change. */
  public int oldState(int i) {
    return states.getInt(i) >> 4 & 15;
  }

  /** {@link SpanState} ordinal after the change. */
  public int newState(int i) {
    return states.getInt(i) & 15;
  }

  /** The thread that holds or held it (dense index), or -1. */
  public int m(int i) {
    return m.getInt(i);
  }

  /** The thread that made the change; differs from {@link #m} when the processor was taken. */
  public int by(int i) {
    return by.getInt(i);
  }

  /** Bytes held, for the memory report. */
  public long bytes() {
    return time.bytes() + p.bytes() + states.bytes() + m.bytes() + by.bytes();
  }
}
