package dev.gmptrace.analyzer.index;

import dev.gmptrace.analyzer.model.Series;
import dev.gmptrace.analyzer.model.TraceModel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** All numbers over time: goroutines by state from the log, everything else from its series. */
final class Counters {
  private static final Map<String, Integer> GOROUTINES =
      Map.of(
          "g.runnable", GoroutineCounts.RUNNABLE,
          "g.running", GoroutineCounts.RUNNING,
          "g.syscall", GoroutineCounts.SYSCALL,
          "g.waiting", GoroutineCounts.WAITING,
          "g.unknown", GoroutineCounts.UNKNOWN,
          "g.total", GoroutineCounts.TOTAL);
  private static final List<String> ORDER =
      List.of("g.runnable", "g.running", "g.syscall", "g.waiting", "g.unknown", "g.total");
  private static final Map<String, String> LABELS =
      Map.ofEntries(
          Map.entry("g.runnable", "runnable goroutines"),
          Map.entry("g.running", "running goroutines"),
          Map.entry("g.syscall", "goroutines in system calls"),
          Map.entry("g.waiting", "waiting goroutines"),
          Map.entry("g.unknown", "goroutines in an unknown state"),
          Map.entry("g.total", "goroutines"),
          Map.entry("p.running", "processors held by a thread"),
          Map.entry("p.idle", "idle processors"),
          Map.entry("m.total", "threads"),
          Map.entry("m.parked", "idle threads"),
          Map.entry("m.spinning", "spinning threads"),
          Map.entry("queue.global", "global queue"),
          Map.entry("queue.local", "local queues, all processors"),
          Map.entry("heap.alloc", "heap in use"),
          Map.entry("heap.goal", "heap goal"),
          Map.entry("gomaxprocs", "GOMAXPROCS"));

  private final TraceModel model;
  private final GoroutineCounts goroutines;

  Counters(TraceModel model) {
    this.model = model;
    this.goroutines = new GoroutineCounts(model.goroutineLog());
  }

  GoroutineCounts goroutines() {
    return goroutines;
  }

  List<CounterInfo> list() {
    List<CounterInfo> list = new ArrayList<>();
    int all = model.goroutineLog().size();
    for (String name : ORDER) {
      int c = GOROUTINES.getOrDefault(name, GoroutineCounts.TOTAL);
      list.add(
          new CounterInfo(
              name,
              label(name),
              "",
              "goroutines",
              goroutines.min(c),
              goroutines.max(c),
              goroutines.after(all, c)));
    }
    for (Series s : model.series()) {
      if (s.size() > 0) {
        list.add(
            new CounterInfo(
                s.name(),
                label(s.name()),
                unit(s.name()),
                group(s.name()),
                s.min(),
                s.max(),
                s.value(s.size() - 1)));
      }
    }
    return list;
  }

  private static String label(String name) {
    String known = LABELS.get(name);
    if (known != null) {
      return known;
    }
    return name.startsWith("queue.p") ? "queue of P" + name.substring("queue.p".length()) : name;
  }

  private static String unit(String name) {
    return name.startsWith("heap.") || name.endsWith(":bytes") ? "bytes" : "";
  }

  private static String group(String name) {
    return switch (name.charAt(0)) {
      case 'p' -> "processors";
      case 'm' -> "threads";
      case 'q' -> "queues";
      case 'h' -> "heap";
      default -> "other";
    };
  }

  /** The counter at the zoom asked; all zero when the trace has no such counter. */
  CounterTile tile(String name, long from, long to, int pixels) {
    Integer c = GOROUTINES.get(name);
    if (c != null) {
      return goroutines.tile(name, c, from, to, pixels);
    }
    Series s = model.series(name);
    long[] lo = new long[pixels];
    long[] hi = new long[pixels];
    long[] last = new long[pixels];
    if (s != null) {
      int i = s.lowerBound(from);
      long v = i == 0 ? 0 : s.value(i - 1);
      for (int x = 0; x < pixels; x++) {
        long border = from + Math.round((double) (to - from) * (x + 1) / pixels);
        lo[x] = v;
        hi[x] = v;
        for (; i < s.size() && s.time(i) < border; i++) {
          v = s.value(i);
          lo[x] = Math.min(lo[x], v);
          hi[x] = Math.max(hi[x], v);
        }
        last[x] = v;
      }
    }
    return new CounterTile(name, from, to, lo, hi, last);
  }
}
