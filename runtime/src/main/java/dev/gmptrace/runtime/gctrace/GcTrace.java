package dev.gmptrace.runtime.gctrace;

import com.sun.management.GarbageCollectionNotificationInfo;
import com.sun.management.GcInfo;
import java.io.PrintStream;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.IntSupplier;
import java.util.function.ToLongFunction;
import javax.management.ListenerNotFoundException;
import javax.management.Notification;
import javax.management.NotificationEmitter;
import javax.management.NotificationListener;
import javax.management.openmbean.CompositeData;

/**
 * Prints a line per collection until closed:
 *
 * <pre>
 * gc 3 @0.412s 1%: 2 ms (G1 Young Generation, G1 Evacuation Pause), 26-&gt;4 MB, 246 MB heap, 2 P
 * </pre>
 *
 * The number of the collection, seconds since the JVM started, share of that time spent collecting,
 * duration, collector and cause, heap in use before and after, heap committed, and the number of
 * Ps.
 */
public final class GcTrace implements AutoCloseable {
  private final PrintStream to;
  private final IntSupplier procs;
  private final List<NotificationEmitter> emitters = new ArrayList<>();
  private final NotificationListener listener = (notification, _) -> collected(notification);
  private int count;
  private long totalMillis;

  private GcTrace(PrintStream to, IntSupplier procs) {
    this.to = to;
    this.procs = procs;
  }

  /** Starts printing; {@code procs} tells how many Ps there are when a line is printed. */
  public static GcTrace start(PrintStream to, IntSupplier procs) {
    var trace = new GcTrace(to, procs);
    for (GarbageCollectorMXBean bean : ManagementFactory.getGarbageCollectorMXBeans()) {
      if (bean instanceof NotificationEmitter emitter) {
        emitter.addNotificationListener(trace.listener, null, null);
        trace.emitters.add(emitter);
      }
    }
    return trace;
  }

  private synchronized void collected(Notification n) {
    if (!n.getType().equals(GarbageCollectionNotificationInfo.GARBAGE_COLLECTION_NOTIFICATION)) {
      return;
    }
    var gc = GarbageCollectionNotificationInfo.from((CompositeData) n.getUserData());
    GcInfo info = gc.getGcInfo();
    count++;
    totalMillis += info.getDuration();
    to.println(
        line(
            count,
            info.getEndTime(),
            totalMillis,
            info.getDuration(),
            gc.getGcName() + ", " + gc.getGcCause(),
            heap(info.getMemoryUsageBeforeGc().values(), MemoryUsage::getUsed),
            heap(info.getMemoryUsageAfterGc().values(), MemoryUsage::getUsed),
            heap(info.getMemoryUsageAfterGc().values(), MemoryUsage::getCommitted),
            procs.getAsInt()));
  }

  private static long heap(Iterable<MemoryUsage> pools, ToLongFunction<MemoryUsage> part) {
    long sum = 0;
    for (MemoryUsage pool : pools) {
      sum += part.applyAsLong(pool);
    }
    return sum;
  }

  static String line(
      int count,
      long endMillis,
      long totalMillis,
      long millis,
      String what,
      long before,
      long after,
      long committed,
      int procs) {
    return String.format(
        Locale.ROOT,
        "gc %d @%.3fs %d%%: %d ms (%s), %d->%d MB, %d MB heap, %d P",
        count,
        endMillis / 1e3,
        endMillis == 0 ? 0 : totalMillis * 100 / endMillis,
        millis,
        what,
        before >> 20,
        after >> 20,
        committed >> 20,
        procs);
  }

  /** Stops printing. */
  @Override
  public void close() {
    for (NotificationEmitter emitter : emitters) {
      try {
        emitter.removeNotificationListener(listener);
      } catch (ListenerNotFoundException e) {
        // Closed twice: there is nothing left to remove.
      }
    }
    emitters.clear();
  }
}
