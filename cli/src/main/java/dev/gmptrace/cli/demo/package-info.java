/**
 * The workloads of {@code gmptrace demo}: each a small program on the runtime's public API that
 * shows one behaviour of the scheduler on a timeline. {@link dev.gmptrace.cli.demo.Workloads} lists
 * them and {@link dev.gmptrace.cli.demo.DemoMain} runs one, in a JVM of its own.
 *
 * <p>They are also the project's examples, so they are written for reading.
 */
@NullMarked
package dev.gmptrace.cli.demo;

import org.jspecify.annotations.NullMarked;
