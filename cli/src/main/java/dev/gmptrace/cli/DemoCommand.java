package dev.gmptrace.cli;

import dev.gmptrace.cli.demo.Workloads;
import dev.gmptrace.runtime.config.Nearest;
import dev.gmptrace.runtime.config.RuntimeConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code gmptrace demo}: a workload, its schedtrace, its trace, and the page that shows it. */
@Command(
    name = "demo",
    description = "Run a workload on the scheduler, record it and show it.",
    footer = {
      "",
      "The workload runs in a JVM of its own with GMPDEBUG set; its schedtrace lines appear while",
      "it runs. Then the trace is summed up and served until Ctrl-C.",
      "",
      "Examples:",
      "  gmptrace demo                          a little of everything",
      "  gmptrace demo --list                   what there is",
      "  gmptrace demo steal --procs 4          work stealing among four Ps",
      "  gmptrace demo mutex --no-view -o m.bin record only",
      "  gmptrace demo syscalls --schedtrace 100 --detail",
    })
final class DemoCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Parameters(
      arity = "0..1",
      paramLabel = "WORKLOAD",
      description = "One of --list. Default: tour.")
  private String workload = "tour";

  @Option(
      names = "--procs",
      paramLabel = "N",
      description = "Number of Ps. Default: GMPMAXPROCS, else the processors there are.")
  private @Nullable Integer procs;

  @Option(names = "--seconds", paramLabel = "N", description = "How long. Default: 3.")
  private double seconds = 3;

  @Option(
      names = "--schedtrace",
      paramLabel = "MS",
      description = "Time between schedtrace lines; 0 for none. Default: 500.")
  private int schedtrace = 500;

  @Option(names = "--detail", description = "A line for every P, M and goroutine too.")
  private boolean detail;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      description = "Where to write the trace. Default: trace.bin.")
  private Path file = Path.of("trace.bin");

  @Option(
      names = "--view",
      negatable = true,
      defaultValue = "true",
      fallbackValue = "true",
      description = "Serve the trace when it is recorded (default), or end.")
  private boolean view = true;

  @Option(names = "--list", description = "List the workloads and exit.")
  private boolean list;

  DemoCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws InterruptedException, IOException {
    if (list) {
      return printList();
    }
    check();
    RecordingTarget target = RecordingTarget.of(file);
    DebugText debug = DebugText.of(terminal).add("trace", target.absolute());
    if (schedtrace > 0) {
      debug.add("schedtrace", schedtrace);
    }
    if (detail) {
      debug.add("scheddetail", 1);
    }
    var environment = new HashMap<String, String>();
    environment.put("GMPDEBUG", debug.toString());
    if (procs != null) {
      environment.put("GMPMAXPROCS", procs.toString());
    }
    List<String> command =
        ChildJvm.ownClass(
            "dev.gmptrace.cli.demo.DemoMain",
            List.of(workload, String.format(Locale.ROOT, "%.3f", seconds)));
    int code = ChildJvm.run(terminal, command, environment, 0);
    if (code != 0) {
      throw code == ExitCode.USAGE
          ? CliException.usage("the workload refused its settings")
          : CliException.problem("the workload ended with exit code " + code);
    }
    int answer = target.report(terminal, code);
    return view ? Serving.serve(terminal, file, "", true) : answer;
  }

  private int printList() {
    try (Output out = new Output(terminal)) {
      var table = new Table("<workload", "<shows");
      Workloads.ALL.forEach(w -> table.row(out.style().bold(w.name()), w.shows()));
      table.print(out, "");
    }
    return ExitCode.OK;
  }

  private void check() {
    List<String> names = Workloads.ALL.stream().map(Workloads.Entry::name).toList();
    if (!names.contains(workload)) {
      String near = Nearest.of(workload, names);
      throw CliException.usage(
          "unknown workload '"
              + workload
              + "'; "
              + (near == null
                  ? "'gmptrace demo --list' shows them"
                  : "did you mean '" + near + "'?"));
    }
    if (procs != null && (procs < 1 || procs > RuntimeConfig.MAX_PROCS)) {
      throw CliException.usage(
          "--procs: '" + procs + "' is not in 1 to " + RuntimeConfig.MAX_PROCS);
    }
    if (!(seconds > 0 && seconds <= 3600)) {
      throw CliException.usage("--seconds: '" + seconds + "' is not in 0 to 3600");
    }
    if (schedtrace < 0) {
      throw CliException.usage("--schedtrace: '" + schedtrace + "' is below 0");
    }
  }
}
