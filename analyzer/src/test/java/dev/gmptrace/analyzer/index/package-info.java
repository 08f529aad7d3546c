/** Tests of the index. */
@NullMarked
package dev.gmptrace.analyzer.index;

import org.jspecify.annotations.NullMarked;
