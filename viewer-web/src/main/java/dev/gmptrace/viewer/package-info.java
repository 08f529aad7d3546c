/**
 * The timeline in a browser: a Javalin server over the analyzer's index, and the TypeScript page it
 * serves.
 *
 * <p>It depends on the analyzer. The cli starts it, and other programs may embed it. It holds no
 * trace of its own and must not know a file format or the runtime: what the page needs, it asks the
 * index for, at the zoom of the screen.
 */
@NullMarked
package dev.gmptrace.viewer;

import org.jspecify.annotations.NullMarked;
