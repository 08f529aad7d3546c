package dev.gmptrace.tracer.record;

import dev.gmptrace.tracer.wire.EventType;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingStream;
import org.jspecify.annotations.Nullable;

/**
 * Collections as the JVM's flight recorder tells them: exact, with every pause by its own name. Its
 * stream is flushed about once a second, so a generation is known when two flushes have come after
 * its end; the first may have begun before it.
 */
final class GcFlightStream implements GcSource {
  private static final System.Logger LOG = System.getLogger(GcFlightStream.class.getName());

  private final Listener out;
  private final AtomicInteger flushes = new AtomicInteger();
  private final Clocks.Anchor anchor = Clocks.anchor();
  private @Nullable RecordingStream stream;
  private boolean stopped;

  GcFlightStream(Listener out) {
    this.out = out;
  }

  @Override
  public void open() {
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
    return TraceClock.ticks(Clocks.wallNanos(instant) - anchor.wallNanos() + anchor.nanoTime());
  }

  private void collection(RecordedEvent event) {
    long id = event.getLong("gcId");
    String name = event.getString("name");
    String cause = event.getString("cause");
    out.told(
        List.of(
            new Moment(ticks(event.getStartTime()), EventType.GC_BEGIN, id, name, cause),
            new Moment(ticks(event.getEndTime()), EventType.GC_END, id, "", "")));
  }

  private void pause(RecordedEvent event) {
    String name = event.getString("name");
    out.told(
        List.of(
            new Moment(ticks(event.getStartTime()), EventType.STW_BEGIN, 0, name, ""),
            new Moment(ticks(event.getEndTime()), EventType.STW_END, 0, "", "")));
  }

  private void heap(RecordedEvent event) {
    long time = ticks(event.getStartTime());
    long used = event.getLong("heapUsed");
    long committed = event.getLong("heapSpace.committedSize");
    out.told(
        List.of(
            new Moment(time, EventType.HEAP_ALLOC, used, "", ""),
            new Moment(time, EventType.HEAP_GOAL, committed, "", "")));
  }

  @Override
  public int flushes() {
    return flushes.get();
  }

  @Override
  public boolean knowsAllOf(Generation gen) {
    return flushes.get() >= gen.jvmFlushes + 2;
  }

  @Override
  public void stop() {
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
}
