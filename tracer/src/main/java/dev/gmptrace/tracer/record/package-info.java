/**
 * The recorder. A scheduler gives every P a {@link dev.gmptrace.tracer.record.TraceBuffer} and
 * every thread a {@link dev.gmptrace.tracer.record.TraceThread}, lets its goroutines and Ps extend
 * {@link dev.gmptrace.tracer.record.TracedG} and {@link dev.gmptrace.tracer.record.TracedP}, and
 * shows itself through {@link dev.gmptrace.tracer.record.TraceSubject}. {@link
 * dev.gmptrace.tracer.record.Tracer} then starts and stops recordings and flight recorders.
 *
 * <p>The way of an event: a method of {@code TraceBuffer} encodes it into the chunk of the P, with
 * no lock and no allocation; a full chunk goes over a queue to the {@code TraceWriter} thread,
 * which frames it and gives it to every {@code Sink}. Nothing comes back but empty chunks. The
 * scheduler never waits: with no chunk left, events are dropped and counted.
 */
@NullMarked
package dev.gmptrace.tracer.record;

import org.jspecify.annotations.NullMarked;
