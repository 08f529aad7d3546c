/** Tests of the answers. */
@NullMarked
package dev.gmptrace.analyzer.stats;

import org.jspecify.annotations.NullMarked;
