/**
 * Answers about a whole trace or a window of it: statistics, goroutine groups with percentiles,
 * profiles, tasks, regions, minimum mutator utilisation, findings, validation and reconstructed
 * schedtrace snapshots. All answers are records, ready to be printed or written as JSON.
 */
@NullMarked
package dev.gmptrace.analyzer.stats;

import org.jspecify.annotations.NullMarked;
