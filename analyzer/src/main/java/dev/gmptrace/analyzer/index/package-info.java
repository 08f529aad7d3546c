/**
 * Answers at the zoom asked: lanes, tiles, exact spans and their causes, arrows, counters, search.
 *
 * <p>{@link dev.gmptrace.analyzer.index.Trace#open} is the door. A request names a lane, a time
 * window and a width in pixels and gets at most two pieces a pixel, so its cost follows the screen
 * and not the file. Everything here is immutable once built and may be asked from any thread.
 */
@NullMarked
package dev.gmptrace.analyzer.index;

import org.jspecify.annotations.NullMarked;
