package dev.gmptrace.tracer.record;

import dev.gmptrace.tracer.record.GcSource.Moment;
import dev.gmptrace.tracer.wire.EventType;
import dev.gmptrace.tracer.wire.FileFormat;
import dev.gmptrace.tracer.wire.proto.Packet;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Garbage collections, their pauses and the heap, told by the JVM in this same process: by its
 * management notifications, or exactly by its flight recorder (see {@link
 * TraceOptions#exactJvmEvents}).
 *
 * <p>Both tell late, so a generation is kept open for a while after its end. A collection is only
 * told when it is over, so one that takes longer than that may have begun in a generation that is
 * closed: it then appears in the next one as already active.
 */
final class JvmEvents {
  private static final long HAIR_TICKS = FileFormat.TICKS_PER_SECOND / 1000;

  private final ConcurrentLinkedQueue<List<Moment>> told = new ConcurrentLinkedQueue<>();
  private final GcSource source;
  private List<Moment> pending = new ArrayList<>();
  private final List<Long> activeCollections = new ArrayList<>();

  JvmEvents(Function<GcSource.Listener, GcSource> sources) {
    source = sources.apply(told::add);
  }

  /** Starts listening, on a thread of its own since the first time takes the JVM a while. */
  static JvmEvents start(boolean exact) {
    JvmEvents events = new JvmEvents(exact ? GcFlightStream::new : GcNotifications::new);
    Thread starter = new Thread(events.source::open, "gmptrace-jvm-events");
    starter.setDaemon(true);
    starter.start();
    return events;
  }

  int flushes() {
    return source.flushes();
  }

  boolean knowsAllOf(Generation gen) {
    return source.knowsAllOf(gen);
  }

  /** Stops listening; all that has happened so far has been told when it returns. */
  void stop() {
    source.stop();
  }

  /**
   * Writes what happened in a generation. What began in it and ended behind it ends in the next; in
   * the {@code last} of a session it ends with it, and what came after is nobody's.
   */
  void write(
      Generation gen,
      boolean last,
      StreamEncoder out,
      TableWriter tables,
      Consumer<Packet> packets) {
    for (List<Moment> m = told.poll(); m != null; m = told.poll()) {
      pending.addAll(m);
    }
    pending.sort(Comparator.comparingLong(Moment::time));
    out.begin(gen, -1);
    for (long number : activeCollections) {
      out.event(gen.startTicks, EventType.GC_ACTIVE, number);
    }
    boolean inPause = false;
    List<Moment> later = new ArrayList<>();
    for (Moment moment : pending) {
      // A pause stays in one generation: nothing of ours runs in it, so it crosses an end by a
      // hair.
      if (moment.time() < gen.endTicks || inPause || endsByAHair(gen, moment)) {
        inPause =
            moment.type() == EventType.STW_BEGIN || (inPause && moment.type() != EventType.STW_END);
        write(gen, moment, out, tables, packets);
      } else if (!last) {
        later.add(moment);
      } else if (moment.type() == EventType.GC_END && activeCollections.contains(moment.number())) {
        write(gen, moment.at(gen.endTicks), out, tables, packets);
      }
    }
    pending = later;
    out.end();
  }

  /**
   * A collection that ends where the generation does, as exactly as the JVM's clock and ours agree,
   * ends in it: there may be no other.
   */
  private boolean endsByAHair(Generation gen, Moment moment) {
    return moment.type() == EventType.GC_END
        && moment.time() < gen.endTicks + HAIR_TICKS
        && activeCollections.contains(moment.number());
  }

  private void write(
      Generation gen,
      Moment moment,
      StreamEncoder out,
      TableWriter tables,
      Consumer<Packet> packets) {
    long time = Math.max(moment.time(), gen.startTicks);
    switch (moment.type()) {
      case GC_BEGIN -> {
        if (moment.time() < gen.startTicks) {
          out.event(time, EventType.GC_ACTIVE, moment.number());
        } else {
          out.event(time, EventType.GC_BEGIN, moment.number(), 0);
        }
        out.event(
            time,
            EventType.GC_INFO,
            moment.number(),
            tables.late(gen, moment.name(), packets).id,
            tables.late(gen, moment.cause(), packets).id);
        activeCollections.add(moment.number());
      }
      case GC_END -> {
        out.event(time, EventType.GC_END, moment.number());
        activeCollections.remove(moment.number());
      }
      case STW_BEGIN ->
          out.event(time, EventType.STW_BEGIN, tables.late(gen, moment.name(), packets).id, 0);
      case STW_END -> out.event(time, EventType.STW_END);
      default -> out.event(time, moment.type(), moment.number());
    }
  }
}
