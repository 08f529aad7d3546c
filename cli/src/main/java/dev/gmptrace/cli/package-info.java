/**
 * The {@code gmptrace} command: one class a subcommand, each a thin layer of options and printing
 * over the module that does the work.
 *
 * <p>It may depend on every other module; only the bench depends on it. Anything a second program
 * could want (an analysis, an export, a server) belongs below, not here.
 */
@NullMarked
package dev.gmptrace.cli;

import org.jspecify.annotations.NullMarked;
