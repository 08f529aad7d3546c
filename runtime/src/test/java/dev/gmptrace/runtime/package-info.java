/** The API as its users see it: behaviour, order, races, classic programs. */
@NullMarked
package dev.gmptrace.runtime;

import org.jspecify.annotations.NullMarked;
