/**
 * What recording costs: nanoseconds and bytes for an event, events for a second of the writer. Run
 * {@link dev.gmptrace.bench.tracer.TracerFigures}; it prints one table against the budgets.
 */
@NullMarked
package dev.gmptrace.bench.tracer;

import org.jspecify.annotations.NullMarked;
