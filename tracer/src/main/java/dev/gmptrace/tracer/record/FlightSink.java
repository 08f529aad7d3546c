package dev.gmptrace.tracer.record;

import dev.gmptrace.tracer.wire.FileFormat;
import dev.gmptrace.tracer.wire.PacketWriter;
import dev.gmptrace.tracer.wire.proto.Header;
import dev.gmptrace.tracer.wire.proto.Packet;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A ring of generations. The oldest goes when there are too many bytes, or when it is too old. A
 * generation that has grown to a quarter of the ring is ended early, so that a ring holds several;
 * if one outgrows the whole ring all the same, its frames are let go and it is not part of any
 * dump, which says how many there were of its age.
 *
 * <p>The lock is held for moments: by the writer for each frame, by a dump to copy a list.
 */
final class FlightSink extends Sink {
  private static final class Kept {
    final Generation generation;
    final List<byte[]> frames = new ArrayList<>();
    long size;
    boolean closed;
    boolean overgrown;

    Kept(Generation generation) {
      this.generation = generation;
    }
  }

  private final long maxBytes;
  private final long maxAgeTicks;
  private final ArrayDeque<Kept> ring = new ArrayDeque<>();

  /** When those ended that were larger than the ring. */
  private final ArrayDeque<Long> overgrown = new ArrayDeque<>();

  private long size;
  private @Nullable Header header;

  FlightSink(long maxBytes, Duration maxAge) {
    if (maxBytes < 64 << 10 || maxAge.isNegative() || maxAge.isZero()) {
      throw new IllegalArgumentException(
          "a flight recorder of "
              + maxBytes
              + " bytes and "
              + maxAge
              + ": at least 64 KiB and some time are needed");
    }
    this.maxBytes = maxBytes;
    this.maxAgeTicks = maxAge.toNanos() >> FileFormat.TICK_SHIFT;
  }

  @Override
  synchronized void start(Header header, PacketWriter packets) {
    this.header = header.toBuilder().setFlight(true).build();
  }

  @Override
  synchronized void frame(Generation generation, byte[] bytes, int from, int to) {
    Kept kept = keptFor(generation);
    if (kept.overgrown) {
      return;
    }
    kept.frames.add(Arrays.copyOfRange(bytes, from, to));
    kept.size += to - from;
    size += to - from;
    for (Iterator<Kept> oldest = ring.iterator(); size > maxBytes && oldest.hasNext(); ) {
      Kept gone = oldest.next();
      size -= gone.size;
      if (gone.closed) {
        oldest.remove();
      } else {
        gone.overgrown = true;
        gone.frames.clear();
        gone.size = 0;
      }
    }
  }

  private Kept keptFor(Generation generation) {
    for (Kept kept : ring) {
      if (kept.generation == generation) {
        return kept;
      }
    }
    Kept kept = new Kept(generation);
    ring.addLast(kept);
    return kept;
  }

  @Override
  synchronized void generationClosed(Generation generation) {
    super.generationClosed(generation);
    keptFor(generation).closed = true;
    if (ring.removeIf(kept -> kept.overgrown && kept.closed)) {
      overgrown.addLast(generation.endTicks);
    }
    // By when they ended: the JVM's news may keep them open for long.
    long oldest = TraceClock.now() - maxAgeTicks;
    while (!ring.isEmpty()
        && ring.getFirst().closed
        && ring.getFirst().generation.endTicks < oldest) {
      size -= ring.removeFirst().size;
    }
    while (!overgrown.isEmpty() && overgrown.getFirst() < oldest) {
      overgrown.removeFirst();
    }
  }

  @Override
  void finish(PacketWriter packets) {}

  @Override
  synchronized boolean wantsNewGeneration() {
    return !ring.isEmpty() && ring.getLast().size > maxBytes / 4;
  }

  synchronized long size() {
    return size;
  }

  /** Writes the closed generations as a trace. */
  TraceTotals writeTo(OutputStream out) {
    List<Kept> kept = new ArrayList<>();
    Header head;
    int missing;
    synchronized (this) {
      missing = overgrown.size();
      head = header;
      for (Kept k : ring) {
        if (k.closed) {
          kept.add(k);
        }
      }
    }
    if (head == null) {
      throw new IllegalStateException("the flight recorder has not started");
    }
    PacketWriter packets = new PacketWriter();
    long written = FileFormat.FILE_HEADER_BYTES;
    long batchCount = 0;
    long eventCount = 0;
    long lostCount = 0;
    long resyncCount = 0;
    try {
      out.write(FileFormat.fileHeader());
      byte[] frame = packets.frame(Packet.newBuilder().setHeader(head).build());
      out.write(frame);
      written += frame.length;
      for (Kept k : kept) {
        for (byte[] f : k.frames) {
          out.write(f);
        }
        written += k.size;
        batchCount += k.generation.batches;
        eventCount += k.generation.events;
        lostCount += k.generation.lost;
        resyncCount += k.generation.resyncs;
      }
      TraceTotals totals =
          new TraceTotals(
              kept.size(), batchCount, eventCount, lostCount, resyncCount, written, missing);
      out.write(packets.frame(endOfTrace(totals)));
      out.flush();
      return totals;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write the flight recording: " + e.getMessage(), e);
    }
  }
}
