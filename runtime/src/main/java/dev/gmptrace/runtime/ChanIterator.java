package dev.gmptrace.runtime;

import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/** Receives with each step. */
final class ChanIterator<T> implements Iterator<T> {
  private final ReceiveChan<T> from;
  private @Nullable T next;

  ChanIterator(ReceiveChan<T> from) {
    this.from = from;
  }

  @Override
  public boolean hasNext() {
    if (next == null) {
      next = from.receive();
    }
    return next != null;
  }

  @Override
  public T next() {
    T v = next;
    if (v == null) {
      v = from.receive();
      if (v == null) {
        throw new NoSuchElementException("the channel is closed and empty");
      }
    }
    next = null;
    return v;
  }
}
