/** Tests of the readers and the ordering. */
@NullMarked
package dev.gmptrace.analyzer.read;

import org.jspecify.annotations.NullMarked;
