package dev.gmptrace.analyzer.model;

import dev.gmptrace.analyzer.read.ResourceKind;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Named stretches of time: GC cycles, stopped worlds, mark assists, sweeps. In order of start. */
public final class Ranges {
  private static final List<ResourceKind> SCOPES = List.of(ResourceKind.values());

  private record Key(int name, ResourceKind scope, long scopeId) {}

  private final Map<Key, Integer> open = new HashMap<>();
  private final IntColumn name = new IntColumn();
  private final ByteColumn scope = new ByteColumn();
  private final LongColumn scopeId = new LongColumn();
  private final LongColumn start = new LongColumn();
  private final LongColumn end = new LongColumn();
  private final ByteColumn flags = new ByteColumn();
  private final IntColumn stack = new IntColumn();
  private final IntColumn p = new IntColumn();
  private final LongColumn value = new LongColumn();
  private final LongColumn value2 = new LongColumn();

  private static final int BEFORE_TRACE = 1;
  private static final int OPEN_END = 2;

  void begin(long at, int nameId, ResourceKind scopeKind, long id, int stackId, int proc) {
    Key key = new Key(nameId, scopeKind, id);
    Integer before = open.put(key, add(at, nameId, scopeKind, id, stackId, proc, 0));
    if (before != null) {
      // Its end was not recorded; it came before this beginning.
      end.set(before, at);
    }
  }

  /** A range that was under way already; nothing to do when its beginning is known. */
  void active(int nameId, ResourceKind scopeKind, long id, int proc) {
    Key key = new Key(nameId, scopeKind, id);
    if (!open.containsKey(key)) {
      open.put(key, add(0, nameId, scopeKind, id, 0, proc, BEFORE_TRACE));
    }
  }

  void end(long at, int nameId, ResourceKind scopeKind, long id, long first, long second) {
    Integer i = open.remove(new Key(nameId, scopeKind, id));
    if (i == null) {
      i = add(0, nameId, scopeKind, id, 0, -1, BEFORE_TRACE);
    }
    end.set(i, at);
    flags.set(i, (byte) (flags.get(i) & ~OPEN_END));
    value.set(i, first);
    value2.set(i, second);
  }

  private int add(
      long at, int nameId, ResourceKind scopeKind, long id, int stackId, int proc, int flag) {
    name.add(nameId);
    scope.add((byte) SCOPES.indexOf(scopeKind));
    scopeId.add(id);
    start.add(at);
    end.add(at);
    flags.add((byte) (flag | OPEN_END));
    stack.add(stackId);
    p.add(proc);
    value.add(0);
    value2.add(0);
    return name.size() - 1;
  }

  void finish(long traceEnd) {
    for (int i : open.values()) {
      end.set(i, traceEnd);
    }
    open.clear();
  }

  /** Number of ranges. */
  public int size() {
    return name.size();
  }

  /** String id of its name. */
  public int name(int i) {
    return name.get(i);
  }

  /** What it is about. */
  public ResourceKind scope(int i) {
    return SCOPES.get(scope.get(i));
  }

  /** The id of what it is about, or -1. */
  public long scopeId(int i) {
    return scopeId.get(i);
  }

  /** When it began; 0 when that was before the trace. */
  public long start(int i) {
    return start.get(i);
  }

  /** When it ended; the end of the trace when it had not. */
  public long end(int i) {
    return end.get(i);
  }

  /** Whether it was under way when the trace began. */
  public boolean beganBefore(int i) {
    return (flags.get(i) & BEFORE_TRACE) != 0;
  }

  /** Whether the trace ended before it did. */
  public boolean openEnd(int i) {
    return (flags.get(i) & OPEN_END) != 0;
  }

  /** Stack id of where it was begun. */
  public int stack(int i) {
    return stack.get(i);
  }

  /** The processor (dense index) it began on, or -1. */
  public int p(int i) {
    return p.get(i);
  }

  /** What its end reported; of a sweep the bytes swept and reclaimed. */
  public Map<String, Long> attributes(int i) {
    Map<String, Long> map = new LinkedHashMap<>();
    if (value.get(i) != 0 || value2.get(i) != 0) {
      map.put("bytes swept", value.get(i));
      map.put("bytes reclaimed", value2.get(i));
    }
    return map;
  }
}
