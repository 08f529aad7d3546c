package dev.gmptrace.analyzer.model;

/** CPU profile samples; only approximately in order of time. */
public final class Samples {
  final PackedColumn time = new PackedColumn();
  final PackedColumn g = new PackedColumn();
  final PackedColumn p = new PackedColumn();
  final PackedColumn m = new PackedColumn();
  final PackedColumn stack = new PackedColumn();

  void add(long at, int goroutine, int proc, int thread, int stackId) {
    time.add(at);
    g.add(goroutine);
    p.add(proc);
    m.add(thread);
    stack.add(stackId);
  }

  /** Number of samples. */
  public int size() {
    return time.size();
  }

  /** When sample {@code i} was taken. */
  public long time(int i) {
    return time.get(i);
  }

  /** The goroutine (dense index) it hit, or -1. */
  public int g(int i) {
    return g.getInt(i);
  }

  /** The processor (dense index) it hit, or -1. */
  public int p(int i) {
    return p.getInt(i);
  }

  /** The thread (dense index) it hit, or -1. */
  public int m(int i) {
    return m.getInt(i);
  }

  /** Stack id of where it hit. */
  public int stack(int i) {
    return stack.getInt(i);
  }
}
