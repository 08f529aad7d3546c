/** Sockets on the netpoller. */
@NullMarked
package dev.gmptrace.runtime.net;

import org.jspecify.annotations.NullMarked;
