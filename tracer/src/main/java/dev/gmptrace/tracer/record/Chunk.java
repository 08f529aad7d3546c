package dev.gmptrace.tracer.record;

import dev.gmptrace.tracer.wire.PacketWriter;
import org.jspecify.annotations.Nullable;

/**
 * A piece of memory for events, and what a batch says about them. At any time it belongs to one
 * party: a {@link Slot}, the queue to the writer, the writer, or the pool.
 *
 * <pre>
 * | headroom for the frame | events ... | what no event fits into any more |
 * 0                       64          end                          bytes.length
 * </pre>
 */
final class Chunk {
  static final int START = PacketWriter.BATCH_HEADROOM;

  final byte[] bytes;
  int end;
  int events;
  int generation;
  int p;
  int thread;
  long time;

  /** In {@link FullChunks}. */
  @Nullable Chunk next;

  Chunk(int size) {
    bytes = new byte[size];
  }
}
