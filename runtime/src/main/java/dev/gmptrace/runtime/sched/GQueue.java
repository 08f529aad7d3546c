package dev.gmptrace.runtime.sched;

import org.jspecify.annotations.Nullable;

/**
 * Go's {@code gQueue}: Gs linked through {@code schedlink}, first in first out. A G is on at most
 * one queue or free list at a time, which is invariant G3 made by construction. Not thread-safe.
 */
final class GQueue {
  private @Nullable G head;
  private @Nullable G tail;
  private int size;

  boolean isEmpty() {
    return head == null;
  }

  int size() {
    return size;
  }

  @Nullable G peek() {
    return head;
  }

  void push(G gp) {
    gp.schedlink = head;
    head = gp;
    if (tail == null) {
      tail = gp;
    }
    size++;
  }

  void pushBack(G gp) {
    gp.schedlink = null;
    if (tail != null) {
      tail.schedlink = gp;
    } else {
      head = gp;
    }
    tail = gp;
    size++;
  }

  /** Moves everything of {@code q} to the end of this queue. */
  void pushBackAll(GQueue q) {
    if (q.tail == null) {
      return;
    }
    if (tail != null) {
      tail.schedlink = q.head;
    } else {
      head = q.head;
    }
    tail = q.tail;
    size += q.size;
    q.head = null;
    q.tail = null;
    q.size = 0;
  }

  @Nullable G pop() {
    G gp = head;
    if (gp != null) {
      head = gp.schedlink;
      gp.schedlink = null;
      if (head == null) {
        tail = null;
      }
      size--;
    }
    return gp;
  }
}
