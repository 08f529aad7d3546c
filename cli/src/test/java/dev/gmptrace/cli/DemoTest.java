package dev.gmptrace.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gmptrace.cli.demo.Workloads;
import dev.gmptrace.tracer.schedtrace.SchedSnapshot;
import dev.gmptrace.tracer.schedtrace.SchedTraceParser;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Every workload in its own JVM, and what comes out of it: exit code, lines, a sound trace. */
@Timeout(120)
class DemoTest {
  @TempDir Path dir;

  /** What a trace of it must show, as 'gmptrace events' puts it: the one thing it is there for. */
  private static String shows(String workload) {
    return switch (workload) {
      case "tour" -> "region \"pipeline\" begins";
      case "pingpong" -> "G\\d+ +G\\d+ Waiting -> Runnable";
      case "fanout" -> "region \"job\" begins";
      case "steal" -> "WorkSteal victim_p=\\d+ count=\\d+ kind=ring";
      case "overflow" -> "LocalOverflow count=";
      case "syscalls" -> "P\\d+ Running -> Idle, taken from M|ProcHandoff .*cause=sysmon";
      case "netecho" -> "Running -> Waiting \\(IO wait\\)(?s:.*)NetpollReady count=";
      case "mutex" -> "region \"turn in starvation mode\" begins";
      case "timers" -> "TimerFired g=\\d+ late_ns=";
      case "preempt" -> "Running -> Runnable \\(preempted\\)";
      case "lockthread" -> "ProcHandoff .*cause=locked";
      case "procs" -> "stop-the-world \\(GOMAXPROCS\\) begins(?s:.*)gomaxprocs:threads = 8";
      case "gc" -> " GC .* begins";
      case "web" -> "task \\d+ \"request\" ends";
      case "pipeline" ->
          "Running -> Waiting \\(chan send\\)(?s:.*)region \"render \\(slow\\)\" ends";
      case "leak" -> "Running -> Waiting \\(chan send\\)";
      default -> throw new AssertionError("what does " + workload + " show?");
    };
  }

  static List<String> workloads() {
    return Workloads.ALL.stream().map(Workloads.Entry::name).toList();
  }

  @ParameterizedTest
  @MethodSource("workloads")
  void endsWellAndItsTraceIsSound(String workload) {
    Path trace = dir.resolve("trace.bin");
    Pattern shows = Pattern.compile(shows(workload));
    // On a busy machine it may take longer until there is something to see.
    for (double seconds = 0.3; ; seconds *= 2) {
      runs(workload, trace, seconds);
      if (shows.matcher(Cli.run("events", trace).out()).find()) {
        return;
      }
      assertTrue(seconds < 8, () -> "its trace has no " + shows);
    }
  }

  private static void runs(String workload, Path trace, double seconds) {
    var demo =
        Cli.run(
            "demo",
            workload,
            "--seconds",
            seconds,
            "--schedtrace",
            "50",
            "--procs",
            "4",
            "--no-view",
            "-o",
            trace);
    assertEquals(ExitCode.OK, demo.code(), demo.all());
    assertTrue(demo.out().contains("scheduling latency"), demo.all());
    List<SchedSnapshot> lines = SchedTraceParser.parse(demo.err());
    assertTrue(!lines.isEmpty(), demo.all());
    assertEquals(0, lines.getFirst().millis(), "the first line is at 0 ms");
    var validation = Cli.run("validate", trace);
    assertEquals(ExitCode.OK, validation.code(), validation.all());
  }

  @Test
  void detailPrintsEveryPMAndG() {
    // On a busy machine it may take longer until there is something to see.
    for (double seconds = 0.2; ; seconds *= 2) {
      var demo =
          Cli.run(
              "demo",
              "timers",
              "--seconds",
              seconds,
              "--schedtrace",
              "50",
              "--detail",
              "--procs",
              "2",
              "--no-view",
              "-o",
              dir.resolve("trace.bin"));
      assertEquals(ExitCode.OK, demo.code(), demo.all());
      var lines = SchedTraceParser.parse(demo.err());
      lines.forEach(DemoTest::isWhole);
      boolean sleepersSeen =
          demo.err().contains("(sleep) m=nil")
              && lines.stream()
                  .map(SchedSnapshot::detail)
                  .anyMatch(d -> d != null && d.goroutines().size() > 50);
      if (sleepersSeen) {
        return;
      }
      assertTrue(seconds < 8, demo::all);
    }
  }

  private static void isWhole(SchedSnapshot line) {
    SchedSnapshot.Detail detail = line.detail();
    assertNotNull(detail);
    assertEquals(2, line.procs().size(), () -> line.toString());
    assertEquals(line.threads(), detail.machines().size(), () -> "M lines of " + line);
    List<Long> ms = detail.machines().stream().map(SchedSnapshot.Machine::id).toList();
    assertEquals(ms.stream().sorted(Comparator.reverseOrder()).toList(), ms, "newest M first");
    List<Long> gs = detail.goroutines().stream().map(SchedSnapshot.Goroutine::id).toList();
    assertEquals(gs.stream().sorted().toList(), gs, "Gs in the order of their making");
  }

  @Test
  void listNamesEveryWorkload() {
    var list = Cli.run("demo", "--list");
    assertEquals(ExitCode.OK, list.code());
    assertEquals(workloads().size() + 1, list.out().lines().count(), list.out());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "demo stael | gmptrace demo: unknown workload 'stael'; did you mean 'steal'?",
        "demo tennis | gmptrace demo: unknown workload 'tennis'; 'gmptrace demo --list' shows them",
        "demo --procs 0x | gmptrace demo: --procs: '0x' is not a whole number (see 'gmptrace demo --help')",
        "demo --procs 0 | gmptrace demo: --procs: '0' is not in 1 to 1024",
        "demo --procs 5000 | gmptrace demo: --procs: '5000' is not in 1 to 1024",
        "demo --seconds 0 | gmptrace demo: --seconds: '0.0' is not in 0 to 3600",
        "demo --schedtrace -5 | gmptrace demo: --schedtrace: '-5' is below 0",
        "demo -o /nowhere/t.bin | gmptrace demo: /nowhere: no such directory",
      })
  void mistakesAreNamed(String line, String message) {
    var result = Cli.run((Object[]) line.split(" ", -1));
    assertEquals(ExitCode.USAGE, result.code(), result.all());
    assertEquals(message + "\n", result.err());
  }

  @Test
  void badGmpdebugIsAnErrorBeforeTheProgramStarts() {
    var result =
        new Cli()
            .env("GMPDEBUG", "check=maybe")
            .with("demo", "steal", "--no-view", "-o", dir.resolve("trace.bin"));
    assertEquals(ExitCode.USAGE, result.code(), result.all());
    assertEquals(
        "gmptrace demo: GMPDEBUG: check=maybe: expected 0 or 1\n", result.err(), result.all());
  }

  private static Object[] record(Path trace, Object... more) {
    Object[] command = {
      "record", "-o", trace, "--stacks", "8",
    };
    Object[] program = {
      "--",
      System.getProperty("java.home") + "/bin/java",
      "-cp",
      System.getProperty("java.class.path"),
      "dev.gmptrace.cli.demo.DemoMain",
      "pipeline",
    };
    return Stream.of(command, more, program).flatMap(Arrays::stream).toArray();
  }

  private static Object[] with(Object[] args, Object last) {
    Object[] all = Arrays.copyOf(args, args.length + 1);
    all[args.length] = last;
    return all;
  }

  @Test
  void recordTracesAProgramWithStacks() {
    Path trace = dir.resolve("r.bin");
    var result = Cli.run(with(record(trace), "0.2"));
    assertEquals(ExitCode.OK, result.code(), result.all());
    var events = Cli.run("events", "--stacks", trace);
    assertTrue(events.out().contains("Pipeline"), "stacks in the trace");
    assertEquals(ExitCode.OK, Cli.run("validate", trace).code());
  }

  @Test
  void recordEndsAProgramInTimeAndKeepsItsTrace() {
    Path trace = dir.resolve("s.bin");
    // On a busy machine a JVM may take longer to start than it was given.
    for (int seconds = 2; ; seconds *= 2) {
      var result = Cli.run(with(record(trace, "--seconds", seconds), "600"));
      if (seconds < 60 && result.err().contains("the program left no trace")) {
        continue;
      }
      assertEquals(ExitCode.OK, result.code(), result.all());
      assertEquals(ExitCode.OK, Cli.run("validate", trace).code());
      return;
    }
  }

  @Test
  void recordInFlightKeepsTheLastMoments() {
    Path trace = dir.resolve("f.bin");
    var result = Cli.run(with(record(trace, "--flight"), "0.2"));
    assertEquals(ExitCode.OK, result.code(), result.all());
    assertTrue(Files.exists(trace), result.all());
    assertEquals(ExitCode.OK, Cli.run("events", trace).code());
  }

  @Test
  void programWithoutTheRuntimeIsAProblem() {
    var result =
        Cli.run(
            "record",
            "-o",
            dir.resolve("n.bin"),
            "--",
            System.getProperty("java.home") + "/bin/java",
            "--version");
    assertEquals(ExitCode.PROBLEM, result.code(), result.all());
    assertTrue(
        result.err().contains("the program left no trace; does it use the runtime?"), result.err());
  }
}
