/** Tests of the package of the same name. */
@NullMarked
package dev.gmptrace.bench.report;

import org.jspecify.annotations.NullMarked;
