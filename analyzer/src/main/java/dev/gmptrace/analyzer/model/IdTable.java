package dev.gmptrace.analyzer.model;

/** Ids of processors or threads by dense index, in order of appearance. */
public final class IdTable {
  /**
   * No scheduler has so many (Go's stops at 10,000 threads), and a lane costs half a kilobyte: what
   * a damaged file names beyond that has none, and the trace says so.
   */
  static final int LIMIT = 0xfffe;

  private final LongIntMap byId = new LongIntMap();
  private final LongColumn ids = new LongColumn();
  private long lastId = -1;
  private int lastIndex = -1;
  private boolean full;

  int index(long id) {
    if (id < 0) {
      return -1;
    }
    if (id == lastId) {
      return lastIndex;
    }
    int i = byId.get(id);
    if (i < 0) {
      if (ids.size() >= LIMIT) {
        full = true;
        return -1;
      }
      i = ids.size();
      byId.put(id, i);
      ids.add(id);
    }
    lastId = id;
    lastIndex = i;
    return i;
  }

  /** The dense index of an id, or -1. */
  public int find(long id) {
    return byId.get(id);
  }

  /** The id at an index; -1 for index -1. */
  public long id(int index) {
    return index < 0 ? -1 : ids.get(index);
  }

  /** Whether there were more than it takes; those have no lane. */
  public boolean full() {
    return full;
  }

  /** How many there are. */
  public int size() {
    return ids.size();
  }
}
