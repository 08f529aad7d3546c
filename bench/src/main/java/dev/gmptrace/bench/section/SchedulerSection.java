package dev.gmptrace.bench.section;

import dev.gmptrace.bench.report.Results;
import dev.gmptrace.bench.report.Rounds;
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
import java.util.Objects;
import java.util.stream.Collectors;
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
  private final Results results;

  /** With those peers. */
  public SchedulerSection(Peers peers, Effort effort, Results results) {
    this.peers = peers;
    this.effort = effort;
    this.results = results;
  }

  /** The keys of what it measures, when every peer is there. */
  public static List<String> keys(Effort effort) {
    List<String> keys = new ArrayList<>();
    for (int procs : effort.procs()) {
      for (Workload workload : effort.scheduled()) {
        for (PeerId peer : effort.peers()) {
          if (peer.has(workload)) {
            for (Figure f : Figure.values()) {
              keys.add(key(workload, procs, peer.id(), f));
            }
            if (peer != PeerId.GMP) {
              RATIOS.forEach(f -> keys.add(key(workload, procs, "gmp:" + peer.id(), f)));
            }
          }
        }
      }
    }
    return keys;
  }

  private static String key(Workload workload, int procs, String who, Figure figure) {
    return "sched/%s/p%d/%s/%s".formatted(workload.id(), procs, who, figure.id);
  }

  private static final List<Figure> RATIOS = List.of(Figure.WALL, Figure.CPU);

  /** One value per figure and round. */
  private static final class Series {
    final Map<Figure, Rounds> values = new EnumMap<>(Figure.class);

    Series() {
      for (Figure f : Figure.values()) {
        values.put(f, new Rounds());
      }
    }

    void put(int round, Peers.Measured measured) {
      values.forEach((f, rounds) ->
          rounds.put(round, Sample.median(measured.samples(), f::of) / measured.operations()));
    }

    Rounds of(Figure f) {
      return Objects.requireNonNull(values.get(f));
    }
  }

  /** Measures, prints and adds to the results. */
  public void run() throws IOException, InterruptedException {
    for (int procs : effort.procs()) {
      Map<Workload, Map<PeerId, Series>> all = new EnumMap<>(Workload.class);
      for (int round = 0; round < effort.rounds(); round++) {
        for (Workload workload : effort.scheduled()) {
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
      results.save();
    }
  }

  private void measureRound(Workload workload, int procs, int round, Map<PeerId, Series> series)
      throws IOException, InterruptedException {
    List<PeerId> present = peers.present().stream().filter(p -> p.has(workload)).toList();
    for (int i = 0; i < present.size(); i++) {
      PeerId peer = present.get((i + round) % present.size());
      Peers.Measured measured = peers.measure(peer, workload, procs, effort, results);
      if (!measured.samples().isEmpty()) {
        series.computeIfAbsent(peer, _ -> new Series()).put(round, measured);
      }
    }
  }

  private void record(Workload workload, int procs, Map<PeerId, Series> series) {
    Series ours = series.get(PeerId.GMP);
    series.forEach((peer, s) -> {
      for (Figure f : Figure.values()) {
        results.add(key(workload, procs, peer.id(), f), f.unit, s.of(f).spread());
      }
      if (ours != null && peer != PeerId.GMP) {
        for (Figure f : RATIOS) {
          Spread ratio = ours.of(f).over(s.of(f));
          if (ratio != null) {
            results.add(key(workload, procs, "gmp:" + peer.id(), f), "x", ratio);
          }
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
        "Per operation: wall ns / CPU ns / bytes allocated / context switches per 1000; – where a peer"
            + " has no idiom for it.%n%n");
    System.out.println(absolutes(all));
  }

  private String ratios(Map<Workload, Map<PeerId, Series>> all) {
    List<PeerId> others = peers.wanted().stream().filter(p -> p != PeerId.GMP).toList();
    List<String> titles = new ArrayList<>(List.of("workload", "gmp ns/op"));
    others.forEach(p -> titles.add("÷ " + p.id()));
    others.forEach(p -> titles.add("CPU ÷ " + p.id()));
    Table table = new Table(titles);
    all.forEach((workload, series) -> {
      List<String> cells = new ArrayList<>(List.of(workload.id()));
      Series ours = series.get(PeerId.GMP);
      cells.add(
          ours == null
              ? absence(PeerId.GMP, workload)
              : number(ours.of(Figure.WALL).spread().median()));
      for (Figure f : RATIOS) {
        for (PeerId other : others) {
          Series theirs = series.get(other);
          Spread ratio = ours == null || theirs == null ? null : ours.of(f).over(theirs.of(f));
          cells.add(ratio == null ? absence(other, workload) : ratio.asRatio());
        }
      }
      table.row(cells);
    });
    return table.toString();
  }

  /** Why a peer has no figure. */
  private String absence(PeerId peer, Workload workload) {
    if (!peer.has(workload)) {
      return "–";
    }
    return peers.present().contains(peer) ? "failed" : "missing";
  }

  private String absolutes(Map<Workload, Map<PeerId, Series>> all) {
    List<String> titles = new ArrayList<>(List.of("workload"));
    peers.wanted().forEach(p -> titles.add(p.id()));
    Table table = new Table(titles);
    all.forEach((workload, series) -> {
      List<String> cells = new ArrayList<>(List.of(workload.id()));
      for (PeerId peer : peers.wanted()) {
        Series s = series.get(peer);
        cells.add(
            s == null
                ? absence(peer, workload)
                : Stream.of(Figure.values())
                    .map(f -> number(s.of(f).spread().median()))
                    .collect(Collectors.joining(" / ")));
      }
      table.row(cells);
    });
    return table.toString();
  }

  private static String number(double value) {
    return value >= 100 ? "%.0f".formatted(value) : "%.1f".formatted(value);
  }
}
