package dev.gmptrace.analyzer.read;

import dev.gmptrace.tracer.wire.EventCursor;
import dev.gmptrace.tracer.wire.PacketReader;
import dev.gmptrace.tracer.wire.TracePacket;
import java.nio.file.Path;
import java.util.function.LongConsumer;

/** The footprint of a gmp trace: events inside their batches, packets and frames around them. */
final class GmpFootprint {
  private GmpFootprint() {}

  static void read(Path file, Footprint.Tally tally, LongConsumer progress) {
    try (PacketReader in = PacketReader.open(file)) {
      tally.other("(file header)", in.position());
      long before = in.position();
      for (TracePacket packet = in.next(); packet != null; packet = in.next()) {
        // Behind damage the reader has already passed the next whole packet.
        long size = packet instanceof TracePacket.Damage d ? d.length() : in.position() - before;
        before += size;
        progress.accept(before);
        switch (packet) {
          case TracePacket.EventBatch batch ->
              tally.other("(batch frames)", size - events(batch, tally));
          case TracePacket.Head _ -> tally.other("(header)", size);
          case TracePacket.Strings _ -> tally.other("(string tables)", size);
          case TracePacket.Stacks _ -> tally.other("(stack tables)", size);
          case TracePacket.Clock _ -> tally.other("(clock snapshots)", size);
          case TracePacket.GenerationEnd _ -> tally.other("(ends of generations)", size);
          case TracePacket.TraceEnd _ -> tally.other("(end of trace)", size);
          case TracePacket.Damage _ -> tally.other(Footprint.UNREADABLE, size);
        }
      }
    }
  }

  private static int events(TracePacket.EventBatch batch, Footprint.Tally tally) {
    EventCursor cursor = batch.cursor();
    int first = cursor.position();
    int at = first;
    while (cursor.next()) {
      tally.event(cursor.type().wireName(), cursor.position() - at);
      at = cursor.position();
    }
    return at - first;
  }
}
