package dev.gmptrace.analyzer.model;

/** A number that changes over time: a metric of the trace, or a count the model keeps. */
public final class Series {
  private final String name;
  private final PackedColumn time = new PackedColumn();
  private final PackedColumn value = new PackedColumn();
  private long min = Long.MAX_VALUE;
  private long max = Long.MIN_VALUE;

  Series(String name) {
    this.name = name;
  }

  void add(long at, long v) {
    int n = value.size();
    if (n > 0 && value.get(n - 1) == v) {
      return;
    }
    time.add(at);
    value.add(v);
    min = Math.min(min, v);
    max = Math.max(max, v);
  }

  /** Its name, for instance {@code heap.alloc}. */
  public String name() {
    return name;
  }

  /** Number of changes. */
  public int size() {
    return value.size();
  }

  /** When the {@code i}-th change was. */
  public long time(int i) {
    return time.get(i);
  }

  /** The value from the {@code i}-th change on. */
  public long value(int i) {
    return value.get(i);
  }

  /** Its value at a time; 0 before the first change. */
  public long at(long t) {
    int i = time.lowerBound(t + 1) - 1;
    return i < 0 ? 0 : value.get(i);
  }

  /** The first change not before {@code at}. */
  public int lowerBound(long at) {
    return time.lowerBound(at);
  }

  /** Its least value. */
  public long min() {
    return size() == 0 ? 0 : min;
  }

  /** Its greatest value. */
  public long max() {
    return size() == 0 ? 0 : max;
  }

  /** Bytes held, for the memory report. */
  public long bytes() {
    return time.bytes() + value.bytes();
  }
}
