/**
 * Tests of the viewer: its server over HTTP, the front end's logic in Node, and the page itself in
 * a real browser. The last two are run by Node and reported here one by one.
 */
@NullMarked
package dev.gmptrace.viewer;

import org.jspecify.annotations.NullMarked;
