/**
 * The workloads, and the peers that run on the JVM: what is measured, without any measuring.
 *
 * <p>A {@link dev.gmptrace.bench.workload.Peer} does a {@link dev.gmptrace.bench.workload.Workload}
 * in its own idiom and returns a number that proves the work was done. The peers in Go and Kotlin
 * live in {@code bench/peers} and do the same.
 */
@NullMarked
package dev.gmptrace.bench.workload;

import org.jspecify.annotations.NullMarked;
