package dev.gmptrace.tracer.record;

import dev.gmptrace.tracer.wire.EventType;
import dev.gmptrace.tracer.wire.proto.Packet;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingStream;
import org.jspecify.annotations.Nullable;

/**
 * Garbage collections, their pauses and the heap, told by the JVM's own flight recorder in this
 * same process.
 *
 * <p>It tells late: its stream is flushed about once a second. A generation is therefore kept open
 * until two flushes have come after its end; the first may have begun before it. A collection is
 * only told when it is over, so one that takes longer than that may have begun in a generation that
 * is closed: it then appears in the next one as already active.
 */
final class JvmEvents {
  private static final System.Logger LOG = System.getLogger(JvmEvents.class.getName());

  /** A moment in the JVM's stream, in ticks. */
  private record Moment(long time, EventType type, long number, String name, String cause) {}

  private final ConcurrentLinkedQueue<Moment> told = new ConcurrentLinkedQueue<>();
  private final List<Moment> pending = new ArrayList<>();
  private final List<Long> activeCollections = new ArrayList<>();
  private final AtomicInteger flushes = new AtomicInteger();
  private final long wallNanos;
  private final long nanoTime;
  private @Nullable RecordingStream stream;
  private boolean stopped;

  private JvmEvents() {
    wallNanos = Clocks.wallNanos(Instant.now());
    nanoTime = System.nanoTime();
  }

  /** Starts listening, on a thread of its own since the first time takes the JVM a while. */
  static JvmEvents start() {
    JvmEvents events = new JvmEvents();
    Thread starter = new Thread(events::open, "gmptrace-jvm-events");
    starter.setDaemon(true);
    starter.start();
    return events;
  }

  private void open() {
    RecordingStream opened;
    try {
      opened = new RecordingStream();
      for (String name :
          List.of("jdk.GarbageCollection", "jdk.GCPhasePause", "jdk.GCHeapSummary")) {
        opened.enable(name);
      }
      opened.setReuse(true);
      opened.onEvent("jdk.GarbageCollection", this::collection);
      opened.onEvent("jdk.GCPhasePause", this::pause);
      opened.onEvent("jdk.GCHeapSummary", this::heap);
      opened.onFlush(flushes::incrementAndGet);
    } catch (RuntimeException | LinkageError e) {
      LOG.log(
          System.Logger.Level.WARNING,
          "garbage collections will not be in the trace: the JVM''s flight recorder says {0}",
          e.toString());
      return;
    }
    synchronized (this) {
      if (stopped) {
        opened.close();
        return;
      }
      stream = opened;
    }
    try {
      // On this daemon thread: startAsync would make one that keeps the JVM from ending.
      opened.start();
    } catch (IllegalStateException e) {
      // Closed by stop() before it began.
    }
  }

  private long ticks(Instant instant) {
    return TraceClock.ticks(Clocks.wallNanos(instant) - wallNanos + nanoTime);
  }

  private void collection(RecordedEvent event) {
    long id = event.getLong("gcId");
    told.add(
        new Moment(
            ticks(event.getStartTime()),
            EventType.GC_BEGIN,
            id,
            event.getString("name"),
            event.getString("cause")));
    told.add(new Moment(ticks(event.getEndTime()), EventType.GC_END, id, "", ""));
  }

  private void pause(RecordedEvent event) {
    told.add(
        new Moment(
            ticks(event.getStartTime()), EventType.STW_BEGIN, 0, event.getString("name"), ""));
    told.add(new Moment(ticks(event.getEndTime()), EventType.STW_END, 0, "", ""));
  }

  private void heap(RecordedEvent event) {
    long time = ticks(event.getStartTime());
    told.add(new Moment(time, EventType.HEAP_ALLOC, event.getLong("heapUsed"), "", ""));
    told.add(
        new Moment(time, EventType.HEAP_GOAL, event.getLong("heapSpace.committedSize"), "", ""));
  }

  int flushes() {
    return flushes.get();
  }

  boolean knowsAllOf(Generation gen) {
    return flushes.get() >= gen.jvmFlushes + 2;
  }

  /** Stops listening; all that has happened so far has been told when it returns. */
  void stop() {
    RecordingStream open;
    synchronized (this) {
      stopped = true;
      open = stream;
    }
    if (open != null) {
      try {
        open.stop();
      } catch (IllegalStateException e) {
        // The JVM is going down, and JFR's own hook was first: what it had is told.
      }
      open.close();
    }
  }

  /** Writes what happened in a generation. */
  void write(Generation gen, StreamEncoder out, TableWriter tables, Consumer<Packet> packets) {
    for (Moment moment = told.poll(); moment != null; moment = told.poll()) {
      pending.add(moment);
    }
    pending.sort(Comparator.comparingLong(Moment::time));
    out.begin(gen, -1);
    for (long number : activeCollections) {
      out.event(gen.startTicks, EventType.GC_ACTIVE, number);
    }
    boolean inPause = false;
    int done = 0;
    // A pause stays in one generation: nothing of ours runs in it, so it crosses an end by a hair.
    for (; done < pending.size(); done++) {
      Moment moment = pending.get(done);
      if (moment.time >= gen.endTicks && !inPause) {
        break;
      }
      inPause = moment.type == EventType.STW_BEGIN || (inPause && moment.type != EventType.STW_END);
      write(gen, moment, out, tables, packets);
    }
    pending.subList(0, done).clear();
    out.end();
  }

  private void write(
      Generation gen,
      Moment moment,
      StreamEncoder out,
      TableWriter tables,
      Consumer<Packet> packets) {
    long time = Math.max(moment.time, gen.startTicks);
    switch (moment.type) {
      case GC_BEGIN -> {
        if (moment.time < gen.startTicks) {
          out.event(time, EventType.GC_ACTIVE, moment.number);
        } else {
          out.event(time, EventType.GC_BEGIN, moment.number, 0);
        }
        out.event(
            time,
            EventType.GC_INFO,
            moment.number,
            tables.late(gen, moment.name, packets).id,
            tables.late(gen, moment.cause, packets).id);
        activeCollections.add(moment.number);
      }
      case GC_END -> {
        out.event(time, EventType.GC_END, moment.number);
        activeCollections.remove(moment.number);
      }
      case STW_BEGIN ->
          out.event(time, EventType.STW_BEGIN, tables.late(gen, moment.name, packets).id, 0);
      case STW_END -> out.event(time, EventType.STW_END);
      default -> out.event(time, moment.type, moment.number);
    }
  }
}
