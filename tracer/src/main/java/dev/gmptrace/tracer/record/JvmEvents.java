package dev.gmptrace.tracer.record;

import com.sun.management.GarbageCollectionNotificationInfo;
import com.sun.management.GcInfo;
import dev.gmptrace.tracer.wire.EventType;
import dev.gmptrace.tracer.wire.FileFormat;
import dev.gmptrace.tracer.wire.proto.Packet;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import javax.management.Notification;
import javax.management.NotificationEmitter;
import javax.management.NotificationListener;
import javax.management.openmbean.CompositeData;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingStream;
import org.jspecify.annotations.Nullable;

/**
 * Garbage collections, their pauses and the heap, told by the JVM in this same process: by its
 * management notifications, or exactly by its flight recorder (see {@link
 * TraceOptions#exactJvmEvents}).
 *
 * <p>Both tell late. Notifications come some milliseconds after a collection. The flight recorder's
 * stream is flushed about once a second, so a generation is kept open until two flushes have come
 * after its end; the first may have begun before it. A collection is only told when it is over, so
 * one that takes longer than that may have begun in a generation that is closed: it then appears in
 * the next one as already active.
 */
final class JvmEvents {
  private static final System.Logger LOG = System.getLogger(JvmEvents.class.getName());

  /** How long a notification may take: half a second. */
  private static final long NOTIFICATION_TICKS = FileFormat.TICKS_PER_SECOND / 2;

  /** A moment in the JVM's stream, in ticks. */
  private record Moment(long time, EventType type, long number, String name, String cause) {}

  private final ConcurrentLinkedQueue<Moment> told = new ConcurrentLinkedQueue<>();
  private final List<Moment> pending = new ArrayList<>();
  private final List<Long> activeCollections = new ArrayList<>();
  private final AtomicInteger flushes = new AtomicInteger();
  private final long wallNanos;
  private final long nanoTime;
  private final boolean exact;
  private final List<NotificationEmitter> emitters = new ArrayList<>();
  private final NotificationListener listener = (notification, handback) -> notified(notification);
  private @Nullable RecordingStream stream;
  private boolean stopped;
  private final AtomicLong collections = new AtomicLong();
  private final Set<String> heapPools = new HashSet<>();

  private JvmEvents(boolean exact) {
    this.exact = exact;
    wallNanos = Clocks.wallNanos(Instant.now());
    nanoTime = System.nanoTime();
  }

  /** Starts listening, on a thread of its own since the first time takes the JVM a while. */
  static JvmEvents start(boolean exact) {
    JvmEvents events = new JvmEvents(exact);
    Runnable open = exact ? events::openStream : events::openNotifications;
    Thread starter = new Thread(open, "gmptrace-jvm-events");
    starter.setDaemon(true);
    starter.start();
    return events;
  }

  private synchronized void openNotifications() {
    if (stopped) {
      return;
    }
    try {
      for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
        if (pool.getType() == MemoryType.HEAP) {
          heapPools.add(pool.getName());
        }
      }
      for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
        if (collector instanceof NotificationEmitter emitter) {
          emitter.addNotificationListener(listener, null, null);
          emitters.add(emitter);
        }
      }
    } catch (RuntimeException | LinkageError e) {
      LOG.log(
          System.Logger.Level.WARNING,
          "garbage collections will not be in the trace: the JVM''s management says {0}",
          e.toString());
    }
  }

  private void notified(Notification notification) {
    if (!(notification.getUserData() instanceof CompositeData data)) {
      return;
    }
    GarbageCollectionNotificationInfo info = GarbageCollectionNotificationInfo.from(data);
    GcInfo gc = info.getGcInfo();
    // Milliseconds of the JVM's life; what it is old now ties them to our clock.
    long now = System.nanoTime();
    long upMillis = ManagementFactory.getRuntimeMXBean().getUptime();
    long begin = TraceClock.ticks(now - (upMillis - gc.getStartTime()) * 1_000_000);
    long end = TraceClock.ticks(now - (upMillis - gc.getEndTime()) * 1_000_000);
    // Collectors number their own collections, so two of them may have the same number.
    long id = collections.incrementAndGet();
    String name = info.getGcName();
    told.add(new Moment(begin, EventType.GC_BEGIN, id, name, info.getGcCause()));
    if (!name.contains("Cycles")) {
      told.add(new Moment(begin, EventType.STW_BEGIN, 0, name, ""));
      told.add(new Moment(end, EventType.STW_END, 0, "", ""));
    }
    told.add(new Moment(end, EventType.GC_END, id, "", ""));
    long used = 0;
    long committed = 0;
    for (Map.Entry<String, MemoryUsage> pool : gc.getMemoryUsageAfterGc().entrySet()) {
      if (heapPools.contains(pool.getKey())) {
        used += pool.getValue().getUsed();
        committed += pool.getValue().getCommitted();
      }
    }
    told.add(new Moment(end, EventType.HEAP_ALLOC, used, "", ""));
    told.add(new Moment(end, EventType.HEAP_GOAL, committed, "", ""));
  }

  private void openStream() {
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
    return exact
        ? flushes.get() >= gen.jvmFlushes + 2
        : TraceClock.now() - gen.endTicks > NOTIFICATION_TICKS;
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
