/** Tests of the scheduler, from single structures to storms. */
@NullMarked
package dev.gmptrace.runtime.sched;

import org.jspecify.annotations.NullMarked;
