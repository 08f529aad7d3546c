package dev.gmptrace.bench.section;

import dev.gmptrace.bench.report.Results;
import dev.gmptrace.bench.report.Spread;
import dev.gmptrace.bench.report.Table;
import dev.gmptrace.bench.run.Effort;
import dev.gmptrace.bench.run.Peers;
import dev.gmptrace.bench.run.Sample;
import dev.gmptrace.bench.workload.PeerId;
import dev.gmptrace.bench.workload.Workload;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Every workload on every peer, at every number of Ps. In a round each peer's process runs once,
 * one right after the other, and the peer that begins changes from round to round; a ratio is
 * always formed within a round.
 */
public final class SchedulerSection {
  /** What is reported of a run, per operation. */
  private enum Figure {
    WALL("wall", "ns/op"),
    CPU("cpu", "ns/op"),
    ALLOC("alloc", "B/op"),
    SWITCHES("switches", "/1000 op");

    final String id;
    final String unit;

    Figure(String id, String unit) {
      this.id = id;
      this.unit = unit;
    }

    double of(Sample sample) {
      return switch (this) {
        case WALL -> sample.wall();
        case CPU -> sample.cpu();
        case ALLOC -> sample.alloc();
        case SWITCHES -> 1000.0 * (sample.voluntary() + sample.involuntary());
      };
    }
  }

  private final Peers peers;
  private final Effort effort;
  private final List<Workload> workloads;
  private final Results results;

  /** Measures these workloads. */
  public SchedulerSection(Peers peers, Effort effort, List<Workload> workloads, Results results) {
    this.peers = peers;
    this.effort = effort;
    this.workloads = workloads;
    this.results = results;
  }

  /** One value per figure and round. */
  private static final class Series {
    final Map<Figure, List<Double>> values = new EnumMap<>(Figure.class);

    void add(List<Sample> samples, int operations) {
      for (Figure f : Figure.values()) {
        values
            .computeIfAbsent(f, _ -> new ArrayList<>())
            .add(Sample.median(samples, f::of) / operations);
      }
    }

    List<Double> of(Figure f) {
      return values.getOrDefault(f, List.of());
    }
  }

  /** Measures, prints and adds to the results. */
  public void run() throws IOException, InterruptedException {
    for (int procs : effort.procs()) {
      Map<Workload, Map<PeerId, Series>> all = new EnumMap<>(Workload.class);
      for (int round = 0; round < effort.rounds(); round++) {
        for (Workload workload : workloads) {
          measureRound(
              workload,
              procs,
              round,
              all.computeIfAbsent(workload, _ -> new EnumMap<>(PeerId.class)));
        }
        System.out.printf("P=%d: round %d of %d done%n", procs, round + 1, effort.rounds());
      }
      all.forEach((workload, series) -> record(workload, procs, series));
      print(procs, all);
    }
  }

  private void measureRound(Workload workload, int procs, int round, Map<PeerId, Series> series)
      throws IOException, InterruptedException {
    List<PeerId> present = peers.present().stream().filter(p -> p.has(workload)).toList();
    for (int i = 0; i < present.size(); i++) {
      PeerId peer = present.get((i + round) % present.size());
      List<Sample> samples = peers.measure(peer, workload, procs, effort, results).samples();
      if (!samples.isEmpty()) {
        series
            .computeIfAbsent(peer, _ -> new Series())
            .add(samples, workload.scaled(effort.share()));
      }
    }
  }

  private void record(Workload workload, int procs, Map<PeerId, Series> series) {
    String prefix = "sched/%s/p%d/".formatted(workload.id(), procs);
    Series ours = series.get(PeerId.GMP);
    series.forEach((peer, s) -> {
      for (Figure f : Figure.values()) {
        results.add(prefix + peer.id() + "/" + f.id, f.unit, Spread.of(s.of(f)));
      }
      if (ours != null && peer != PeerId.GMP) {
        for (Figure f : List.of(Figure.WALL, Figure.CPU)) {
          results.add(
              prefix + "gmp:" + peer.id() + "/" + f.id, "x", Spread.ofRatios(ours.of(f), s.of(f)));
        }
      }
    });
  }

  private void print(int procs, Map<Workload, Map<PeerId, Series>> all) {
    System.out.printf(
        "%nScheduler, P=%d. Our time over the peer's, median (least–most) of %d rounds; below 1 we are"
            + " faster. Wall time, then CPU time.%n%n",
        procs, effort.rounds());
    System.out.println(ratios(all));
    System.out.printf(
        "Per operation: wall ns / CPU ns / bytes allocated / context switches per 1000.%n%n");
    System.out.println(absolutes(all));
  }

  private String ratios(Map<Workload, Map<PeerId, Series>> all) {
    List<PeerId> others = peers.present().stream().filter(p -> p != PeerId.GMP).toList();
    List<String> titles = new ArrayList<>(List.of("workload", "gmp ns/op"));
    others.forEach(p -> titles.add("÷ " + p.id()));
    others.forEach(p -> titles.add("CPU ÷ " + p.id()));
    Table table = new Table(titles);
    all.forEach((workload, series) -> {
      List<String> cells = new ArrayList<>(List.of(workload.id()));
      Series ours = series.get(PeerId.GMP);
      cells.add(ours == null ? "" : number(Spread.of(ours.of(Figure.WALL)).median()));
      for (Figure f : List.of(Figure.WALL, Figure.CPU)) {
        for (PeerId other : others) {
          Series theirs = series.get(other);
          cells.add(
              ours == null || theirs == null
                  ? ""
                  : Spread.ofRatios(ours.of(f), theirs.of(f)).asRatio());
        }
      }
      table.row(cells);
    });
    return table.toString();
  }

  private String absolutes(Map<Workload, Map<PeerId, Series>> all) {
    List<String> titles = new ArrayList<>(List.of("workload"));
    peers.present().forEach(p -> titles.add(p.id()));
    Table table = new Table(titles);
    all.forEach((workload, series) -> {
      List<String> cells = new ArrayList<>(List.of(workload.id()));
      for (PeerId peer : peers.present()) {
        Series s = series.get(peer);
        cells.add(
            s == null
                ? ""
                : String.join(
                    " / ",
                    Stream.of(Figure.values())
                        .map(f -> number(Spread.of(s.of(f)).median()))
                        .toList()));
      }
      table.row(cells);
    });
    return table.toString();
  }

  private static String number(double value) {
    return value >= 100 ? "%.0f".formatted(value) : "%.1f".formatted(value);
  }
}
