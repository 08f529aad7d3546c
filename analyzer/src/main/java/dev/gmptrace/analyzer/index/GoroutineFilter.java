package dev.gmptrace.analyzer.index;

import dev.gmptrace.analyzer.model.SpanState;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which goroutines are meant. Everything that is set must hold.
 *
 * @param text a part of the start function or label, or the id
 * @param group the exact start function
 * @param ids goroutine ids, empty for any
 * @param states it was in one of them inside the window
 * @param label a part of its label
 * @param reason it waited for exactly this reason inside the window
 * @param minDurationNs it lived at least that long
 * @param maxDurationNs it lived at most that long
 * @param from the window; it lived in it
 * @param to the window's end
 */
@SuppressWarnings("ArrayRecordComponent") // A query, never compared.
public record GoroutineFilter(
    @Nullable String text,
    @Nullable String group,
    long[] ids,
    Set<SpanState> states,
    @Nullable String label,
    @Nullable String reason,
    long minDurationNs,
    long maxDurationNs,
    long from,
    long to) {

  private static final GoroutineFilter ALL =
      new GoroutineFilter(
          null, null, new long[0], Set.of(), null, null, 0, Long.MAX_VALUE, 0, Long.MAX_VALUE);

  /** Every goroutine. */
  public static GoroutineFilter all() {
    return ALL;
  }

  /** Only those with this text in their start function or label, or as their id. */
  public GoroutineFilter withText(@Nullable String t) {
    return new GoroutineFilter(
        t, group, ids, states, label, reason, minDurationNs, maxDurationNs, from, to);
  }

  /** Only those that started in this function. */
  public GoroutineFilter withGroup(@Nullable String g) {
    return new GoroutineFilter(
        text, g, ids, states, label, reason, minDurationNs, maxDurationNs, from, to);
  }

  /** Only these. */
  public GoroutineFilter withIds(long... i) {
    return new GoroutineFilter(
        text, group, i, states, label, reason, minDurationNs, maxDurationNs, from, to);
  }

  /** Only those that were in one of these states. */
  public GoroutineFilter withStates(Set<SpanState> s) {
    return new GoroutineFilter(
        text, group, ids, s, label, reason, minDurationNs, maxDurationNs, from, to);
  }

  /** Only those with this text in their label. */
  public GoroutineFilter withLabel(@Nullable String l) {
    return new GoroutineFilter(
        text, group, ids, states, l, reason, minDurationNs, maxDurationNs, from, to);
  }

  /** Only those that waited for this reason. */
  public GoroutineFilter withReason(@Nullable String r) {
    return new GoroutineFilter(
        text, group, ids, states, label, r, minDurationNs, maxDurationNs, from, to);
  }

  /** Only those that lived this long. */
  public GoroutineFilter withDuration(long min, long max) {
    return new GoroutineFilter(text, group, ids, states, label, reason, min, max, from, to);
  }

  /** Only what happened in {@code [f, t)}. */
  public GoroutineFilter withWindow(long f, long t) {
    return new GoroutineFilter(
        text, group, ids, states, label, reason, minDurationNs, maxDurationNs, f, t);
  }

  /** Whether it lets every goroutine through. */
  public boolean isAll() {
    return text == null
        && group == null
        && ids.length == 0
        && states.isEmpty()
        && label == null
        && reason == null
        && minDurationNs <= 0
        && maxDurationNs == Long.MAX_VALUE
        && from <= 0
        && to == Long.MAX_VALUE;
  }
}
