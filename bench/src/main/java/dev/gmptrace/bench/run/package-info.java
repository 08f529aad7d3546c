/**
 * Starting what is measured: child processes with a time limit, the peers' programs found or built,
 * and how long a measurement may take.
 */
@NullMarked
package dev.gmptrace.bench.run;

import org.jspecify.annotations.NullMarked;
