/**
 * {@code GODEBUG=schedtrace} to the letter: {@link dev.gmptrace.tracer.schedtrace.SchedSnapshot} is
 * the state of a scheduler at one instant, {@link dev.gmptrace.tracer.schedtrace.SchedTraceFormat}
 * prints it exactly as a Go runtime would, and {@link
 * dev.gmptrace.tracer.schedtrace.SchedTraceParser} reads such lines back, ours or Go's.
 *
 * <p>A live scheduler fills the snapshot from its own fields and a recording from its events, so
 * the two kinds of lines can only differ in their numbers. Nothing here knows either of them.
 */
@NullMarked
package dev.gmptrace.tracer.schedtrace;

import org.jspecify.annotations.NullMarked;
