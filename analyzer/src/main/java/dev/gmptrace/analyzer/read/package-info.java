/**
 * From a file to one ordered stream of events. {@link dev.gmptrace.analyzer.read.TraceReader} opens
 * a gmp trace or a Go execution trace (Go 1.22 and newer), puts the events of all threads into the
 * one order the scheduler's own rules allow, and hands them to an {@link
 * dev.gmptrace.analyzer.read.EventSink} as a reused {@link dev.gmptrace.analyzer.read.TraceEvent}.
 *
 * <p>Above this package nobody knows which format a trace came from, where generations begin, or
 * that string and stack ids are local to one of them in the file.
 *
 * <p>Memory is bounded by the open generation's tables and a few blocks of ordered events; the file
 * itself is mapped, not loaded. Nothing in a file is trusted: sizes are checked against the bytes
 * that are there before anything is allocated for them.
 */
@NullMarked
package dev.gmptrace.analyzer.read;

import org.jspecify.annotations.NullMarked;
