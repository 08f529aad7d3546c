package dev.gmptrace.bench;

import dev.gmptrace.bench.report.Budget;
import dev.gmptrace.bench.report.Results;
import dev.gmptrace.bench.run.Distribution;
import dev.gmptrace.bench.run.Effort;
import dev.gmptrace.bench.run.Peers;
import dev.gmptrace.bench.run.Surroundings;
import dev.gmptrace.bench.section.AnalyzerSection;
import dev.gmptrace.bench.section.SchedulerSection;
import dev.gmptrace.bench.section.StartupSection;
import dev.gmptrace.bench.section.TracerSection;
import dev.gmptrace.bench.tracer.RecorderSection;
import dev.gmptrace.bench.workload.PeerId;
import dev.gmptrace.bench.workload.Workload;
import java.io.IOException;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bench/run}: measures us and the peers in one run, and says which budgets are met. */
@Command(
    name = "bench/run",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Measures gmptrace beside its peers, interleaved, and prints ratios with their spread.",
      "Without options: the quick mode, under five minutes, all sections.",
      "",
    },
    footer = {
      "",
      "Peers: the JDK's scheduler, jox, kotlinx.coroutines (built on first use), and Go when GOROOT",
      "is set or go is on the PATH. A peer that is missing is noted and left out.",
      "",
      "Examples:",
      "  bench/run                                       everything, quick",
      "  bench/run --only recorder                       what an event, a stack and the writer cost",
      "  bench/run --only sched --workload pingpong,sieve -P 1,2 --rounds 5",
      "  bench/run --full --save 2026-11-18              the whole of it, kept in bench/results",
    })
public final class Bench implements Callable<Integer> {
  /** The parts of a report. */
  enum Part {
    sched,
    tracer,
    recorder,
    analyzer,
    startup
  }

  @Option(names = "--full", description = "P = 1, 2, 4, more rounds, traces of up to 100 M events.")
  private boolean full;

  @Option(
      names = "--only",
      split = ",",
      paramLabel = "SECTION",
      description = "Only these sections: ${COMPLETION-CANDIDATES}.")
  private Set<Part> only = EnumSet.allOf(Part.class);

  @Option(
      names = {"-w", "--workload"},
      split = ",",
      paramLabel = "NAME",
      description = "Only these workloads (see --list).")
  private List<String> workloads = List.of();

  @Option(
      names = "--peer",
      split = ",",
      paramLabel = "NAME",
      description = "Only these peers: gmp, jdk, jox, kotlin, go.")
  private List<String> peers = List.of();

  @Option(
      names = {"-P", "--procs"},
      split = ",",
      paramLabel = "N",
      description = "Numbers of Ps.")
  private List<Integer> procs = List.of();

  @Option(names = "--rounds", paramLabel = "N", description = "How often each process is started.")
  private int rounds;

  @Option(
      names = "--events",
      split = ",",
      paramLabel = "N",
      description = "Sizes of the traces that are opened, in events.")
  private List<Long> events = List.of();

  @Option(
      names = "--save",
      paramLabel = "NAME",
      description =
          "Keep the figures as bench/results/NAME.json; without it they go to a file named for the"
              + " time, which git ignores.")
  private @Nullable String save;

  @Option(names = "--list", description = "List workloads, peers and budgets, measure nothing.")
  private boolean list;

  private final Path home = Path.of(System.getProperty("gmptrace.bench.home", "bench"));

  private Bench() {}

  /** Runs it. */
  public static void main(String[] args) {
    System.exit(
        new CommandLine(new Bench())
            .setExecutionExceptionHandler((e, _, _) -> {
              e.printStackTrace();
              return 3;
            })
            .execute(args));
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    List<Budget> budgets = Results.budgets(home.resolve("budgets.json"));
    if (list) {
      list(budgets);
      return 0;
    }
    Effort effort = effort();
    List<Workload> chosen = chosenWorkloads();
    Set<PeerId> wanted = wantedPeers();
    Results results = new Results();
    Surroundings.describe(home, effort, results);
    Peers present = Peers.find(home, wanted, results);
    if (only.contains(Part.sched)) {
      new SchedulerSection(present, effort, chosen, results).run();
    }
    if (only.contains(Part.tracer)) {
      new TracerSection(present, effort, chosen, results).run();
    }
    if (only.contains(Part.recorder)) {
      new RecorderSection(!full, home.resolve("target"), results).run();
    }
    if (only.contains(Part.analyzer)) {
      new AnalyzerSection(present, Distribution.find(home), effort, results).run();
    }
    if (only.contains(Part.startup)) {
      new StartupSection(Distribution.find(home), results).run();
    }
    finish(results, budgets, effort);
    return 0;
  }

  private Effort effort() {
    Effort effort = full ? Effort.full() : Effort.quick();
    if (rounds > 0) {
      effort = effort.withRounds(rounds);
    }
    if (!procs.isEmpty()) {
      effort = effort.withProcs(procs);
    }
    if (!events.isEmpty()) {
      effort = effort.withTraceEvents(events);
    }
    return effort;
  }

  private List<Workload> chosenWorkloads() {
    if (workloads.isEmpty()) {
      return List.of(Workload.values());
    }
    return workloads.stream()
        .map(name -> {
          Workload w = Workload.of(name);
          if (w == null) {
            throw new IllegalArgumentException("no workload \"" + name + "\"; see --list");
          }
          return w;
        })
        .toList();
  }

  private Set<PeerId> wantedPeers() {
    if (peers.isEmpty()) {
      return EnumSet.allOf(PeerId.class);
    }
    Set<PeerId> wanted = EnumSet.noneOf(PeerId.class);
    for (String name : peers) {
      PeerId p = PeerId.of(name);
      if (p == null) {
        throw new IllegalArgumentException("no peer \"" + name + "\"; see --list");
      }
      wanted.add(p);
    }
    return wanted;
  }

  private static void list(List<Budget> budgets) {
    System.out.println("Workloads (one operation is):");
    Arrays.stream(Workload.values())
        .forEach(w -> System.out.printf("  %-10s %s%n", w.id(), w.operation()));
    System.out.println("Peers:");
    Arrays.stream(PeerId.values())
        .forEach(p -> System.out.printf("  %-10s %s%n", p.id(), p.title()));
    System.out.println("Budgets:");
    budgets.forEach(b -> System.out.printf("  %-65s %s%n", b.what(), b.limit()));
  }

  private void finish(Results results, List<Budget> budgets, Effort effort) throws IOException {
    List<Budget.Verdict> verdicts = results.judge(budgets);
    if (!verdicts.isEmpty()) {
      System.out.println("Budgets, the tightest first\n");
      System.out.println(Results.table(verdicts));
    }
    String name =
        save != null
            ? save + ".json"
            : LocalDateTime.now(ZoneOffset.UTC)
                    .format(DateTimeFormatter.ofPattern("uuuuMMdd-HHmmss"))
                + "-"
                + effort.name()
                + ".local.json";
    Path file = home.resolve("results").resolve(name);
    results.write(file, verdicts);
    System.out.println("figures: " + file);
  }
}
