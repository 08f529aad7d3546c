/**
 * Tests of the command, most of them through {@link dev.gmptrace.cli.Cli}: arguments in, text out.
 */
@NullMarked
package dev.gmptrace.cli;

import org.jspecify.annotations.NullMarked;
