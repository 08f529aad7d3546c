/**
 * The parts of a report: scheduler, tracer, analyzer and viewer, start-up. Each measures, prints
 * its tables and adds its figures to the results.
 */
@NullMarked
package dev.gmptrace.bench.section;

import org.jspecify.annotations.NullMarked;
