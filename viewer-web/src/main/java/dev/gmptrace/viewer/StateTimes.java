package dev.gmptrace.viewer;

import dev.gmptrace.analyzer.model.SpanState;
import java.util.LinkedHashMap;
import java.util.Map;

/** Times per state: the index has them as arrays by code, the page wants names. */
final class StateTimes {
  private StateTimes() {}

  static Map<String, Long> byName(long[] times) {
    Map<String, Long> named = new LinkedHashMap<>();
    for (SpanState state : SpanState.values()) {
      if (times[state.code()] != 0) {
        named.put(state.name(), times[state.code()]);
      }
    }
    return named;
  }

  /** The five sums every table shows. */
  static Map<String, Object> summary(long[] times) {
    long running = 0;
    long runnable = 0;
    long waiting = 0;
    long syscall = 0;
    for (SpanState state : SpanState.values()) {
      long time = times[state.code()];
      running += state == SpanState.RUNNING ? time : 0;
      runnable += state.runnable() ? time : 0;
      waiting += state.waiting() ? time : 0;
      syscall += state.syscall() ? time : 0;
    }
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("running", running);
    json.put("runnable", runnable);
    json.put("waiting", waiting);
    json.put("syscall", syscall);
    json.put("unknown", times[SpanState.UNKNOWN.code()]);
    return json;
  }

  static long busy(long[] times) {
    long busy = 0;
    for (SpanState state : SpanState.values()) {
      busy += state.busy() ? times[state.code()] : 0;
    }
    return busy;
  }
}
