package dev.gmptrace.tracer.record;

import org.jspecify.annotations.Nullable;

/**
 * What a buffer holds for generations of one parity. Written by the thread in a section; by the
 * writer thread once it knows that no section of the generation can be open (see {@link
 * TraceBuffer}).
 */
final class Slot {
  @Nullable Chunk chunk;

  /** The bytes of the chunk, or an empty array without one. */
  byte[] bytes = NO_BYTES;

  /** Where the next event goes. */
  int pos;

  /** The last {@code pos} that an event may start at; -1 when there must be a segment first. */
  int limit = -1;

  int events;

  /** Time of the last event. */
  long time;

  /** Whose segment is open. */
  @Nullable TraceThread writer;

  /** Dropped and not yet told in the trace. */
  long lost;

  long lostFrom;
  long lostTo;

  /** Dropped in this generation. */
  long lostTotal;

  long resyncs;

  static final byte[] NO_BYTES = new byte[0];

  void reset() {
    chunk = null;
    bytes = NO_BYTES;
    pos = 0;
    limit = -1;
    events = 0;
    writer = null;
    lost = 0;
    lostTotal = 0;
    resyncs = 0;
  }
}
