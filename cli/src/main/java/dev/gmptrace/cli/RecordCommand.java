package dev.gmptrace.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.concurrent.Callable;
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
      "Exit code 1 says that the program failed or that it left no trace.",
      "",
      "Examples:",
      "  gmptrace record -- java -cp app.jar com.acme.Main",
      "  gmptrace record -o web.bin --seconds 30 --stacks 16 -- java -jar service.jar",
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
      names = "--flight",
      description = "Keep the last 64 MiB in memory and write them at the end.")
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
  public Integer call() throws InterruptedException, IOException {
    if (seconds < 0 || stacks < 0 || stacks > 128) {
      throw CliException.usage(
          seconds < 0
              ? "--seconds: '" + seconds + "' is below 0"
              : "--stacks: '" + stacks + "' is not in 0 to 128");
    }
    Path target = file.toAbsolutePath();
    TraceFiles.checkWritable(target);
    Files.deleteIfExists(target);
    var debug = new DebugText(terminal.env("GMPDEBUG")).add("trace", target);
    if (stacks > 0) {
      debug.add("tracestack", stacks);
    }
    if (flight) {
      debug.add("traceflight", FLIGHT_BYTES);
    }
    var environment = new HashMap<String, String>();
    environment.put("GMPDEBUG", debug.toString());
    String options = terminal.env("JDK_JAVA_OPTIONS");
    environment.put(
        "JDK_JAVA_OPTIONS", (options + " " + String.join(" ", ChildJvm.OPTIONS)).strip());
    int code = ChildJvm.run(terminal, command, environment, seconds);
    if (!Files.exists(target) || Files.size(target) == 0) {
      throw CliException.problem(
          "the program left no trace"
              + (code == 0 ? "; does it use the runtime?" : "; it ended with exit code " + code));
    }
    Summary.print(terminal, file);
    if (code != 0) {
      throw CliException.problem("the program ended with exit code " + code);
    }
    return ExitCode.OK;
  }
}
