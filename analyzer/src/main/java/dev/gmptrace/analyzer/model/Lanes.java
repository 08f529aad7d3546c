package dev.gmptrace.analyzer.model;

import java.util.ArrayList;
import java.util.List;

/**
 * What happened on each processor, or on each thread: a list of references into the logs, each the
 * beginning of a span that lasts until the next one.
 */
public final class Lanes {
  static final int GOROUTINE = 0;
  static final int PROC = 1;
  static final int POINT = 2;

  private final GoroutineLog goroutineLog;
  private final ProcLog procLog;
  private final PointLog pointLog;
  private final boolean threads;
  private final List<LaneColumn> lanes = new ArrayList<>();
  private byte[] state = new byte[16];
  private int seen;

  Lanes(GoroutineLog goroutineLog, ProcLog procLog, PointLog pointLog, boolean threads) {
    this.goroutineLog = goroutineLog;
    this.procLog = procLog;
    this.pointLog = pointLog;
    this.threads = threads;
  }

  /** Begins a span unless the lane is in that state anyway (and no goroutine tells them apart). */
  void begin(int lane, int log, int index, SpanState newState) {
    if (lane < 0) {
      return;
    }
    while (lane >= lanes.size()) {
      lanes.add(new LaneColumn());
    }
    if (lane >= state.length) {
      state = java.util.Arrays.copyOf(state, Math.max(lane + 1, state.length * 2));
    }
    boolean named = newState == SpanState.RUNNING || newState.syscall();
    if (state[lane] == newState.code() && !named) {
      return;
    }
    state[lane] = (byte) newState.code();
    seen |= 1 << newState.code();
    lanes.get(lane).add(log, index);
  }

  SpanState current(int lane) {
    return lane < state.length ? SpanState.of(state[lane]) : SpanState.NONE;
  }

  /** Number of lanes; the dense index of a processor or thread is its lane. */
  public int lanes() {
    return lanes.size();
  }

  /** The states that occur in any lane, a bit for each {@link SpanState#code}. */
  public int states() {
    return seen;
  }

  /** Number of spans in a lane. */
  public int size(int lane) {
    return lane < lanes.size() ? lanes.get(lane).size() : 0;
  }

  /** When the {@code k}-th span of a lane begins. */
  public long start(int lane, int k) {
    return start(lanes.get(lane).get(k));
  }

  private long start(long reference) {
    int i = LaneColumn.index(reference);
    return switch (LaneColumn.log(reference)) {
      case GOROUTINE -> goroutineLog.time(i);
      case PROC -> procLog.time(i);
      default -> pointLog.time(i);
    };
  }

  /** {@link SpanState} ordinal of the {@code k}-th span of a lane. */
  public int state(int lane, int k) {
    return state(lanes.get(lane).get(k));
  }

  private int state(long reference) {
    int i = LaneColumn.index(reference);
    return switch (LaneColumn.log(reference)) {
      case GOROUTINE -> ofGoroutine(goroutineLog.newState(i));
      case PROC -> ofProc(procLog.newState(i));
      default -> ofPoint(pointLog.kind(i)).code();
    };
  }

  /** Starts and states of the {@code n} spans of a lane from the {@code k}-th on. */
  public void read(int lane, int k, int n, long[] starts, int[] states, int at) {
    LaneColumn references = lanes.get(lane);
    for (int j = 0; j < n; j++) {
      long reference = references.get(k + j);
      if (LaneColumn.log(reference) == GOROUTINE) {
        int i = LaneColumn.index(reference);
        starts[at + j] = goroutineLog.time(i);
        states[at + j] = ofGoroutine(goroutineLog.newState(i));
      } else {
        starts[at + j] = start(reference);
        states[at + j] = state(reference);
      }
    }
  }

  private static int ofGoroutine(int s) {
    return s == SpanState.RUNNING.code()
            || s == SpanState.SYSCALL.code()
            || s == SpanState.SYSCALL_NO_P.code()
            || s == SpanState.UNKNOWN.code()
        ? s
        : SpanState.SCHEDULING.code();
  }

  /** A thread outlives the processor it had to give up. */
  private int ofProc(int s) {
    return threads && s == SpanState.NONE.code() ? SpanState.IDLE.code() : s;
  }

  static SpanState ofPoint(PointKind kind) {
    return switch (kind) {
      case THREAD_PARK -> SpanState.IDLE;
      case SPIN_START -> SpanState.SPINNING;
      case THREAD_STOP -> SpanState.NONE;
      case LOST -> SpanState.UNKNOWN;
      default -> SpanState.SCHEDULING;
    };
  }

  /** The goroutine log's index behind the {@code k}-th span of a lane, or -1. */
  public int goroutineChange(int lane, int k) {
    return of(lane, k, GOROUTINE);
  }

  /** The processor log's index behind the {@code k}-th span of a lane, or -1. */
  public int procChange(int lane, int k) {
    return of(lane, k, PROC);
  }

  /** The point log's index behind the {@code k}-th span of a lane, or -1. */
  public int point(int lane, int k) {
    return of(lane, k, POINT);
  }

  private int of(int lane, int k, int log) {
    long reference = lanes.get(lane).get(k);
    return LaneColumn.log(reference) == log ? LaneColumn.index(reference) : -1;
  }

  /** Whether these are threads rather than processors. */
  public boolean threads() {
    return threads;
  }

  /** Bytes held, for the memory report. */
  public long bytes() {
    long n = 0;
    for (LaneColumn c : lanes) {
      n += c.bytes();
    }
    return n;
  }
}
