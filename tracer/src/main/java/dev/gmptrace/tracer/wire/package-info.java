/**
 * The wire format: {@link dev.gmptrace.tracer.wire.EventType} is the one table of events, {@link
 * dev.gmptrace.tracer.wire.PacketWriter} and {@link dev.gmptrace.tracer.wire.PacketReader} write
 * and read the frames of a {@code trace.bin}, and {@link dev.gmptrace.tracer.wire.EventCursor}
 * walks over the events of a batch. A leaf: it knows no recorder and no meaning. The format is told
 * in {@code docs/TRACE_FORMAT.md}, whose tables a test compares with the code.
 */
@NullMarked
package dev.gmptrace.tracer.wire;

import org.jspecify.annotations.NullMarked;
