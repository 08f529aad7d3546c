package dev.gmptrace.bench;

import dev.gmptrace.bench.report.Budget;
import dev.gmptrace.bench.report.Results;
import dev.gmptrace.bench.run.Distribution;
import dev.gmptrace.bench.run.Effort;
import dev.gmptrace.bench.run.Peers;
import dev.gmptrace.bench.run.Surroundings;
import dev.gmptrace.bench.section.AnalyzerSection;
import dev.gmptrace.bench.section.PageSection;
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
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code bench/run}: measures us and the peers in one run, and says which budgets are met. */
@Command(
    name = "bench/run",
    sortOptions = false,
    description = {
      "Measures gmptrace beside its peers, interleaved, and prints ratios with their spread.",
      "Without options: the quick mode, under five minutes: us, the JDK and Go at the workloads that",
      "have a budget, three rounds, and all sections but the page. --full takes about fifty.",
      "",
    },
    footer = {
      "",
      "Figures are kept after each section, so that a run that is ended keeps what it has.",
      "",
      "Peers: the JDK's scheduler, jox, kotlinx.coroutines (built on first use), and Go when GOROOT",
      "is set or go is on the PATH. A peer that is missing is noted and left out.",
      "",
      "Examples:",
      "  bench/run                                       everything, quick",
      "  bench/run --only recorder                       what an event, a stack and the writer cost",
      "  bench/run --only sched --workload pingpong,sieve -P 1,2 --rounds 5",
      "  bench/run --only page                           the viewer's page in Chromium",
      "  bench/run --full --save 2026-11-18              the whole of it, kept in bench/results",
    })
public final class Bench implements Callable<Integer> {
  /** The parts of a report. */
  enum Part {
    sched,
    tracer,
    recorder,
    analyzer,
    startup,
    page
  }

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help and exit.")
  boolean help;

  @Option(
      names = "--full",
      description =
          "All peers and workloads, P = 1, 2, 4, longer runs, traces of up to 100 M events, the"
              + " page.")
  private boolean full;

  @Option(
      names = "--only",
      split = ",",
      paramLabel = "SECTION",
      description = "Only these sections: ${COMPLETION-CANDIDATES}.")
  private @Nullable Set<Part> only;

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

  @Spec private @Nullable CommandSpec spec;

  private Bench() {}

  /** Runs it. */
  public static void main(String[] args) {
    System.exit(run(args));
  }

  /** Runs one command line and returns its exit code: 2 when it cannot be understood. */
  static int run(String... args) {
    return new CommandLine(new Bench())
        .setParameterExceptionHandler((e, _) -> {
          e.getCommandLine().getErr().println("bench/run: " + e.getMessage());
          return 2;
        })
        .setExecutionExceptionHandler((e, _, _) -> {
          e.printStackTrace();
          return 3;
        })
        .execute(args);
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    List<Budget> budgets = Results.budgets(home.resolve("budgets.json"));
    if (list) {
      list(budgets);
      return 0;
    }
    Effort effort = effort();
    Path file = home.resolve("results").resolve(fileName(effort));
    Results results = new Results(file, budgets);
    Surroundings.describe(home, effort, results);
    Peers present = Peers.find(home, effort.peers(), results);
    results.save();
    for (Part part : parts()) {
      switch (part) {
        case sched -> new SchedulerSection(present, effort, results).run();
        case tracer -> new TracerSection(present, effort, results).run();
        case recorder -> new RecorderSection(!full, home.resolve("target"), results).run();
        case analyzer ->
            new AnalyzerSection(present, Distribution.find(home), effort, results).run();
        case startup -> new StartupSection(Distribution.find(home), results).run();
        case page -> new PageSection(home, Distribution.find(home), results).run();
      }
      results.save();
    }
    System.out.println("Budgets, the tightest first\n");
    System.out.println(results.verdicts());
    System.out.println("figures: " + file);
    return 0;
  }

  private Set<Part> parts() {
    if (only != null) {
      return EnumSet.copyOf(only);
    }
    return full ? EnumSet.allOf(Part.class) : EnumSet.complementOf(EnumSet.of(Part.page));
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
    if (!workloads.isEmpty()) {
      effort = effort.withWorkloads(workloads.stream().map(this::workload).toList());
    }
    if (!peers.isEmpty()) {
      effort = effort.withPeers(EnumSet.copyOf(peers.stream().map(this::peer).toList()));
    }
    return effort;
  }

  private Workload workload(String name) {
    Workload workload = Workload.of(name);
    if (workload == null) {
      throw wrong("--workload: there is no '" + name + "'; --list shows them");
    }
    return workload;
  }

  private PeerId peer(String name) {
    PeerId peer = PeerId.of(name);
    if (peer == null) {
      throw wrong("--peer: there is no '" + name + "'; --list shows them");
    }
    return peer;
  }

  private CommandLine.ParameterException wrong(String message) {
    return new CommandLine.ParameterException(Objects.requireNonNull(spec).commandLine(), message);
  }

  private String fileName(Effort effort) {
    if (save != null) {
      return save + ".json";
    }
    String now =
        LocalDateTime.now(ZoneOffset.UTC).format(DateTimeFormatter.ofPattern("uuuuMMdd-HHmmss"));
    return now + "-" + effort.name() + ".local.json";
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
}
