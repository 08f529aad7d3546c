/** Outside of the runtime's packages, whose frames are left out of stacks. */
@NullMarked
package dev.gmptrace.sampled;

import org.jspecify.annotations.NullMarked;
