package dev.gmptrace.analyzer.model;

/**
 * Every goroutine of the trace, by a dense index in order of appearance, and its changes in the
 * {@link GoroutineLog}.
 */
public final class Goroutines {
  private static final int PARTS = 4;
  private static final int LEAST_PART = 1 << 20;

  private final LongIntMap byId = new LongIntMap();
  final LongColumn id = new LongColumn();
  final IntColumn name = new IntColumn();
  final IntColumn startStack = new IntColumn();
  final IntColumn parent = new IntColumn();
  final LongColumn created = new LongColumn();
  final LongColumn ended = new LongColumn();
  final IntColumn changes = new IntColumn();
  final IntColumn label = new IntColumn();

  private int[] offset = new int[1];
  private final PackedColumn order = new PackedColumn();

  int add(long goid) {
    int g = id.size();
    byId.put(goid, g);
    id.add(goid);
    name.add(0);
    startStack.add(0);
    parent.add(GoroutineLog.NOBODY);
    created.add(-1);
    ended.add(-1);
    changes.add(0);
    label.add(0);
    return g;
  }

  /**
   * Sorts the log by goroutine: counting sort, the rank of a change is already known. What is
   * sorted goes into a packed column from the front, so only a part of it is in an array at a time,
   * at the price of looking at the log once for each part.
   */
  void arrange(GoroutineLog log) {
    int n = id.size();
    offset = new int[n + 1];
    for (int g = 0; g < n; g++) {
      offset[g + 1] = offset[g] + changes.get(g);
    }
    int size = log.size();
    int[] part = new int[Math.min(size, Math.max(LEAST_PART, size / PARTS + 1))];
    for (int from = 0; from < size; from += part.length) {
      int to = Math.min(size, from + part.length);
      sort(log, from, to, part);
      for (int i = from; i < to; i++) {
        order.add(part[i - from]);
      }
    }
  }

  /** Fills in what stands at {@code from} to {@code to} of the sorted log. */
  private void sort(GoroutineLog log, int from, int to, int[] part) {
    int size = log.size();
    long[] whose = new long[PackedColumn.BLOCK];
    long[] rank = new long[PackedColumn.BLOCK];
    for (int i = 0; i < size; i += PackedColumn.BLOCK) {
      int count = log.g.block(i / PackedColumn.BLOCK, whose);
      log.rank.block(i / PackedColumn.BLOCK, rank);
      for (int k = 0; k < count; k++) {
        int place = offset[(int) whose[k]] + (int) rank[k];
        if (place >= from && place < to) {
          part[place - from] = i + k;
        }
      }
    }
  }

  /** Number of goroutines. */
  public int size() {
    return id.size();
  }

  /** The dense index of a goroutine id, or -1. */
  public int find(long goid) {
    return byId.get(goid);
  }

  /** The goroutine's id, or -1 for index -1. */
  public long id(int g) {
    return g < 0 ? -1 : id.get(g);
  }

  /** String id of the function it started in, 0 when the trace does not say. */
  public int name(int g) {
    return name.get(g);
  }

  /** Stack id of where it starts. */
  public int startStack(int g) {
    return startStack.get(g);
  }

  /** The goroutine (dense index) that created it, or -1. */
  public int parent(int g) {
    return parent.get(g);
  }

  /** When it was created, or -1 when that was before the trace. */
  public long created(int g) {
    return created.get(g);
  }

  /** When it ended, or -1 when it outlived the trace. */
  public long ended(int g) {
    return ended.get(g);
  }

  /** String id of its latest label. */
  public int label(int g) {
    return label.get(g);
  }

  /** How many changes it has in the log. */
  public int changes(int g) {
    return changes.get(g);
  }

  /** The log index of its {@code k}-th change. */
  public int changeAt(int g, int k) {
    return order.getInt(offset[g] + k);
  }

  /** Bytes held, for the memory report. */
  public long bytes() {
    return id.bytes() * 3
        + name.bytes() * 5
        + offset.length * 4L
        + order.bytes()
        + byId.size() * 24L;
  }
}
