/**
 * What recording costs without a scheduler around it: nanoseconds and bytes for an event and a
 * stack, events for a second of the writer.
 */
@NullMarked
package dev.gmptrace.bench.tracer;

import org.jspecify.annotations.NullMarked;
