package dev.gmptrace.bench.run;

import dev.gmptrace.bench.report.Results;
import dev.gmptrace.bench.worker.Worker;
import dev.gmptrace.bench.workload.PeerId;
import dev.gmptrace.bench.workload.Workload;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The peers that are there, and how each is started. All JVM peers get the same JVM, heap and
 * flags; only what sets the number of threads differs.
 */
public final class Peers {
  /**
   * What a worker found.
   *
   * @param operations of each run
   * @param samples one per run; none when it failed
   * @param trace of the trace it wrote, or null
   */
  public record Measured(int operations, List<Sample> samples, @Nullable Recorded trace) {}

  /**
   * What every measured JVM is started with: what our own launcher gives a program ({@code gmptrace
   * run}), and a heap whose size does not depend on the machine. The collector is the JVM's choice.
   */
  public static final List<String> JVM_OPTIONS =
      List.of(
          "--add-opens=java.base/java.lang=ALL-UNNAMED",
          "--enable-native-access=ALL-UNNAMED",
          "--sun-misc-unsafe-memory-access=allow",
          "-Xms1g",
          "-Xmx6g");

  private static final int BUILD_SECONDS = 600;
  private static final int RUN_SECONDS = 300;

  private final Path home;
  private final List<PeerId> present = new ArrayList<>();
  private final List<PeerId> wanted = new ArrayList<>();
  private final Map<PeerId, String> classPath = new EnumMap<>(PeerId.class);
  private @Nullable Path goTool;
  private @Nullable Path goBench;

  private Peers(Path home) {
    this.home = home;
  }

  /**
   * Finds the wanted peers and builds those that are programs of their own. One that is missing is
   * noted and left out.
   *
   * @param home the directory {@code bench}
   */
  public static Peers find(Path home, Set<PeerId> wanted, Results results)
      throws IOException, InterruptedException {
    Peers peers = new Peers(home);
    String ours = System.getProperty("java.class.path");
    for (PeerId id : PeerId.values()) {
      if (!wanted.contains(id)) {
        continue;
      }
      peers.wanted.add(id);
      String missing =
          switch (id) {
            case GMP, JDK, JOX -> null;
            case KOTLIN -> peers.buildKotlin(ours);
            case GO -> peers.buildGo(results);
          };
      if (missing == null) {
        peers.classPath.putIfAbsent(id, ours);
        peers.present.add(id);
      } else {
        results.note(id.title() + " is left out: " + missing);
      }
    }
    return peers;
  }

  /** Those that can be measured. */
  public List<PeerId> present() {
    return List.copyOf(present);
  }

  /** Those that were asked for, whether they are there or not. */
  public List<PeerId> wanted() {
    return List.copyOf(wanted);
  }

  /** The {@code go} command, or null. */
  public @Nullable Path goTool() {
    return goTool;
  }

  /** Our workloads in Go, built; null when there is no Go. */
  public @Nullable Path goBench() {
    return goBench;
  }

  private @Nullable String buildKotlin(String ours) throws IOException, InterruptedException {
    Path target = home.resolve("target/peers/kotlin");
    Path jar = target.resolve("kotlin-peer.jar");
    Path source = home.resolve("peers/kotlin");
    if (!Files.exists(jar) || newest(source) > Files.getLastModifiedTime(jar).toMillis()) {
      System.out.println("building the Kotlin peer ...");
      try {
        Child.Outcome built =
            Child.run(
                List.of("mvn", "-q", "-B", "-f", source.resolve("pom.xml").toString(), "package"),
                home,
                Map.of(),
                BUILD_SECONDS);
        if (built.exitCode() != 0) {
          return built.output().stream()
              .filter(line -> line.contains("ERROR"))
              .findFirst()
              .orElse(built.reason());
        }
      } catch (IOException e) {
        return "Maven did not start: " + e.getMessage();
      }
    }
    try (Stream<Path> libraries = Files.list(target.resolve("lib"))) {
      StringBuilder path = new StringBuilder(ours).append(File.pathSeparator).append(jar);
      libraries.sorted().forEach(l -> path.append(File.pathSeparator).append(l));
      classPath.put(PeerId.KOTLIN, path.toString());
    }
    return null;
  }

  private @Nullable String buildGo(Results results) throws IOException, InterruptedException {
    Path go = findGo();
    if (go == null) {
      return "no Go found; set GOROOT or put go on the PATH";
    }
    Map<String, String> environment =
        Map.of("GOTOOLCHAIN", "local", "CGO_ENABLED", "0", "GOFLAGS", "-mod=mod");
    Path program = home.resolve("target/peers/gobench");
    Files.createDirectories(program.getParent());
    Child.Outcome built =
        Child.run(
            List.of(go.toString(), "build", "-o", program.toString(), "."),
            home.resolve("peers/go"),
            environment,
            BUILD_SECONDS);
    if (built.exitCode() != 0) {
      return "go build: " + built.reason();
    }
    Child.Outcome version =
        Child.run(List.of(go.toString(), "env", "GOVERSION"), home, environment, 60);
    results.about("go", String.join(" ", version.output()));
    goTool = go;
    goBench = program;
    return null;
  }

  private static @Nullable Path findGo() {
    String root = System.getenv("GOROOT");
    Stream<Path> places =
        Stream.concat(
            root == null ? Stream.of() : Stream.of(Path.of(root, "bin")),
            Stream.of(System.getenv("PATH").split(File.pathSeparator)).map(Path::of));
    return places.map(p -> p.resolve("go")).filter(Files::isExecutable).findFirst().orElse(null);
  }

  private static long newest(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.mapToLong(f -> f.toFile().lastModified()).max().orElse(0);
    }
  }

  /**
   * Starts a peer's worker and returns what it found; no samples when it failed, which is noted.
   */
  public Measured measure(PeerId peer, Workload workload, int procs, Effort effort, Results results)
      throws IOException, InterruptedException {
    int operations = workload.scaled(effort.runs().share());
    return run(peer, workload, procs, operations, effort, List.of(), results);
  }

  /**
   * The same with the peer's own tracer on, after the warm-up.
   *
   * @param stackDepth frames of a recorded stack; Go has no say in it and always records 128
   */
  public Measured measureTraced(
      PeerId peer,
      Workload workload,
      int procs,
      Effort effort,
      Path file,
      int stackDepth,
      Results results)
      throws IOException, InterruptedException {
    int operations = workload.scaled(effort.runs().share());
    return run(peer, workload, procs, operations, effort, tracing(peer, file, stackDepth), results);
  }

  /** Records one run of that many operations. */
  public Measured record(
      PeerId peer, Workload workload, int procs, int operations, Path file, Results results)
      throws IOException, InterruptedException {
    Effort once = Effort.quick().once();
    return run(peer, workload, procs, operations, once, tracing(peer, file, 0), results);
  }

  private static List<String> tracing(PeerId peer, Path file, int stackDepth) {
    return peer == PeerId.GO
        ? List.of(file.toString())
        : List.of(file.toString(), Integer.toString(stackDepth));
  }

  private Measured run(
      PeerId peer,
      Workload workload,
      int procs,
      int operations,
      Effort effort,
      List<String> tracing,
      Results results)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    int warmup = effort.runs().warmupMillis();
    if (peer == PeerId.GO) {
      command.add(String.valueOf(goBench));
      warmup /= 5; // Nothing is compiled there.
    } else {
      command.addAll(jvm(classPath.getOrDefault(peer, "")));
      command.addAll(threads(peer, procs));
      command.add(Worker.class.getName());
      command.add(peer.id());
    }
    command.addAll(
        List.of(
            workload.id(),
            Integer.toString(procs),
            Integer.toString(operations),
            Integer.toString(warmup),
            Integer.toString(effort.runs().min()),
            Integer.toString(effort.runs().max()),
            Integer.toString(effort.runs().budgetMillis())));
    command.addAll(tracing);
    Child.Outcome outcome = Child.run(command, home, Map.of(), RUN_SECONDS);
    if (outcome.exitCode() != 0) {
      results.note(
          "%s at %s, P=%d failed: %s".formatted(peer.id(), workload.id(), procs, outcome.reason()));
      return new Measured(operations, List.of(), null);
    }
    return new Measured(
        operations, Sample.parse(outcome.output()), Recorded.parse(outcome.output()));
  }

  /** The JVM that all JVM peers run on, up to the main class. */
  public static List<String> jvm(String classPath) {
    List<String> command = new ArrayList<>(List.of(java()));
    command.addAll(JVM_OPTIONS);
    command.addAll(List.of("-cp", classPath));
    return command;
  }

  /** The java that runs us. */
  public static String java() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  private static List<String> threads(PeerId peer, int procs) {
    return switch (peer) {
      case JDK, JOX -> List.of("-Djdk.virtualThreadScheduler.parallelism=" + procs);
      case KOTLIN ->
          List.of(
              "-Dkotlinx.coroutines.scheduler.core.pool.size=" + procs,
              "-Dkotlinx.coroutines.scheduler.max.pool.size=" + Math.max(procs, 128));
      default -> List.of();
    };
  }
}
