/**
 * Ordered events as text for people and programs: Go's own notation, one line a person can read,
 * JSON lines, and how many bytes each kind of event takes in a file. Library pieces; the cli gives
 * them a command line.
 */
@NullMarked
package dev.gmptrace.analyzer.print;

import org.jspecify.annotations.NullMarked;
