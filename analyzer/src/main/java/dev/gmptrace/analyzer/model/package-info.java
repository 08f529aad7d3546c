/**
 * What every goroutine, processor and thread did, as columns.
 *
 * <p>One pass over the ordered events fills append-only primitive columns: a log of goroutine state
 * changes, a log of processor state changes, a log of point events (steals, wake-ups, hand-offs …),
 * and smaller tables for ranges, metrics, tasks, regions, log messages and CPU samples. Nothing is
 * an object per event, and columns are packed (see {@link
 * dev.gmptrace.analyzer.model.PackedColumn}); twelve million events take some ten bytes each,
 * everything included.
 *
 * <p>Times are nanoseconds since the first event. Event times rise strictly, so a time names an
 * event.
 */
@NullMarked
package dev.gmptrace.analyzer.model;

import org.jspecify.annotations.NullMarked;
