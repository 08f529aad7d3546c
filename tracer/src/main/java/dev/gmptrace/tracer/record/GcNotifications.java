package dev.gmptrace.tracer.record;

import com.sun.management.GarbageCollectionNotificationInfo;
import com.sun.management.GcInfo;
import dev.gmptrace.tracer.wire.EventType;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import javax.management.ListenerNotFoundException;
import javax.management.Notification;
import javax.management.NotificationEmitter;
import javax.management.NotificationListener;
import javax.management.openmbean.CompositeData;

/**
 * Collections as the JVM's management tells them: to the millisecond, some milliseconds late, at no
 * cost to the program.
 */
final class GcNotifications implements GcSource {
  private static final System.Logger LOG = System.getLogger(GcNotifications.class.getName());

  /** How long a notification may take, on a machine that has no time for the JVM's own threads. */
  private static final long STOP_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** A collector we listen to, and how often it had collected when we began. */
  private record Heard(GarbageCollectorMXBean collector, NotificationEmitter emitter, long from) {}

  private final Listener out;
  private final NotificationListener listener = (notification, handback) -> notified(notification);

  private final Map<String, Long> lastTold = new ConcurrentHashMap<>();
  private volatile List<Heard> heard = List.of();

  // Under the monitor.
  private final Set<String> heapPools = new HashSet<>();
  private long collections;
  private long lastPauseEnd = Long.MIN_VALUE;
  private boolean stopped;

  GcNotifications(Listener out) {
    this.out = out;
  }

  @Override
  public synchronized void open() {
    if (stopped) {
      return;
    }
    try {
      for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
        if (pool.getType() == MemoryType.HEAP) {
          heapPools.add(pool.getName());
        }
      }
      List<Heard> all = new ArrayList<>();
      for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
        if (collector instanceof NotificationEmitter emitter) {
          emitter.addNotificationListener(listener, null, null);
          all.add(new Heard(collector, emitter, collector.getCollectionCount()));
        }
      }
      heard = all;
    } catch (RuntimeException | LinkageError e) {
      LOG.log(
          System.Logger.Level.WARNING,
          "garbage collections will not be in the trace: the JVM''s management says {0}",
          e.toString());
    }
  }

  private synchronized void notified(Notification notification) {
    if (!(notification.getUserData() instanceof CompositeData data)) {
      return;
    }
    GarbageCollectionNotificationInfo info = GarbageCollectionNotificationInfo.from(data);
    GcInfo gc = info.getGcInfo();
    // The notification is stamped when the collection ends. (Its own times cannot be used: they are
    // milliseconds since the JVM's management began, some 10 to 20 after what getUptime counts
    // from.) The clock of events is read before the wall's, or the end could come out too late.
    Clocks.Anchor now = Clocks.anchor();
    long ended = endOf(notification.getTimeStamp(), now.nanoTime(), now.wallNanos());
    long end = TraceClock.ticks(ended);
    long begin = TraceClock.ticks(ended - gc.getDuration() * 1_000_000);
    // Collectors number their own collections, so two of them may have the same number.
    long id = ++collections;
    String name = info.getGcName();
    boolean concurrent = name.contains("Cycles");
    if (!concurrent) {
      // Two in the same millisecond follow each other all the same.
      begin = Math.max(begin, lastPauseEnd);
      end = Math.max(begin, end);
      lastPauseEnd = end;
    }
    List<Moment> moments = new ArrayList<>();
    moments.add(new Moment(begin, EventType.GC_BEGIN, id, name, info.getGcCause()));
    if (!concurrent) {
      String pause = name + ": " + info.getGcCause();
      moments.add(new Moment(begin, EventType.STW_BEGIN, 0, pause, ""));
      moments.add(new Moment(end, EventType.STW_END, 0, "", ""));
    }
    moments.add(new Moment(end, EventType.GC_END, id, "", ""));
    long used = 0;
    long committed = 0;
    for (Map.Entry<String, MemoryUsage> pool : gc.getMemoryUsageAfterGc().entrySet()) {
      if (heapPools.contains(pool.getKey())) {
        used += pool.getValue().getUsed();
        committed += pool.getValue().getCommitted();
      }
    }
    moments.add(new Moment(end, EventType.HEAP_ALLOC, used, "", ""));
    moments.add(new Moment(end, EventType.HEAP_GOAL, committed, "", ""));
    out.told(moments);
    lastTold.put(name, gc.getId());
    notifyAll();
  }

  /**
   * When a collection ended, on the clock of the events: at most a millisecond too early, since the
   * stamp is cut to whole ones, and never too late. Else one that ended just before a recording did
   * would seem to go on after it.
   */
  static long endOf(long stampMillis, long nanoTime, long wallNanos) {
    return nanoTime - Math.max(0, wallNanos - stampMillis * 1_000_000);
  }

  @Override
  public int flushes() {
    return 0;
  }

  @Override
  public boolean knowsAllOf(Generation gen) {
    // Without the monitor, which opening holds for long, and the writer is in a hurry. The JVM
    // counts
    // a collection before it lets the threads go that it stopped.
    for (Heard h : heard) {
      if (!isTold(h)) {
        return false;
      }
    }
    return true;
  }

  @Override
  public synchronized void stop() {
    stopped = true;
    long deadline = System.nanoTime() + STOP_NANOS;
    for (Heard h : heard) {
      awaitTold(h, deadline);
    }
    for (Heard h : heard) {
      try {
        h.emitter.removeNotificationListener(listener);
      } catch (ListenerNotFoundException e) {
        // Then it does not listen any more, which is what is wanted.
      }
    }
    heard = List.of();
  }

  /** Waits until the last collection is told. Collectors number their collections from 1. */
  private void awaitTold(Heard h, long deadline) {
    while (!isTold(h)) {
      long left = deadline - System.nanoTime();
      if (left <= 0) {
        return;
      }
      try {
        TimeUnit.NANOSECONDS.timedWait(this, left);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  private boolean isTold(Heard h) {
    long last = h.collector.getCollectionCount();
    return last <= h.from || lastTold.getOrDefault(h.collector.getName(), 0L) >= last;
  }
}
