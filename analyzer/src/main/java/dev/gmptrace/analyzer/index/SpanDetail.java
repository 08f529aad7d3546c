package dev.gmptrace.analyzer.index;

import dev.gmptrace.analyzer.model.Frame;
import dev.gmptrace.analyzer.model.SpanState;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Everything known about one span.
 *
 * @param p processor id, -1 when none
 * @param m thread id, -1 when none
 * @param startStack stack recorded when it began
 * @param endStack stack recorded when it ended
 * @param why a sentence: why it began
 * @param whyEnded a sentence: why it ended
 * @param cause who made the goroutine runnable, for spans where that is the question
 * @param regions names of the regions the goroutine was in, outermost first
 * @param tasks names of the tasks of those regions
 * @param taskIds their ids, in the same order
 * @param unknownWhy for unknown time, why it is unknown; else ""
 */
public record SpanDetail(
    LaneId lane,
    long start,
    long end,
    SpanState state,
    String stateLabel,
    String reason,
    long g,
    String gName,
    long p,
    long m,
    List<Frame> startStack,
    List<Frame> endStack,
    String why,
    String whyEnded,
    @Nullable Cause cause,
    @Nullable SpanRef prevInLane,
    @Nullable SpanRef nextInLane,
    @Nullable SpanRef prevOfG,
    @Nullable SpanRef nextOfG,
    List<String> regions,
    List<String> tasks,
    List<Long> taskIds,
    List<String> labels,
    String unknownWhy) {

  /** A span to go to. */
  public record SpanRef(
      LaneId lane, long start, long end, SpanState state, String reason, long g) {}

  /** How a goroutine became runnable. */
  public enum CauseKind {
    /** Another goroutine created it. */
    CREATED,
    /** Another goroutine woke it. */
    WOKEN,
    /** The network poller found its socket ready. */
    NETPOLL,
    /** A timer fired. */
    TIMER,
    /** Its system call ended when no processor was free. */
    SYSCALL_EXIT,
    /** It was pushed off its processor. */
    PREEMPTED,
    /** It gave its processor up. */
    YIELDED,
    /** The trace does not say. */
    UNKNOWN
  }

  /** Who or what made a goroutine runnable, where and when; {@code byG} is -1 when nobody. */
  public record Cause(
      CauseKind kind, long byG, String byName, long p, long m, long atNs, String text) {}
}
