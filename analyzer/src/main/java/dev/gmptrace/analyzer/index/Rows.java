package dev.gmptrace.analyzer.index;

import java.util.PriorityQueue;

/**
 * Puts intervals that may overlap on as few rows as possible, none overlapping its row: each takes
 * the uppermost row that is free when it begins. So an interval inside another lies below it, and
 * the rows needed are exactly as many as intervals were ever open at once.
 */
final class Rows {
  private record Taken(long until, int row) {}

  private final PriorityQueue<Integer> free = new PriorityQueue<>();
  private final PriorityQueue<Taken> taken =
      new PriorityQueue<>((a, b) -> Long.compare(a.until, b.until));
  private int rows;

  /** The row of an interval; they must come in the order they begin. */
  int place(long start, long end) {
    for (Taken t = taken.peek(); t != null && t.until <= start; t = taken.peek()) {
      taken.poll();
      free.add(t.row);
    }
    Integer uppermost = free.poll();
    int row = uppermost == null ? rows++ : uppermost;
    taken.add(new Taken(end, row));
    return row;
  }
}
