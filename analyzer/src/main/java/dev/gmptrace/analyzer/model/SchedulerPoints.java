package dev.gmptrace.analyzer.model;

import dev.gmptrace.analyzer.read.EventKind;
import dev.gmptrace.analyzer.read.TraceEvent;

/** The events only a gmp scheduler records: they become points, counters and thread states. */
final class SchedulerPoints {
  static final int GLOBAL_GET = 66;
  static final int GLOBAL_PUT = 67;
  static final int M_START = 69;
  static final int M_STOP = 70;
  static final int M_PARK = 71;
  static final int M_UNPARK = 72;
  static final int SPIN_START = 73;
  static final int SCHED_SAMPLE = 79;
  static final int GO_STATUS_INFO = 82;
  static final int PROC_STATUS_INFO = 83;
  static final int M_STATUS = 84;
  private static final int STATUS_SPINNING = 2;
  private static final int STATUS_PARKED = 3;

  private final TraceModel model;
  private final ModelBuilder builder;
  private final PointLog points;

  SchedulerPoints(TraceModel model, ModelBuilder builder) {
    this.model = model;
    this.builder = builder;
    this.points = model.points;
  }

  void accept(TraceEvent e, EventKind kind, long now, int p, int m) {
    int g = builder.find(e.goroutine());
    int n = (int) Math.min(Integer.MAX_VALUE, e.value());
    switch (kind) {
      case STEAL -> points.add(now, PointKind.STEAL, g, p, m, e.other(), n, e.name());
      case GLOBAL_QUEUE -> points.add(now, globalKind(e.type()), g, p, m, 0, n, 0);
      case SPIN -> {
        boolean start = e.type() == SPIN_START;
        int i =
            points.add(now, start ? PointKind.SPIN_START : PointKind.SPIN_STOP, g, p, m, 0, 0, 0);
        spin(m, i, start);
      }
      case WAKE -> points.add(now, PointKind.WAKE, g, p, m, e.other(), 0, 0);
      case HANDOFF -> points.add(now, PointKind.HANDOFF, g, p, m, e.other(), n, e.name());
      case THREAD -> thread(e, now, g, p, m);
      case TIMER ->
          points.add(
              now,
              PointKind.TIMER,
              e.resourceId() > 0 ? builder.find(e.resourceId()) : g,
              p,
              m,
              e.value2(),
              1,
              0);
      case NETPOLL -> points.add(now, PointKind.NETPOLL, g, p, m, 0, n, 0);
      case QUEUE_SAMPLE -> sample(e, now);
      case WAKE_REASON ->
          points.add(
              now, PointKind.WAKE_REASON, builder.find(e.resourceId()), p, m, 0, 0, e.name());
      case LOST -> {
        int i = points.add(now, PointKind.LOST, g, p, m, e.other(), n, 0);
        builder.lost(p, i);
      }
      default -> {
        // Names are taken from stacks, experiments are not about scheduling.
      }
    }
  }

  private static PointKind globalKind(int type) {
    return switch (type) {
      case GLOBAL_GET -> PointKind.GLOBAL_GET;
      case GLOBAL_PUT -> PointKind.GLOBAL_PUT;
      default -> PointKind.OVERFLOW;
    };
  }

  private void spin(int m, int point, boolean start) {
    if (m < 0 || builder.goroutineOn(m) >= 0) {
      return;
    }
    builder.threadState(m, Lanes.POINT, point, start ? SpanState.SPINNING : SpanState.SCHEDULING);
  }

  private void thread(TraceEvent e, long now, int g, int p, int m) {
    switch (e.type()) {
      case M_UNPARK -> points.add(now, PointKind.THREAD_UNPARK, g, p, m, e.other(), 0, 0);
      case M_STATUS -> status(builder.thread(e.other()), now, (int) e.value());
      case M_START -> state(now, PointKind.THREAD_START, m);
      case M_STOP -> state(now, PointKind.THREAD_STOP, m);
      case M_PARK -> state(now, PointKind.THREAD_PARK, m);
      default -> points.add(now, PointKind.OTHER, g, p, m, e.other(), 0, 0);
    }
  }

  private void status(int m, long now, int status) {
    if (m >= 0 && model.threadLanes.current(m) == SpanState.NONE) {
      PointKind kind =
          status == STATUS_PARKED
              ? PointKind.THREAD_PARK
              : status == STATUS_SPINNING ? PointKind.SPIN_START : PointKind.THREAD_START;
      state(now, kind, m);
    }
  }

  private void state(long now, PointKind kind, int m) {
    int i = points.add(now, kind, GoroutineLog.NOBODY, -1, m, 0, 0, 0);
    if (m >= 0 && builder.goroutineOn(m) < 0) {
      builder.threadState(m, Lanes.POINT, i, Lanes.ofPoint(kind));
    }
  }

  private void sample(TraceEvent e, long now) {
    if (e.type() == SCHED_SAMPLE) {
      builder.seriesOf("queue.global").add(now, e.value());
    } else {
      builder.seriesOf("queue.p" + e.resourceId()).add(now, e.value2());
    }
  }
}
