package dev.gmptrace.analyzer.index;

import dev.gmptrace.analyzer.model.GoroutineLog;
import dev.gmptrace.analyzer.model.Lanes;
import dev.gmptrace.analyzer.model.SpanState;
import dev.gmptrace.analyzer.model.TraceModel;

/**
 * A lane per processor, or per thread. A processor whose first record comes after the start of the
 * trace is {@code UNKNOWN} until then, unless that record says that it is new; a thread simply was
 * not there.
 */
final class PlaceTimeline extends Timeline {
  private final Lanes lanes;
  private final GoroutineLog log;
  private final long duration;
  private final byte[] lead;

  PlaceTimeline(TraceModel model, Lanes lanes) {
    this.lanes = lanes;
    this.log = model.goroutineLog();
    this.duration = model.duration();
    this.lead = new byte[lanes.threads() ? model.threads().size() : model.procs().size()];
    for (int lane = 0; lane < lead.length; lane++) {
      if (!lanes.threads()
          && lanes.size(lane) > 0
          && lanes.start(lane, 0) > 0
          && !isNew(model, lane)) {
        lead[lane] = 1;
      }
    }
  }

  private boolean isNew(TraceModel model, int lane) {
    int i = lanes.procChange(lane, 0);
    return i >= 0 && model.procLog().oldState(i) == NONE;
  }

  /** The goroutine log's index behind span {@code k}, or -1. */
  int change(int lane, int k) {
    return k < lead[lane] ? -1 : lanes.goroutineChange(lane, k - lead[lane]);
  }

  /** The processor log's index behind span {@code k}, or -1. */
  int procChange(int lane, int k) {
    return k < lead[lane] ? -1 : lanes.procChange(lane, k - lead[lane]);
  }

  @Override
  int lanes() {
    return lead.length;
  }

  @Override
  int size(int lane) {
    int n = lanes.size(lane);
    return n == 0 ? 0 : n + lead[lane];
  }

  @Override
  long start(int lane, int k) {
    return k < lead[lane] ? 0 : lanes.start(lane, k - lead[lane]);
  }

  @Override
  int state(int lane, int k) {
    return k < lead[lane] ? SpanState.UNKNOWN.code() : lanes.state(lane, k - lead[lane]);
  }

  @Override
  void read(int lane, int k, int n, long[] starts, int[] states) {
    int unknown = Math.max(0, lead[lane] - k);
    for (int i = 0; i < Math.min(n, unknown); i++) {
      starts[i] = 0;
      states[i] = SpanState.UNKNOWN.code();
    }
    lanes.read(lane, k + unknown - lead[lane], n - unknown, starts, states, unknown);
  }

  @Override
  int states() {
    return lanes.states() | (1 << SpanState.UNKNOWN.code());
  }

  @Override
  int goroutine(int lane, int k) {
    int i = change(lane, k);
    return i >= 0 && named(state(lane, k)) ? log.g(i) : -1;
  }

  @Override
  int reason(int lane, int k) {
    return 0;
  }

  @Override
  long end(int lane) {
    return duration;
  }

  @Override
  boolean named(int state) {
    SpanState s = SpanState.of(state);
    return s == SpanState.RUNNING || s.syscall();
  }
}
