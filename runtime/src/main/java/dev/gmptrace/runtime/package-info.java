/**
 * The scheduler: G, M, P and Sched with sysmon, netpoll and timers, after Go's {@code runtime}
 * package by name and by contract, and the API that goroutines are written with.
 *
 * <p>It depends on the tracer, to which it reports every transition, and on nothing else. Programs
 * and the cli depend on it. It must not know how a trace is read or shown. One class talks to the
 * internals of the JDK; no other may.
 */
@NullMarked
package dev.gmptrace.runtime;

import org.jspecify.annotations.NullMarked;
