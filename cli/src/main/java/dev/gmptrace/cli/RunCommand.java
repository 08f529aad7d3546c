package dev.gmptrace.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code gmptrace run}: one Java source file on the runtime, with nothing to set up. */
@Command(
    name = "run",
    description = "Run a Java source file on the runtime.",
    footer = {
      "",
      "The file is compiled in memory, with the runtime on its class path, and run in a fresh",
      "JVM with the flags that the scheduler needs. CLASSPATH adds other jars. GMPDEBUG and",
      "GMPMAXPROCS work as for any program. 'gmptrace record' takes such a file too.",
      "Exit code 1 says that the program failed.",
      "",
      "Examples:",
      "  gmptrace run Hello.java",
      "  gmptrace run --schedtrace 500 Server.java -- --port 8080",
      "  gmptrace record -o trace.bin -- Hello.java",
    })
final class RunCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Option(
      names = "--schedtrace",
      paramLabel = "MS",
      description = "Print schedtrace lines, that far apart. Default: none.")
  private int schedtrace;

  @Option(names = "--detail", description = "A line for every P, M and goroutine too.")
  private boolean detail;

  @Parameters(index = "0", paramLabel = "FILE", description = "A Java source file.")
  private String file = "";

  @Parameters(
      index = "1..*",
      arity = "0..*",
      paramLabel = "ARG",
      description = "Arguments for the program; after -- when they look like options.")
  private List<String> arguments = new ArrayList<>();

  RunCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws InterruptedException {
    if (schedtrace < 0) {
      throw CliException.usage("--schedtrace: '" + schedtrace + "' is below 0");
    }
    var words = new ArrayList<String>();
    words.add(file);
    words.addAll(arguments);
    if (!JavaCommand.isSource(words)) {
      throw CliException.usage(
          file + ": not a Java source file; start other programs with java yourself");
    }
    if (!Files.isRegularFile(Path.of(file))) {
      throw CliException.usage(file + ": no such file");
    }
    var environment = new HashMap<String, String>();
    DebugText debug = DebugText.of(terminal);
    if (schedtrace > 0) {
      debug.add("schedtrace", schedtrace);
    }
    if (detail) {
      debug.add("scheddetail", 1);
    }
    if (schedtrace > 0 || detail) {
      environment.put("GMPDEBUG", debug.toString());
    }
    int code =
        ChildJvm.run(terminal, JavaCommand.of(words, terminal.env("CLASSPATH")), environment, 0);
    if (code != 0) {
      throw CliException.problem("the program ended with exit code " + code);
    }
    return ExitCode.OK;
  }
}
