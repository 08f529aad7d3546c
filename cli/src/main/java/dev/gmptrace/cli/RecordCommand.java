package dev.gmptrace.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code gmptrace record}: runs somebody's program with tracing on. */
@Command(
    name = "record",
    description = "Run a program that uses the runtime, with tracing on.",
    footer = {
      "",
      "Tracing is switched on through GMPDEBUG, and the flags that the scheduler needs are",
      "given to every java below through JDK_JAVA_OPTIONS; the program itself needs no change.",
      "A plain 'java' is the JDK that gmptrace itself runs on. Ctrl-C ends the program; its trace",
      "is kept. A trace that was there before stays until the program begins to record.",
      "Exit code 1 says that the program failed, that it left no trace or one that is cut off.",
      "",
      "Examples:",
      "  gmptrace record -- Hello.java                          one source file, nothing to set up",
      "  gmptrace record -- java -cp app.jar com.acme.Main",
      "  gmptrace record -o web.bin --seconds 30 --stacks 16 -- java -jar service.jar",
      "  gmptrace record --cpu 100 -- Hello.java                then: gmptrace profile --type cpu",
      "  gmptrace record --flight -- java -jar service.jar      only the last moments",
    })
final class RecordCommand implements Callable<Integer> {
  private static final long FLIGHT_BYTES = 64 << 20;

  private final Terminal terminal;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      description = "Where to write the trace. Default: trace.bin.")
  private Path file = Path.of("trace.bin");

  @Option(
      names = "--seconds",
      paramLabel = "N",
      description = "End the program after that time. Default: let it end by itself.")
  private double seconds;

  @Option(
      names = "--stacks",
      paramLabel = "N",
      description = "Frames of a recorded stack, 0 to 128. Default: 0, none.")
  private int stacks;

  @Option(
      names = "--cpu",
      paramLabel = "HZ",
      description = "Record what uses the CPUs so often a second, up to 1000. Default: 0, never.")
  private int cpu;

  @Option(
      names = "--flight",
      description = "Keep only the last 64 MiB, in memory, and write them at the end.")
  private boolean flight;

  @Parameters(
      arity = "1..*",
      paramLabel = "COMMAND",
      description = "After --, the command to run and its arguments.")
  private List<String> command = new ArrayList<>();

  RecordCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws Exception {
    if (seconds < 0) {
      throw CliException.usage("--seconds: '" + seconds + "' is below 0");
    }
    check("--stacks", stacks, 128);
    check("--cpu", cpu, 1000);
    RecordingTarget target = RecordingTarget.of(file);
    DebugText debug = DebugText.of(terminal).add("trace", target.absolute());
    if (stacks > 0) {
      debug.add("tracestack", stacks);
    }
    if (cpu > 0) {
      debug.add("tracecpu", cpu);
    }
    if (flight) {
      debug.add("traceflight", FLIGHT_BYTES);
    }
    var environment = new HashMap<String, String>();
    environment.put("GMPDEBUG", debug.toString());
    List<String> words = JavaCommand.of(command, terminal.env("CLASSPATH"));
    if (!JavaCommand.isSource(command)) {
      environment.put(
          "JDK_JAVA_OPTIONS",
          (terminal.env("JDK_JAVA_OPTIONS") + " " + String.join(" ", ChildJvm.OPTIONS)).strip());
    }
    var run = new Interruptible();
    try (var _ = new CtrlC(run::awaitEnd)) {
      int code = ChildJvm.run(terminal, words, environment, seconds);
      return run.ended(() -> report(target, run.interrupted() ? 0 : code));
    }
  }

  private int report(RecordingTarget target, int code) throws IOException {
    int answer = target.report(terminal, code);
    if (code != 0) {
      throw CliException.problem("the program ended with exit code " + code);
    }
    return answer;
  }

  private static void check(String option, int value, int most) {
    if (value < 0 || value > most) {
      throw CliException.usage(option + ": '" + value + "' is not in 0 to " + most);
    }
  }

  /**
   * Ctrl-C is how many recordings end, those of servers above all. Then the trace is summed up as
   * ever, while the hook that ends the process waits for it.
   */
  private final class Interruptible {
    private final CountDownLatch end = new CountDownLatch(1);
    private volatile boolean interrupted;
    private volatile int code = ExitCode.PROBLEM;

    boolean interrupted() {
      return interrupted;
    }

    int awaitEnd() {
      interrupted = true;
      try {
        boolean _ = end.await(60, TimeUnit.SECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      return code;
    }

    int ended(Callable<Integer> report) throws Exception {
      try {
        code = report.call();
      } catch (CliException e) {
        if (!interrupted) {
          throw e;
        }
        // Nobody else would say it any more.
        terminal.complain("gmptrace record", String.valueOf(e.getMessage()));
        code = e.exitCode();
      } finally {
        end.countDown();
      }
      return code;
    }
  }
}
