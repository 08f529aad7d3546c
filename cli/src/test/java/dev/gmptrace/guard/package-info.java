/** Guards of the house: module borders, the two builds alike, and what the scripts promise. */
@NullMarked
package dev.gmptrace.guard;

import org.jspecify.annotations.NullMarked;
