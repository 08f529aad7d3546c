/**
 * Measuring: JMH benchmarks of single operations, and side-by-side runs against the peers that
 * print ratios with their spread.
 *
 * <p>It may depend on everything and nothing depends on it. No test asserts a time measured here.
 */
@NullMarked
package dev.gmptrace.bench;

import org.jspecify.annotations.NullMarked;
