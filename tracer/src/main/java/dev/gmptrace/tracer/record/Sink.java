package dev.gmptrace.tracer.record;

import dev.gmptrace.tracer.wire.PacketWriter;
import dev.gmptrace.tracer.wire.proto.EndOfTrace;
import dev.gmptrace.tracer.wire.proto.Header;
import dev.gmptrace.tracer.wire.proto.Packet;

/** Where frames go. All methods are called on the writer thread. */
abstract class Sink {
  /** The first generation that it gets. */
  int first;

  /** The last generation that it gets: those that begin while it is being taken off are not its. */
  int last = Integer.MAX_VALUE;

  /** It has been taken off. */
  volatile boolean finished;

  int generations;
  long batches;
  long events;
  long lost;
  long resyncs;
  long bytes;

  final boolean gets(Generation generation) {
    return generation.number >= first && generation.number <= last;
  }

  /** Its first generation is about to begin. */
  abstract void start(Header header, PacketWriter packets);

  /**
   * A frame of a generation, in {@code bytes[from, to)}, which are the caller's again afterwards.
   */
  abstract void frame(Generation generation, byte[] bytes, int from, int to);

  /** Nothing more comes for a generation, whose end has been written. */
  void generationClosed(Generation generation) {
    generations++;
    batches += generation.batches;
    events += generation.events;
    lost += generation.lost;
    resyncs += generation.resyncs;
  }

  /** Nothing more comes at all. */
  abstract void finish(PacketWriter packets);

  /** Nothing more comes, because the recorder itself failed. */
  final void breakOff(Throwable why) {
    if (!finished) {
      broken(why);
      finished = true;
    }
  }

  void broken(Throwable why) {}

  /** Whether the generation should end early, because it has become too large for this sink. */
  boolean wantsNewGeneration() {
    return false;
  }

  TraceTotals totals() {
    return new TraceTotals(generations, batches, events, lost, resyncs, bytes, 0);
  }

  static Packet endOfTrace(TraceTotals totals) {
    return Packet.newBuilder()
        .setEndOfTrace(
            EndOfTrace.newBuilder()
                .setGenerations(totals.generations())
                .setBatches(totals.batches())
                .setEvents(totals.events())
                .setLostEvents(totals.lostEvents())
                .setResyncs(totals.resyncs())
                .setEventBytes(totals.bytes())
                .setOvergrownGenerations(totals.overgrownGenerations()))
        .build();
  }
}
