/**
 * Reading and understanding traces. {@code analyzer.read} turns a gmp or a Go trace into one
 * ordered stream of events; {@code analyzer.model} knows what every G, P and M did; {@code
 * analyzer.index} answers at the zoom asked; {@code analyzer.stats} says what it amounts to.
 *
 * <p>It depends on the tracer for the wire format. The viewer and the cli depend on it. Nothing
 * above {@code analyzer.read} knows which file format a trace came from, and nothing here knows
 * about HTTP, terminals or a live scheduler.
 */
@NullMarked
package dev.gmptrace.analyzer;

import org.jspecify.annotations.NullMarked;
