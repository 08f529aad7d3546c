/**
 * {@code GMPDEBUG=gctrace=1}: a line on standard error for every collection of the JVM, in the
 * manner of Go's {@code gctrace}, from the notifications of the JVM's own collector beans.
 */
@NullMarked
package dev.gmptrace.runtime.gctrace;

import org.jspecify.annotations.NullMarked;
