/** Tests of the package of the same name. */
@NullMarked
package dev.gmptrace.bench.workload;

import org.jspecify.annotations.NullMarked;
