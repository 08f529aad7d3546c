package dev.gmptrace.bench.section;

import dev.gmptrace.analyzer.read.TraceReader;
import dev.gmptrace.bench.report.Results;
import dev.gmptrace.bench.report.Rounds;
import dev.gmptrace.bench.report.Spread;
import dev.gmptrace.bench.report.Table;
import dev.gmptrace.bench.run.Effort;
import dev.gmptrace.bench.run.Peers;
import dev.gmptrace.bench.run.Peers.Measured;
import dev.gmptrace.bench.run.Recorded;
import dev.gmptrace.bench.run.Sample;
import dev.gmptrace.bench.workload.PeerId;
import dev.gmptrace.bench.workload.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What tracing costs: each workload without, with, and with stacks, one after the other in every
 * round, the one that begins changing from round to round; and Go's tracer on the same work in Go.
 * The trace goes to a file in the temporary directory, so the writer's work is in the CPU time.
 */
public final class TracerSection {
  private static final int STACK_DEPTH = 16;

  /** Below that many events in an operation, noise divided by them would pass for their cost. */
  private static final double FEW_EVENTS = 0.1;

  private enum Mode {
    OFF("off", PeerId.GMP),
    ON("on", PeerId.GMP),
    STACKS("stacks", PeerId.GMP),
    GO_OFF("go-off", PeerId.GO),
    GO_ON("go-on", PeerId.GO);

    final String id;
    final PeerId peer;

    Mode(String id, PeerId peer) {
      this.id = id;
      this.peer = peer;
    }

    /** The same work without tracing. */
    Mode without() {
      return peer == PeerId.GO ? GO_OFF : OFF;
    }

    boolean traces() {
      return this != without();
    }
  }

  private static final class Series {
    final Rounds wall = new Rounds();
    final Rounds cpu = new Rounds();
    final Rounds eventsPerOperation = new Rounds();
    final Rounds bytesPerEvent = new Rounds();
    final Rounds lost = new Rounds();
  }

  private final Peers peers;
  private final Effort effort;
  private final Results results;

  /** Of the effort's traced workloads. */
  public TracerSection(Peers peers, Effort effort, Results results) {
    this.peers = peers;
    this.effort = effort;
    this.results = results;
  }

  /** The keys of what it measures, when Go is there. */
  public static List<String> keys(Effort effort) {
    List<String> keys = new ArrayList<>();
    for (Workload workload : effort.traced()) {
      for (Mode mode : Mode.values()) {
        if (!effort.peers().contains(mode.peer) || !mode.peer.has(workload)) {
          continue;
        }
        String prefix = prefix(workload, procs(effort));
        keys.add(prefix + mode.id + "/wall");
        keys.add(prefix + mode.id + "/cpu");
        if (mode.traces()) {
          keys.add(prefix + ratio(mode) + "/wall");
          keys.add(prefix + ratio(mode) + "/cpu");
          for (String figure : List.of("events-per-op", "bytes-per-event", "cpu-per-event")) {
            keys.add(prefix + mode.id + "/" + figure);
          }
          if (mode.peer == PeerId.GMP) {
            keys.add(prefix + mode.id + "/lost");
          }
        }
      }
    }
    return keys;
  }

  private static String prefix(Workload workload, int procs) {
    return "tracer/%s/p%d/".formatted(workload.id(), procs);
  }

  private static String ratio(Mode mode) {
    return mode.id + ":" + mode.without().id;
  }

  private static int procs(Effort effort) {
    return effort.procs().contains(2) ? 2 : effort.procs().getFirst();
  }

  /** Measures, prints and adds to the results. */
  public void run() throws IOException, InterruptedException {
    int procs = procs(effort);
    Table table =
        new Table(
            List.of(
                "traced",
                "on ÷ off",
                "CPU",
                "stacks ÷ off",
                "CPU",
                "events/op",
                "CPU ns/event",
                "with stacks",
                "B/event",
                "with stacks",
                "lost",
                "Go: on ÷ off",
                "CPU",
                "B/event"));
    Path file = Files.createTempFile("gmptrace-bench", ".trace");
    try {
      for (Workload workload : effort.traced()) {
        Map<Mode, Series> series = new EnumMap<>(Mode.class);
        for (int round = 0; round < effort.rounds(); round++) {
          measureRound(workload, procs, round, file, series);
        }
        report(workload, procs, series, table);
        results.save();
      }
    } finally {
      Files.delete(file);
    }
    System.out.printf(
        "%nTracing, P=%d: time with tracing over time without, median (least–most) of %d rounds;"
            + " events lost without and with stacks%n%n",
        procs, effort.rounds());
    System.out.println(table);
  }

  private void measureRound(
      Workload workload, int procs, int round, Path file, Map<Mode, Series> series)
      throws IOException, InterruptedException {
    List<Mode> modes =
        List.of(Mode.values()).stream()
            .filter(m -> peers.present().contains(m.peer) && m.peer.has(workload))
            .toList();
    for (int i = 0; i < modes.size(); i++) {
      Mode mode = modes.get((i + round) % modes.size());
      Measured measured =
          mode.traces()
              ? peers.measureTraced(
                  mode.peer,
                  workload,
                  procs,
                  effort,
                  file,
                  mode == Mode.STACKS ? STACK_DEPTH : 0,
                  results)
              : peers.measure(mode.peer, workload, procs, effort, results);
      if (!measured.samples().isEmpty()) {
        put(series.computeIfAbsent(mode, _ -> new Series()), round, measured, file);
      }
    }
  }

  private static void put(Series s, int round, Measured measured, Path file) {
    s.wall.put(round, Sample.median(measured.samples(), Sample::wall) / measured.operations());
    s.cpu.put(round, Sample.median(measured.samples(), Sample::cpu) / measured.operations());
    Recorded trace = measured.trace();
    if (trace != null) {
      double events = trace.events() >= 0 ? trace.events() : count(file);
      double operations = (double) measured.operations() * measured.samples().size();
      s.eventsPerOperation.put(round, events / operations);
      s.bytesPerEvent.put(round, trace.bytes() / events);
      s.lost.put(round, (double) trace.lost());
    }
  }

  private static long count(Path file) {
    try (TraceReader reader = TraceReader.open(file)) {
      return reader.read(_ -> {}).events();
    }
  }

  private void report(Workload workload, int procs, Map<Mode, Series> series, Table table) {
    String prefix = prefix(workload, procs);
    series.forEach((mode, s) -> {
      results.add(prefix + mode.id + "/wall", "ns/op", s.wall.spread());
      results.add(prefix + mode.id + "/cpu", "ns/op", s.cpu.spread());
    });
    Cost on = cost(prefix, Mode.ON, series);
    Cost stacks = cost(prefix, Mode.STACKS, series);
    Cost go = cost(prefix, Mode.GO_ON, series);
    table.row(
        List.of(
            workload.id(),
            on.wall,
            on.cpu,
            stacks.wall,
            stacks.cpu,
            on.eventsPerOperation,
            on.perEvent,
            stacks.perEvent,
            on.bytesPerEvent,
            stacks.bytesPerEvent,
            on.lost + " / " + stacks.lost,
            go.wall,
            go.cpu,
            go.bytesPerEvent));
  }

  /** Cells of the table. */
  private record Cost(
      String wall,
      String cpu,
      String eventsPerOperation,
      String perEvent,
      String bytesPerEvent,
      String lost) {
    static final Cost UNKNOWN = new Cost("–", "–", "–", "–", "–", "–");
  }

  /** Adds to the results what tracing in that mode costs. */
  private Cost cost(String prefix, Mode mode, Map<Mode, Series> series) {
    Series off = series.get(mode.without());
    Series on = series.get(mode);
    if (off == null || on == null || on.lost.isEmpty()) {
      return Cost.UNKNOWN;
    }
    String own = prefix + mode.id + "/";
    Spread events = on.eventsPerOperation.spread();
    results.add(own + "events-per-op", "", events);
    results.add(own + "bytes-per-event", "B", on.bytesPerEvent.spread());
    if (mode.peer == PeerId.GMP) { // Go does not say
      results.add(own + "lost", "events", on.lost.spread());
    }
    Rounds perEvent =
        on.cpu.with(off.cpu, (a, b) -> a - b).with(on.eventsPerOperation, (ns, n) -> ns / n);
    boolean told = events.median() >= FEW_EVENTS && !perEvent.isEmpty();
    if (told) {
      results.add(own + "cpu-per-event", "ns", perEvent.spread());
    }
    return new Cost(
        shown(prefix + ratio(mode) + "/wall", on.wall.over(off.wall)),
        shown(prefix + ratio(mode) + "/cpu", on.cpu.over(off.cpu)),
        "%.2f".formatted(events.median()),
        told ? "%.1f".formatted(perEvent.spread().median()) : "few events",
        "%.2f".formatted(on.bytesPerEvent.spread().median()),
        "%.0f".formatted(on.lost.spread().max()));
  }

  private String shown(String key, @Nullable Spread ratio) {
    if (ratio == null) {
      return "–";
    }
    results.add(key, "x", ratio);
    return ratio.asRatio();
  }
}
