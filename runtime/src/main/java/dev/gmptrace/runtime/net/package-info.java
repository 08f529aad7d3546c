/**
 * Go's {@code net} for goroutines: listeners and connections on non-blocking NIO channels. A
 * goroutine that would block waits in the scheduler's netpoller, shown as "IO wait", and costs no
 * thread; ten thousand idle connections are ten thousand parked goroutines.
 *
 * <p>Plain {@code java.net} sockets work in goroutines too; their waits are the JDK's and show as
 * "java park".
 */
@NullMarked
package dev.gmptrace.runtime.net;

import org.jspecify.annotations.NullMarked;
