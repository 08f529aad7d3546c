/**
 * The process that is measured: one peer, one workload, a warm-up, then a line of figures for every
 * run. The driver in {@link dev.gmptrace.bench.run} starts one of these per measurement.
 */
@NullMarked
package dev.gmptrace.bench.worker;

import org.jspecify.annotations.NullMarked;
