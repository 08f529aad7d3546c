package dev.gmptrace.analyzer.index;

import dev.gmptrace.analyzer.model.GoroutineLog;
import dev.gmptrace.analyzer.model.Goroutines;
import dev.gmptrace.analyzer.model.SpanState;
import dev.gmptrace.analyzer.model.TraceModel;

/**
 * A lane per goroutine. One that existed before its first record begins with a span in state {@code
 * UNKNOWN} from the start of the trace; it is in no log, so span k is change k - 1 there.
 */
final class GoroutineTimeline extends Timeline {
  private final TraceModel model;
  private final GoroutineLog log;
  private final Goroutines goroutines;
  private final byte[] lead;

  GoroutineTimeline(TraceModel model) {
    this.model = model;
    this.log = model.goroutineLog();
    this.goroutines = model.goroutines();
    this.lead = new byte[goroutines.size()];
    for (int g = 0; g < lead.length; g++) {
      if (goroutines.changes(g) > 0) {
        int first = goroutines.changeAt(g, 0);
        if (log.oldState(first) == SpanState.UNKNOWN.code() && log.time(first) > 0) {
          lead[g] = 1;
        }
      }
    }
  }

  /** The log index behind span {@code k}, or -1 for the unknown time before the first record. */
  int change(int g, int k) {
    int i = k - lead[g];
    return i < 0 ? -1 : goroutines.changeAt(g, i);
  }

  /** The span that begins with a change of the log. */
  int spanOf(int change) {
    return log.rank(change) + lead[log.g(change)];
  }

  @Override
  int lanes() {
    return lead.length;
  }

  @Override
  int size(int g) {
    return goroutines.changes(g) + lead[g];
  }

  @Override
  long start(int g, int k) {
    int i = k - lead[g];
    return i < 0 ? 0 : log.time(goroutines.changeAt(g, i));
  }

  @Override
  int state(int g, int k) {
    int i = k - lead[g];
    return i < 0 ? SpanState.UNKNOWN.code() : log.newState(goroutines.changeAt(g, i));
  }

  @Override
  void read(int g, int k, int n, long[] starts, int[] states) {
    for (int i = 0; i < n; i++) {
      int change = change(g, k + i);
      starts[i] = change < 0 ? 0 : log.time(change);
      states[i] = change < 0 ? SpanState.UNKNOWN.code() : log.newState(change);
    }
  }

  @Override
  int states() {
    return log.states() | (1 << SpanState.UNKNOWN.code());
  }

  @Override
  int goroutine(int g, int k) {
    return g;
  }

  @Override
  int reason(int g, int k) {
    int i = k - lead[g];
    return i < 0 ? 0 : log.reason(goroutines.changeAt(g, i));
  }

  @Override
  long end(int g) {
    return model.lastTime(g);
  }
}
