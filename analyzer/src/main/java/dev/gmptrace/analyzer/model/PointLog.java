package dev.gmptrace.analyzer.model;

/** Every {@link PointKind point event}, in order. */
public final class PointLog {
  final TimeColumn time = new TimeColumn();
  final ByteColumn kind = new ByteColumn();
  final IntColumn g = new IntColumn();
  final ShortColumn p = new ShortColumn();
  final ShortColumn m = new ShortColumn();
  final LongColumn a = new LongColumn();
  final IntColumn b = new IntColumn();
  final IntColumn text = new IntColumn();
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
    kind.add((byte) pointKind.code());
    g.add(goroutine);
    p.add((short) proc);
    m.add((short) thread);
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
    return PointKind.of(kind.get(i));
  }

  int kindOrdinal(int i) {
    return kind.get(i);
  }

  /** Goroutine (dense index) or -1. */
  public int g(int i) {
    return g.get(i);
  }

  /** Processor (dense index) or -1. */
  public int p(int i) {
    return GoroutineLog.place(p.get(i));
  }

  /** Thread (dense index) or -1. */
  public int m(int i) {
    return GoroutineLog.place(m.get(i));
  }

  /** First argument; see {@link PointKind}. */
  public long a(int i) {
    return a.get(i);
  }

  /** Second argument; see {@link PointKind}. */
  public int b(int i) {
    return b.get(i);
  }

  /** String id of its text, 0 when none. */
  public int text(int i) {
    return text.get(i);
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
