package dev.gmptrace.tracer.wire;

import dev.gmptrace.tracer.wire.proto.ClockSnapshot;
import dev.gmptrace.tracer.wire.proto.EndOfGeneration;
import dev.gmptrace.tracer.wire.proto.EndOfTrace;
import dev.gmptrace.tracer.wire.proto.Header;
import dev.gmptrace.tracer.wire.proto.StackTable;
import dev.gmptrace.tracer.wire.proto.StringTable;

/** What a {@link PacketReader} meets in a file, in the file's order. */
public sealed interface TracePacket {
  /** What was recorded. */
  record Head(Header header) implements TracePacket {}

  /** Texts of a generation. */
  record Strings(StringTable table) implements TracePacket {}

  /** Stacks of a generation. */
  record Stacks(StackTable table) implements TracePacket {}

  /** One moment on all clocks. */
  record Clock(ClockSnapshot clock) implements TracePacket {}

  /** The generation is whole. */
  record GenerationEnd(EndOfGeneration end) implements TracePacket {}

  /** The recorder was stopped in good order. */
  record TraceEnd(EndOfTrace end) implements TracePacket {}

  /**
   * Events of one buffer, not yet decoded: {@code bytes[offset, offset + length)}. The array is the
   * reader's own copy of the frame and is never written again, so batches can be decoded on other
   * threads.
   */
  @SuppressWarnings("ArrayRecordComponent")
  record EventBatch(
      int generation,
      int p,
      int thread,
      long baseTime,
      int events,
      byte[] bytes,
      int offset,
      int length)
      implements TracePacket {
    /** A decoder at the first event. */
    public EventCursor cursor() {
      return new EventCursor(bytes, offset, length);
    }
  }

  /** Bytes that are no whole frame, and were skipped. */
  record Damage(long offset, long length, String what) implements TracePacket {}
}
