package dev.gmptrace.analyzer.model;

import dev.gmptrace.analyzer.read.EventKind;
import dev.gmptrace.analyzer.read.EventTypes;
import dev.gmptrace.analyzer.read.TraceEvent;
import java.util.Arrays;

/** The events only a gmp scheduler records: they become points, counters and thread states. */
final class SchedulerPoints {
  private static final int STATUS_SPINNING = 2;
  private static final int STATUS_PARKED = 3;

  /** The counts of a SchedSample in the order of its arguments. */
  private static final String[] SCHED_SERIES = {
    "sched.procs",
    "sched.idleprocs",
    "sched.threads",
    "sched.spinning",
    "sched.needspinning",
    "sched.idlethreads",
    "queue.global"
  };

  private static final int MAX_LOCAL = 1 << 16;

  private final TraceModel model;
  private final ModelBuilder builder;
  private final Places places;
  private long[] localLength = new long[16];
  private long local;
  private final PointLog points;

  SchedulerPoints(TraceModel model, ModelBuilder builder, Places places) {
    this.model = model;
    this.builder = builder;
    this.places = places;
    this.points = model.points;
  }

  void accept(TraceEvent e, EventKind kind, long now, int p, int m) {
    int g = builder.find(e.goroutine());
    int n = (int) Math.min(Integer.MAX_VALUE, e.value());
    switch (kind) {
      case STEAL -> points.add(now, PointKind.STEAL, g, p, m, e.other(), n, e.name());
      case GLOBAL_QUEUE -> points.add(now, globalKind(e.type()), g, p, m, 0, n, 0);
      case SPIN -> {
        boolean start = e.type() == EventTypes.SPIN_START;
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
        int i = points.add(now, PointKind.LOST, g, p, m, builder.relative(e.other()), n, 0);
        places.lost(p, m, i);
      }
      default -> {
        // Names are taken from stacks, experiments are not about scheduling.
      }
    }
  }

  private static PointKind globalKind(int type) {
    return switch (type) {
      case EventTypes.GLOBAL_GET -> PointKind.GLOBAL_GET;
      case EventTypes.GLOBAL_PUT -> PointKind.GLOBAL_PUT;
      default -> PointKind.OVERFLOW;
    };
  }

  private void spin(int m, int point, boolean start) {
    if (m < 0 || places.goroutineOn(m) >= 0) {
      return;
    }
    places.threadState(m, Lanes.POINT, point, start ? SpanState.SPINNING : SpanState.SCHEDULING);
  }

  private void thread(TraceEvent e, long now, int g, int p, int m) {
    switch (e.type()) {
      case EventTypes.M_UNPARK ->
          points.add(now, PointKind.THREAD_UNPARK, g, p, m, e.resourceId(), 0, 0);
      case EventTypes.M_STATUS -> status(places.thread(e.resourceId()), now, (int) e.value());
      case EventTypes.M_START -> state(now, PointKind.THREAD_START, m);
      case EventTypes.M_STOP -> state(now, PointKind.THREAD_STOP, m);
      case EventTypes.M_PARK -> state(now, PointKind.THREAD_PARK, m);
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
    if (kind == PointKind.THREAD_PARK || kind == PointKind.THREAD_STOP) {
      places.leftAlone(m);
    }
    int i = points.add(now, kind, GoroutineLog.NOBODY, -1, m, 0, 0, 0);
    if (m >= 0 && places.goroutineOn(m) < 0) {
      places.threadState(m, Lanes.POINT, i, Lanes.ofPoint(kind));
    }
  }

  /** What sysmon counted; kept as series, so that SCHED lines can be printed from a recording. */
  private void sample(TraceEvent e, long now) {
    if (e.type() == EventTypes.SCHED_SAMPLE) {
      model.monitor = e.thread();
      for (int i = 0; i < SCHED_SERIES.length; i++) {
        builder.seriesOf(SCHED_SERIES[i]).add(now, e.arg(i));
      }
      return;
    }
    long p = e.arg(0);
    if (model.procs.find(p) < 0) {
      return;
    }
    builder.seriesOf("queue.p" + p).add(now, e.arg(1));
    builder.seriesOf("runnext.p" + p).add(now, e.arg(2));
    builder.seriesOf("timers.p" + p).add(now, e.arg(3));
    builder.seriesOf("schedtick.p" + p).add(now, e.arg(4));
    long before = p < localLength.length ? localLength[(int) p] : 0;
    if (p >= 0 && p < MAX_LOCAL) {
      if (p >= localLength.length) {
        localLength = Arrays.copyOf(localLength, (int) p * 2 + 1);
      }
      localLength[(int) p] = e.arg(1);
      local += e.arg(1) - before;
      builder.seriesOf("queue.local").add(now, local);
    }
  }
}
