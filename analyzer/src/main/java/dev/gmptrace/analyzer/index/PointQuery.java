package dev.gmptrace.analyzer.index;

import dev.gmptrace.analyzer.index.PointTile.Point;
import dev.gmptrace.analyzer.model.PointKind;
import dev.gmptrace.analyzer.model.PointLog;
import dev.gmptrace.analyzer.model.Samples;
import dev.gmptrace.analyzer.model.TraceModel;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Counts point events by pixel and lists them while they are few. */
final class PointQuery {
  private final TraceModel model;
  private final Syscalls syscalls;

  PointQuery(TraceModel model) {
    this.model = model;
    this.syscalls = new Syscalls(model);
  }

  PointTile run(Set<PointKind> kinds, long from, long to, int pixels, int limit) {
    int[] count = new int[pixels];
    List<Point> exact = new ArrayList<>();
    PointLog points = model.points();
    boolean[] wanted = new boolean[PointKind.values().length];
    for (PointKind k : kinds) {
      wanted[k.code()] = true;
    }
    long total = 0;
    double perPixel = Math.max(1e-9, (double) (to - from) / pixels);
    int stop = points.lowerBound(to);
    for (int i = points.lowerBound(from); i < stop; i++) {
      PointKind kind = points.kind(i);
      if (wanted[kind.code()]) {
        count[Math.min(pixels - 1, (int) ((points.time(i) - from) / perPixel))]++;
        if (total++ < limit) {
          exact.add(point(i));
        }
      }
    }
    if (wanted[PointKind.CPU_SAMPLE.code()]) {
      Samples samples = model.samples();
      for (int i = 0; i < samples.size(); i++) {
        long t = samples.time(i);
        if (t >= from && t < to) {
          count[Math.min(pixels - 1, (int) ((t - from) / perPixel))]++;
          if (total++ < limit) {
            exact.add(sample(samples, i));
          }
        }
      }
    }
    if (wanted[PointKind.SYSCALL.code()]) {
      int last = syscalls.lowerBound(to);
      for (int i = syscalls.lowerBound(from); i < last; i++) {
        count[Math.min(pixels - 1, (int) ((syscalls.time(i) - from) / perPixel))]++;
        if (total++ < limit) {
          exact.add(syscalls.point(i));
        }
      }
    }
    return new PointTile(from, to, total, count, total > limit ? List.of() : exact);
  }

  Point point(int i) {
    PointLog points = model.points();
    return new Point(
        points.time(i),
        points.kind(i),
        model.goroutines().id(points.g(i)),
        model.procs().id(points.p(i)),
        model.threads().id(points.m(i)),
        points.a(i),
        points.b(i),
        text(i));
  }

  private Point sample(Samples s, int i) {
    int depth = model.tables().depth(s.stack(i));
    String where = depth == 0 ? "" : model.frame(model.tables().frameId(s.stack(i), 0)).function();
    return new Point(
        s.time(i),
        PointKind.CPU_SAMPLE,
        model.goroutines().id(s.g(i)),
        model.procs().id(s.p(i)),
        model.threads().id(s.m(i)),
        0,
        0,
        where);
  }

  /** A point event in words. */
  String text(int i) {
    PointLog points = model.points();
    long a = points.a(i);
    int b = points.b(i);
    String text = model.string(points.text(i));
    return switch (points.kind(i)) {
      case STEAL -> b + " goroutines from P" + a + (text.isEmpty() ? "" : " (" + text + ")");
      case GLOBAL_GET -> b + " from the global queue";
      case GLOBAL_PUT -> b + " to the global queue";
      case OVERFLOW -> b + " moved to the global queue";
      case WAKE -> a < 0 ? "wake a processor" : "wake P" + a;
      case HANDOFF -> "P" + a + (text.isEmpty() ? "" : ", " + text);
      case THREAD_UNPARK -> "M" + a;
      case TIMER -> a > 0 ? Durations.text(a) + " late" : "on time";
      case NETPOLL -> b + " ready";
      case PROC_STEAL -> "from M" + a;
      case LOST -> b + " events";
      default -> text;
    };
  }
}
