package dev.gmptrace.analyzer.read;

import dev.gmptrace.tracer.wire.ArgKind;
import dev.gmptrace.tracer.wire.EventType;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * The segments of one thread in one generation. A thread writes into the buffer of whatever P it
 * holds, so its events are spread over many batches; every piece carries the thread and its number
 * among the thread's pieces, which is all it takes to put them together again.
 */
final class GmpSegments implements StreamSource {
  /** By type: how many arguments follow the time. Segments stand between runs, not in them. */
  private static final byte[] ARG_COUNTS = new byte[256];

  private static final byte[] ZIGZAG = new byte[256];

  static {
    for (int id = 0; id < ARG_COUNTS.length; id++) {
      EventType type = EventType.byId(id);
      ARG_COUNTS[id] = (byte) (type == null || !type.timed() ? -1 : type.args().size() - 1);
      if (type != null && type.timed()) {
        for (int i = 1; i < type.args().size(); i++) {
          if (type.args().get(i).kind() == ArgKind.THREAD) {
            ZIGZAG[id] |= (byte) (1 << (i - 1));
          }
        }
      }
    }
  }

  private final long thread;
  private final LongConsumer consumed;
  private final List<Segment> segments = new ArrayList<>();
  private double nanosPerTick;

  /** Bytes {@code from} to {@code to} of an array that has that offset in the file. */
  private static final class Segment {
    final byte[] bytes;
    final int from;
    final int to;
    final long offset;
    final long number;
    final long ticks;
    final long lastTicks;

    Segment(byte[] bytes, int from, int to, long offset, long number, long ticks, long lastTicks) {
      this.bytes = bytes;
      this.from = from;
      this.to = to;
      this.offset = offset;
      this.number = number;
      this.ticks = ticks;
      this.lastTicks = lastTicks;
    }
  }

  GmpSegments(long thread, LongConsumer consumed) {
    this.thread = thread;
    this.consumed = consumed;
  }

  /** A piece; its first event is not before {@code ticks}, its last one was at the other. */
  void add(byte[] bytes, int from, int to, long offset, long number, long ticks, long lastTicks) {
    segments.add(new Segment(bytes, from, to, offset, number, ticks, lastTicks));
  }

  /**
   * Puts the pieces in order, and returns how many are missing among them. Where some are, that
   * becomes a gap of the thread, as long as the recorder's own {@code told} say, or else as long as
   * it may have been.
   */
  long finish(double nanosPerTickOfTrace, List<Loss> told, List<Loss> gaps) {
    nanosPerTick = nanosPerTickOfTrace;
    segments.sort(Comparator.comparingLong((Segment s) -> s.number));
    long missing = 0;
    boolean twice = false;
    long next = 0;
    for (Segment s : segments) {
      twice |= s.number < next;
      missing += Math.max(0, s.number - next);
      next = s.number + 1;
    }
    if (missing > 0 && !twice && thread >= 0) {
      gaps.addAll(gaps(told));
    }
    if (twice) {
      // An id was given to a new thread after the old one's end: only times can tell them apart.
      segments.sort(Comparator.comparingLong((Segment s) -> s.ticks));
    }
    return missing;
  }

  private List<Loss> gaps(List<Loss> told) {
    List<Loss> gaps = new ArrayList<>();
    for (int i = 1; i < segments.size(); i++) {
      Segment before = segments.get(i - 1);
      Segment s = segments.get(i);
      if (s.number > before.number + 1) {
        long from = EventStream.nanos(before.lastTicks, nanosPerTick);
        long to = Math.max(from, EventStream.nanos(s.ticks, nanosPerTick));
        long first = to;
        for (Loss l : told) {
          if (l.from() <= to && l.to() >= from) {
            first = Math.min(first, Math.max(from, l.from()));
          }
        }
        gaps.add(
            new Loss(
                told.isEmpty() ? from : first, to, 0, TraceEvent.NONE, thread, s.offset + s.from));
      }
    }
    return gaps;
  }

  /** How many arguments follow the time of an event of that type, or -1 if it is no such event. */
  static int argCount(int type) {
    return ARG_COUNTS[type];
  }

  long thread() {
    return thread;
  }

  @Override
  public EventStream open(OrderContext ctx) {
    // What the recorder, the JVM and the sampler report belongs to no thread.
    return new Stream(thread < 0 ? new ThreadState(TraceEvent.NONE) : ctx.thread(thread));
  }

  private final class Stream extends EventStream {
    private int run;

    Stream(ThreadState state) {
      super(state, ARG_COUNTS, ZIGZAG, nanosPerTick);
    }

    @Override
    boolean nextRun() {
      if (run == segments.size()) {
        return false;
      }
      Segment s = segments.get(run++);
      startRun(s.bytes, s.from, s.to, s.offset, s.ticks);
      consumed.accept(s.to - s.from);
      return true;
    }
  }
}
