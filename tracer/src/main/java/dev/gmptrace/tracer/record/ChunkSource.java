package dev.gmptrace.tracer.record;

import org.jspecify.annotations.Nullable;

/** Where the chunks of buffers come from and go to. Called inside of sections: never blocks. */
interface ChunkSource {
  /** An empty chunk for the buffer of a P or of a thread, or null if there is none left. */
  @Nullable Chunk takeChunk(boolean ofProc);

  /** Takes a chunk that is full. */
  void handOver(Chunk full);
}
