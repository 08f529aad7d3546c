package dev.gmptrace.tracer.record;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The way of full chunks to the writer: many put them in, one takes all there are. A list linked
 * through the chunks, so it has no end and needs no memory, and putting one in is a single
 * compare-and-set, before which nothing has happened and after which nothing is left to do.
 */
final class FullChunks {
  private final AtomicReference<@Nullable Chunk> last = new AtomicReference<>();

  void put(Chunk chunk) {
    do {
      chunk.next = last.get();
    } while (!last.compareAndSet(chunk.next, chunk));
  }

  boolean isEmpty() {
    return last.get() == null;
  }

  /** All that are in it, in the order they came, linked by {@link Chunk#next}. */
  @Nullable Chunk takeAll() {
    Chunk chunk = isEmpty() ? null : last.getAndSet(null);
    Chunk first = null;
    while (chunk != null) {
      Chunk before = chunk.next;
      chunk.next = first;
      first = chunk;
      chunk = before;
    }
    return first;
  }
}
