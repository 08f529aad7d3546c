/**
 * What the environment says about a run: {@code GMPDEBUG}, {@code GMPMAXPROCS}, and Go's {@code
 * GODEBUG} and {@code GOMAXPROCS} in their place when they are unset.
 *
 * <p>{@link dev.gmptrace.runtime.config.RuntimeConfig} is the result, an immutable record that the
 * scheduler and the tracer are built from; {@link dev.gmptrace.runtime.config.DebugKey} is the one
 * list of keys, with their kinds, defaults and sentences, that the parser, the warnings and {@code
 * docs/GMPDEBUG.md} share. A value that cannot be used is a {@link
 * dev.gmptrace.runtime.config.ConfigException} before anything has started.
 */
@NullMarked
package dev.gmptrace.runtime.config;

import org.jspecify.annotations.NullMarked;
