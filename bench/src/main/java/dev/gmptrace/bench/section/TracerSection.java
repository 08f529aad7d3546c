package dev.gmptrace.bench.section;

import dev.gmptrace.analyzer.read.TraceReader;
import dev.gmptrace.bench.report.Results;
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

/**
 * What tracing costs: each workload without, with, and with stacks, one after the other in every
 * round; and Go's tracer on the same work in Go. The trace goes to a file in the temporary
 * directory, so the writer's work is in the CPU time.
 */
public final class TracerSection {
  private static final int STACK_DEPTH = 16;

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
  }

  /** One value per round. */
  private static final class Series {
    final List<Double> wall = new ArrayList<>();
    final List<Double> cpu = new ArrayList<>();
    final List<Double> eventsPerOperation = new ArrayList<>();
    final List<Double> bytesPerEvent = new ArrayList<>();
    final List<Double> lost = new ArrayList<>();
  }

  private final Peers peers;
  private final Effort effort;
  private final List<Workload> workloads;
  private final Results results;

  /** Of those workloads that make events. */
  public TracerSection(Peers peers, Effort effort, List<Workload> workloads, Results results) {
    this.peers = peers;
    this.effort = effort;
    this.workloads =
        workloads.stream()
            .filter(w ->
                List.of(
                        Workload.PINGPONG,
                        Workload.SPAWN,
                        Workload.SIEVE,
                        Workload.MUTEX,
                        Workload.NETECHO,
                        Workload.WEB)
                    .contains(w))
            .toList();
    this.results = results;
  }

  /** Measures, prints and adds to the results. */
  public void run() throws IOException, InterruptedException {
    int procs = effort.procs().contains(2) ? 2 : effort.procs().getFirst();
    Table table =
        new Table(
            List.of(
                "traced",
                "on ÷ off",
                "CPU",
                "stacks ÷ off",
                "events/op",
                "CPU ns/event",
                "B/event",
                "lost",
                "Go: on ÷ off",
                "CPU",
                "B/event"));
    Path file = Files.createTempFile("gmptrace-bench", ".trace");
    try {
      for (Workload workload : workloads) {
        Map<Mode, Series> series = new EnumMap<>(Mode.class);
        for (int round = 0; round < effort.rounds(); round++) {
          for (Mode mode : Mode.values()) {
            measure(workload, procs, mode, file, series);
          }
        }
        report(workload, procs, series, table);
      }
    } finally {
      Files.delete(file);
    }
    System.out.printf(
        "%nTracing, P=%d: time with tracing over time without, median (least–most) of %d rounds%n%n",
        procs, effort.rounds());
    System.out.println(table);
  }

  private void measure(Workload workload, int procs, Mode mode, Path file, Map<Mode, Series> series)
      throws IOException, InterruptedException {
    if (!peers.present().contains(mode.peer) || !mode.peer.has(workload)) {
      return;
    }
    Measured measured =
        switch (mode) {
          case OFF, GO_OFF -> peers.measure(mode.peer, workload, procs, effort, results);
          case ON, GO_ON ->
              peers.measureTraced(mode.peer, workload, procs, effort, file, 0, results);
          case STACKS ->
              peers.measureTraced(mode.peer, workload, procs, effort, file, STACK_DEPTH, results);
        };
    if (measured.samples().isEmpty()) {
      return;
    }
    Series s = series.computeIfAbsent(mode, _ -> new Series());
    s.wall.add(Sample.median(measured.samples(), Sample::wall) / measured.operations());
    s.cpu.add(Sample.median(measured.samples(), Sample::cpu) / measured.operations());
    Recorded trace = measured.trace();
    if (trace != null) {
      double events = trace.events() >= 0 ? trace.events() : count(file);
      double operations = (double) measured.operations() * measured.samples().size();
      s.eventsPerOperation.add(events / operations);
      s.bytesPerEvent.add(trace.bytes() / events);
      s.lost.add((double) trace.lost());
    }
  }

  private static long count(Path file) {
    try (TraceReader reader = TraceReader.open(file)) {
      return reader.read(_ -> {}).events();
    }
  }

  private void report(Workload workload, int procs, Map<Mode, Series> series, Table table) {
    String prefix = "tracer/%s/p%d/".formatted(workload.id(), procs);
    series.forEach((mode, s) -> {
      results.add(prefix + mode.id + "/wall", "ns/op", Spread.of(s.wall));
      results.add(prefix + mode.id + "/cpu", "ns/op", Spread.of(s.cpu));
    });
    Series off = series.get(Mode.OFF);
    Series on = series.get(Mode.ON);
    if (off == null || on == null) {
      return;
    }
    List<String> cells = new ArrayList<>(List.of(workload.id()));
    cells.add(ratio(prefix + "on:off/wall", on.wall, off.wall));
    cells.add(ratio(prefix + "on:off/cpu", on.cpu, off.cpu));
    Series stacks = series.get(Mode.STACKS);
    cells.add(stacks == null ? "" : ratio(prefix + "stacks:off/wall", stacks.wall, off.wall));

    Spread events = Spread.of(on.eventsPerOperation);
    Spread bytes = Spread.of(on.bytesPerEvent);
    Spread lost = Spread.of(on.lost);
    List<Double> costs = new ArrayList<>();
    for (int i = 0; i < Math.min(on.cpu.size(), off.cpu.size()); i++) {
      costs.add((on.cpu.get(i) - off.cpu.get(i)) / on.eventsPerOperation.get(i));
    }
    results.add(prefix + "events-per-op", "", events);
    results.add(prefix + "cpu-per-event", "ns", Spread.of(costs));
    results.add(prefix + "bytes-per-event", "B", bytes);
    results.add(prefix + "lost", "events", lost);
    cells.add("%.2f".formatted(events.median()));
    cells.add("%.1f".formatted(Spread.of(costs).median()));
    cells.add("%.2f".formatted(bytes.median()));
    cells.add("%.0f".formatted(lost.max()));

    Series goOff = series.get(Mode.GO_OFF);
    Series goOn = series.get(Mode.GO_ON);
    if (goOff == null || goOn == null) {
      cells.addAll(List.of("", "", ""));
    } else {
      cells.add(ratio(prefix + "go-on:go-off/wall", goOn.wall, goOff.wall));
      cells.add(ratio(prefix + "go-on:go-off/cpu", goOn.cpu, goOff.cpu));
      Spread goBytes = Spread.of(goOn.bytesPerEvent);
      results.add(prefix + "go/bytes-per-event", "B", goBytes);
      cells.add("%.2f".formatted(goBytes.median()));
    }
    table.row(cells);
  }

  private String ratio(String key, List<Double> a, List<Double> b) {
    Spread ratio = Spread.ofRatios(a, b);
    results.add(key, "x", ratio);
    return ratio.asRatio();
  }
}
