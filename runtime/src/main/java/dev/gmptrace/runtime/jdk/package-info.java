/**
 * The only place that touches the inside of the JDK. Everything else of the runtime is plain Java
 * on top of {@link dev.gmptrace.runtime.jdk.Jdk}, so that a new JDK release means reading one class
 * again.
 */
@NullMarked
package dev.gmptrace.runtime.jdk;

import org.jspecify.annotations.NullMarked;
