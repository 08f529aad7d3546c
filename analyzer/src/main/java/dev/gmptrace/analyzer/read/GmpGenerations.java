package dev.gmptrace.analyzer.read;

import dev.gmptrace.tracer.wire.EventType;
import dev.gmptrace.tracer.wire.FileFormat;
import dev.gmptrace.tracer.wire.PacketReader;
import dev.gmptrace.tracer.wire.TracePacket;
import dev.gmptrace.tracer.wire.proto.EndOfGeneration;
import dev.gmptrace.tracer.wire.proto.Frame;
import dev.gmptrace.tracer.wire.proto.Stack;
import dev.gmptrace.tracer.wire.proto.StackTable;
import dev.gmptrace.tracer.wire.proto.StringTable;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Gathers the packets of a gmp trace into generations. Those of a generation may come while the one
 * before is still open; each says to which it belongs, and the end of each is a packet too.
 *
 * <p>A frame that was damaged is passed over with a warning. What it held is then missing from its
 * generation, which is ordered as far as the rest allows.
 */
final class GmpGenerations implements GenerationSource {
  private static final int SEGMENT = EventType.SEGMENT.id();
  private static final int EVENTS_LOST = EventType.EVENTS_LOST.id();

  private final PacketReader packets;
  private final TraceTables tables;
  private final LongConsumer consumed;
  private final double nanosPerTick;
  private final Map<Integer, Gathering> open = new TreeMap<>();
  private final Deque<Generation> ready = new ArrayDeque<>();
  private List<TraceWarning> warnings = new ArrayList<>();
  private int closed;
  private boolean damaged;
  private boolean sawTraceEnd;
  private boolean atEnd;

  GmpGenerations(
      PacketReader packets, TraceTables tables, long ticksPerSecond, LongConsumer consumed) {
    this.packets = packets;
    this.tables = tables;
    this.consumed = consumed;
    this.nanosPerTick = 1e9 / ticksPerSecond;
  }

  @Override
  public Step next() {
    try {
      while (ready.isEmpty() && !atEnd) {
        readOne();
      }
    } catch (DamageException e) {
      return Step.broken(e);
    } catch (RuntimeException e) {
      // A frame that passed its checksum and still is nonsense.
      return Step.broken(new DamageException(packets.position(), String.valueOf(e.getMessage())));
    }
    List<TraceWarning> noticed = warnings;
    warnings = new ArrayList<>();
    Generation generation = ready.poll();
    if (generation != null) {
      return new Step(generation, null, false, noticed);
    }
    TraceWarning damage =
        sawTraceEnd ? null : new TraceWarning(packets.position(), packets.ending());
    return new Step(null, damage, true, noticed);
  }

  private void readOne() throws DamageException {
    TracePacket packet = packets.next();
    if (packet == null) {
      atEnd = true;
      for (Gathering g : open.values()) {
        g.torn("it has no end in the file; what was not yet written is missing");
        ready.add(g.finish());
      }
      open.clear();
      return;
    }
    switch (packet) {
      case TracePacket.Head _ -> {}
      case TracePacket.Strings s -> at(s.table().getGeneration()).add(s.table());
      case TracePacket.Stacks s -> at(s.table().getGeneration()).add(s.table());
      case TracePacket.Clock c ->
          at(c.clock().getGeneration()).clock =
              new ClockSnapshot(
                  nanos(c.clock().getTicks()),
                  c.clock().getNanoTime(),
                  Instant.EPOCH.plusNanos(c.clock().getWallNanos()));
      case TracePacket.EventBatch b -> at(b.generation()).add(b);
      case TracePacket.GenerationEnd e -> close(e.end());
      case TracePacket.TraceEnd e -> {
        sawTraceEnd = true;
        int missing = e.end().getOvergrownGenerations();
        if (missing > 0) {
          warnings.add(
              new TraceWarning(
                  packets.position(),
                  missing
                      + " generations are missing, each larger than the flight recorder's ring:"
                      + " give it more bytes, or shorten the generations"));
        }
      }
      case TracePacket.Damage d -> {
        damaged = true;
        consumed.accept(d.length());
        warnings.add(new TraceWarning(d.offset(), d.length() + " bytes were skipped: " + d.what()));
      }
    }
  }

  private long nanos(long ticks) {
    return EventStream.nanos(ticks, nanosPerTick);
  }

  private Gathering at(int generation) throws DamageException {
    if (generation <= closed) {
      throw new DamageException(
          packets.position(),
          "a packet of generation " + generation + " after the end of that generation");
    }
    return open.computeIfAbsent(generation, n -> new Gathering(n, packets.position()));
  }

  private void close(EndOfGeneration end) throws DamageException {
    int number = end.getGeneration();
    at(number).check(end);
    // Generations end in order; one that is still open has lost its end to damage.
    for (Gathering g : List.copyOf(open.values())) {
      if (g.number > number) {
        break;
      }
      if (g.number < number) {
        g.torn("its end is missing from the file");
      }
      open.remove(g.number);
      ready.add(g.finish());
    }
    closed = number;
  }

  /** A generation whose packets are still coming. */
  private final class Gathering {
    final int number;
    final long offset;
    final LocalIds strings = new LocalIds();
    final LocalIds stacks = new LocalIds();
    final List<StackTable> stackTables = new ArrayList<>();
    final Map<Integer, GmpSegments> byThread = new TreeMap<>();
    final List<Loss> losses = new ArrayList<>();
    @Nullable ClockSnapshot clock;
    int batches;
    long minTicks = Long.MAX_VALUE;
    boolean lossy;
    boolean torn;

    /** The time of the event that {@link #skip} has last stepped over. */
    private long ticks;

    Gathering(int number, long offset) {
      this.number = number;
      this.offset = offset;
    }

    void lossy(String why) {
      lossy = true;
      warn(why);
    }

    void torn(String why) {
      torn = true;
      lossy(why);
    }

    void warn(String why) {
      warnings.add(new TraceWarning(offset, "generation " + number + ": " + why));
    }

    void add(StringTable table) {
      int n = Math.min(table.getIdCount(), table.getTextCount());
      for (int i = 0; i < n; i++) {
        strings.put(table.getId(i), tables.addString(table.getText(i)));
      }
    }

    /** Stacks name strings that may come later, so they wait. */
    void add(StackTable table) {
      stackTables.add(table);
    }

    void add(TracePacket.EventBatch batch) throws DamageException {
      batches++;
      byte[] b = batch.bytes();
      long base = packets.position() - b.length;
      int at = batch.offset();
      int end = at + batch.length();
      GmpSegments segments = null;
      int from = at;
      long seq = 0;
      long begin = 0;
      while (at < end) {
        int type = b[at] & 0xff;
        if (type == SEGMENT) {
          if (segments != null) {
            // Also an empty one: its number would seem missing.
            segments.add(b, from, at, base, seq, begin, ticks);
          }
          ByteCursor c = new ByteCursor(b, at + 1, end, base);
          long m = c.uvarint();
          seq = c.uvarint();
          begin = c.uvarint();
          ticks = begin;
          minTicks = Math.min(minTicks, begin);
          int thread = (int) (m >>> 1 ^ -(m & 1));
          segments = byThread.computeIfAbsent(thread, t -> new GmpSegments(t, consumed));
          at = (int) (c.offset() - base);
          from = at;
        } else {
          int event = at;
          at = skip(b, at, end, base);
          if (segments == null) {
            throw new DamageException(base + from, "a batch that does not begin with a segment");
          }
          if (type == EVENTS_LOST) {
            lost(batch, new ByteCursor(b, event + 1, at, base), base + event);
          }
        }
      }
      if (segments != null) {
        segments.add(b, from, end, base, seq, begin, ticks);
      }
    }

    /** Whoever tells it and when: the buffer is the batch's, and so is the P. */
    private void lost(TracePacket.EventBatch batch, ByteCursor event, long offset)
        throws DamageException {
      event.uvarint();
      long count = event.uvarint();
      long from = nanos(event.uvarint());
      long to = nanos(event.uvarint());
      long proc = batch.p() < 0 ? TraceEvent.NONE : batch.p();
      long thread = proc >= 0 || batch.thread() < 0 ? TraceEvent.NONE : batch.thread();
      losses.add(new Loss(from, Math.max(from, to), count, proc, thread, offset));
    }

    /** The place behind the event at {@code at}. */
    private int skip(byte[] b, int at, int end, long base) throws DamageException {
      int count = GmpSegments.argCount(b[at] & 0xff);
      if (count < 0) {
        throw new DamageException(
            base + at, "found event type " + (b[at] & 0xff) + ", which no stream contains");
      }
      int next = at + 1;
      long delta = 0;
      int shift = 0;
      do {
        if (next >= end) {
          throw new DamageException(base + at, "an event is cut off by the end of its batch");
        }
        delta |= (b[next] & 0x7fL) << shift;
        shift += 7;
      } while (b[next++] < 0);
      ticks += delta;
      for (int i = 0; i < count; i++) {
        do {
          if (next >= end) {
            throw new DamageException(base + at, "an event is cut off by the end of its batch");
          }
        } while (b[next++] < 0);
      }
      return next;
    }

    void check(EndOfGeneration end) {
      if (end.getLostEvents() > 0) {
        lossy("the recorder lost " + end.getLostEvents() + " events for want of buffers");
      }
      if (end.getResyncs() > 0) {
        lossy = true;
      }
      if (batches < end.getBatches()) {
        torn((end.getBatches() - batches) + " of its " + end.getBatches() + " batches are missing");
      }
      minTicks = Math.min(minTicks, end.getStartTicks());
    }

    Generation finish() {
      long unknown = internStacks();
      if (unknown > 0) {
        lossy(unknown + " frames name strings that are missing");
      }
      long missing = 0;
      List<Loss> told = List.copyOf(losses);
      List<GmpSegments> sources = new ArrayList<>();
      for (GmpSegments s : byThread.values()) {
        missing += s.finish(nanosPerTick, told, losses);
        // The recorder's own statuses come first among events of the same time.
        sources.add(s.thread() == FileFormat.RECORDER_STREAM ? 0 : sources.size(), s);
      }
      if (missing > 0) {
        torn |= told.isEmpty();
        lossy(missing + " pieces of threads' events are missing");
      }
      losses.sort(Comparator.comparingLong(Loss::from));
      long start = minTicks == Long.MAX_VALUE ? 0 : nanos(minTicks);
      Generation generation =
          new Generation(number, strings, stacks, new CpuSamples(), start, clock, offset);
      generation.streams.addAll(sources);
      generation.lossy = lossy || damaged;
      generation.losses = losses;
      generation.torn = torn || damaged;
      if (generation.lossy) {
        strings.orElse(tables.addString("?"));
        stacks.orElse(TraceTables.NO_STACK);
      }
      return generation;
    }

    private long internStacks() {
      long unknown = 0;
      int missing = tables.addString("?");
      for (StackTable table : stackTables) {
        for (Stack stack : table.getStackList()) {
          int[] frames = new int[stack.getFrameCount()];
          for (int i = 0; i < frames.length; i++) {
            Frame f = stack.getFrame(i);
            int function = strings.get(f.getFunction());
            int file = strings.get(f.getFile());
            unknown += (function < 0 ? 1 : 0) + (file < 0 ? 1 : 0);
            frames[i] =
                tables.addFrame(
                    new TraceTables.Frame(
                        0,
                        function < 0 ? missing : function,
                        file < 0 ? missing : file,
                        f.getLine()));
          }
          stacks.put(stack.getId(), tables.addStack(frames));
        }
      }
      return unknown;
    }
  }
}
