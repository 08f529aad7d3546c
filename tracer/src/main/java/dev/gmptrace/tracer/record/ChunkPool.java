package dev.gmptrace.tracer.record;

import java.util.concurrent.atomic.AtomicInteger;
import org.jctools.queues.varhandle.SpmcVarHandleArrayQueue;
import org.jspecify.annotations.Nullable;

/**
 * A bounded number of chunks of one size. Threads in a section take them, and only the writer gives
 * them back, so a queue of one producer and many consumers holds the free ones.
 *
 * <p>Each owner of a buffer keeps a chunk until its generation ends, and may have begun another by
 * then. These two do not count: with many owners, there would be none left for those who fill
 * theirs.
 */
final class ChunkPool {
  private final int chunkBytes;
  private final int maxChunks;
  private final AtomicInteger made = new AtomicInteger();
  private final SpmcVarHandleArrayQueue<Chunk> free;

  ChunkPool(int chunkBytes, int maxChunks) {
    this.chunkBytes = chunkBytes;
    this.maxChunks = maxChunks;
    this.free = new SpmcVarHandleArrayQueue<>(Math.max(2, maxChunks));
  }

  @Nullable Chunk take(int owners) {
    Chunk chunk = free.poll();
    int most = maxChunks + 2 * owners;
    if (chunk != null || made.get() >= most) {
      return chunk;
    }
    if (made.getAndIncrement() < most) {
      try {
        return new Chunk(chunkBytes);
      } catch (OutOfMemoryError e) {
        // The program has more use for what is left; its events are counted as lost.
      }
    }
    made.getAndDecrement();
    return null;
  }

  boolean owns(Chunk chunk) {
    return chunk.bytes.length == chunkBytes;
  }

  /** By the writer. What was made for many owners goes when it is not needed any more. */
  void giveBack(Chunk chunk) {
    if (!free.offer(chunk)) {
      made.getAndDecrement();
    }
  }
}
