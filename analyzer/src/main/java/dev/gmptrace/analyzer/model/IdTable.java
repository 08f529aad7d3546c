package dev.gmptrace.analyzer.model;

/** Ids of processors or threads by dense index, in order of appearance. */
public final class IdTable {
  /** More than this many do not fit the two bytes a log gives them; the rest stay nameless. */
  static final int LIMIT = 0xfffe;

  private final LongIntMap byId = new LongIntMap();
  private final LongColumn ids = new LongColumn();
  private long lastId = -1;
  private int lastIndex = -1;

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

  /** How many there are. */
  public int size() {
    return ids.size();
  }
}
