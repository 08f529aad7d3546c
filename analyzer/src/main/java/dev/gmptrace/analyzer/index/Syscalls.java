package dev.gmptrace.analyzer.index;

import dev.gmptrace.analyzer.index.PointTile.Point;
import dev.gmptrace.analyzer.model.GoroutineLog;
import dev.gmptrace.analyzer.model.PointKind;
import dev.gmptrace.analyzer.model.SpanState;
import dev.gmptrace.analyzer.model.TraceModel;
import java.util.Arrays;

/**
 * The system calls of a trace as points: where goroutines entered them. Four bytes each, gathered
 * when somebody first asks, because many traces are never asked for them.
 */
final class Syscalls {
  private static final int NOT_YET = -1;

  private final TraceModel model;
  private final GoroutineLog log;
  private int[] entries = new int[0];
  private int size = NOT_YET;

  Syscalls(TraceModel model) {
    this.model = model;
    this.log = model.goroutineLog();
  }

  /** The first one not before {@code time}; their number when there is none. */
  int lowerBound(long time) {
    gather();
    int lo = 0;
    int hi = size;
    while (lo < hi) {
      int mid = (lo + hi) >>> 1;
      if (log.time(entries[mid]) < time) {
        lo = mid + 1;
      } else {
        hi = mid;
      }
    }
    return lo;
  }

  long time(int i) {
    return log.time(entries[i]);
  }

  Point point(int i) {
    int change = entries[i];
    long lasted = end(change) - log.time(change);
    return new Point(
        log.time(change),
        PointKind.SYSCALL,
        model.goroutines().id(log.g(change)),
        model.procs().id(log.p(change)),
        model.threads().id(log.m(change)),
        lasted,
        0,
        Durations.text(lasted));
  }

  /** It goes on when its processor is taken away, which is another state. */
  private long end(int change) {
    int g = log.g(change);
    int k = log.rank(change);
    while (k + 1 < model.goroutines().changes(g)
        && SpanState.of(log.newState(model.goroutines().changeAt(g, k + 1))).syscall()) {
      k++;
    }
    return model.spanEnd(model.goroutines().changeAt(g, k));
  }

  /** Synchronized, so that whoever comes second sees what the first has gathered. */
  private synchronized void gather() {
    if (size != NOT_YET) {
      return;
    }
    int[] found = new int[1024];
    int n = 0;
    for (int i = 0; i < log.size(); i++) {
      if (SpanState.of(log.newState(i)).syscall() && !SpanState.of(log.oldState(i)).syscall()) {
        found = n == found.length ? Arrays.copyOf(found, n * 2) : found;
        found[n++] = i;
      }
    }
    entries = Arrays.copyOf(found, n);
    size = n;
  }
}
