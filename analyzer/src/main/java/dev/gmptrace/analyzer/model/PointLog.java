package dev.gmptrace.analyzer.model;

/** Every {@link PointKind point event}, in order. */
public final class PointLog {
  final PackedColumn time = new PackedColumn();
  final PackedColumn kind = new PackedColumn();
  final PackedColumn g = new PackedColumn();
  final PackedColumn p = new PackedColumn();
  final PackedColumn m = new PackedColumn();
  final PackedColumn a = new PackedColumn();
  final PackedColumn b = new PackedColumn();
  final PackedColumn text = new PackedColumn();
  private final long[] counts = new long[PointKind.values().length];
  private final long[] sums = new long[counts.length];

  int add(
      long at,
      PointKind pointKind,
      int goroutine,
      int proc,
      int thread,
      long first,
      int second,
      int textId) {
    int i = time.size();
    time.add(at);
    kind.add(pointKind.code());
    g.add(goroutine);
    p.add(proc);
    m.add(thread);
    a.add(first);
    b.add(second);
    text.add(textId);
    counts[pointKind.code()]++;
    sums[pointKind.code()] += second;
    return i;
  }

  /** Number of points. */
  public int size() {
    return time.size();
  }

  /** How many points of this kind the whole trace has. */
  public long count(PointKind k) {
    return counts[k.code()];
  }

  /** Sum of {@link #b} over the points of this kind. */
  public long sum(PointKind k) {
    return sums[k.code()];
  }

  /** When point {@code i} was. */
  public long time(int i) {
    return time.get(i);
  }

  /** The first point not before {@code at}. */
  public int lowerBound(long at) {
    return time.lowerBound(at);
  }

  /** What it was. */
  public PointKind kind(int i) {
    return PointKind.of(kind.getInt(i));
  }

  int kindOrdinal(int i) {
    return kind.getInt(i);
  }

  /** Goroutine (dense index) or -1. */
  public int g(int i) {
    return g.getInt(i);
  }

  /** Processor (dense index) or -1. */
  public int p(int i) {
    return p.getInt(i);
  }

  /** Thread (dense index) or -1. */
  public int m(int i) {
    return m.getInt(i);
  }

  /** First argument; see {@link PointKind}. */
  public long a(int i) {
    return a.get(i);
  }

  /** Second argument; see {@link PointKind}. */
  public int b(int i) {
    return b.getInt(i);
  }

  /** String id of its text, 0 when none. */
  public int text(int i) {
    return text.getInt(i);
  }

  /** Bytes held, for the memory report. */
  public long bytes() {
    return time.bytes()
        + kind.bytes()
        + g.bytes()
        + p.bytes()
        + m.bytes()
        + a.bytes()
        + b.bytes()
        + text.bytes();
  }
}
