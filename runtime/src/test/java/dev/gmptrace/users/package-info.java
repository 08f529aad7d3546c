/** Tests from outside of the runtime's packages, whose frames are left out of names and stacks. */
@NullMarked
package dev.gmptrace.users;

import org.jspecify.annotations.NullMarked;
