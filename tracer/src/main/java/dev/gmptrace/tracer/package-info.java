/**
 * What a trace is. {@code tracer.wire} holds the table of events and the container that {@code
 * trace.bin} is made of; {@code tracer.record} holds the recorder that a scheduler writes into.
 *
 * <p>This module is linked into every traced program, so it stays small: it depends on JCTools and
 * protobuf-java and on nothing else. Everybody may depend on it. It must not know what a scheduler
 * is made of (it sees one through {@code TraceSubject}) nor what a trace means: understanding lives
 * in the analyzer.
 */
@NullMarked
package dev.gmptrace.tracer;

import org.jspecify.annotations.NullMarked;
