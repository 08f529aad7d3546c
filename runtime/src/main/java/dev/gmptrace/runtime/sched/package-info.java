/**
 * The scheduler proper, after Go's {@code runtime/proc.go}: who runs, where, and what happens when
 * nobody can.
 *
 * <p>Where to find what a Go reader looks for:
 *
 * <ul>
 *   <li>{@link dev.gmptrace.runtime.sched.G}, {@link dev.gmptrace.runtime.sched.M}, {@link
 *       dev.gmptrace.runtime.sched.P}, {@link dev.gmptrace.runtime.sched.Sched}: runtime2.go
 *   <li>{@link dev.gmptrace.runtime.sched.Proc}: getg, gopark, goready, Gosched, newproc as seen
 *       from a goroutine
 *   <li>{@code Schedule}: schedule, execute, park_m, goexit0 on the M's own stack (g0)
 *   <li>{@code FindRunnable}: findRunnable, stealWork and the spinning protocol
 *   <li>{@code Threads}: startm, stopm, wakep, handoffp, newm, the locked pair
 *   <li>{@code RunQueue}: runqput, runqget, runqgrab; {@code GQueue}: the global queue
 * </ul>
 *
 * <p>This package is the inside of the runtime: the public face is {@code dev.gmptrace.runtime}.
 * Only channels, sync and net, which are written on {@code Proc}, should need it.
 */
@NullMarked
package dev.gmptrace.runtime.sched;

import org.jspecify.annotations.NullMarked;
