package dev.gmptrace.cli;

import dev.gmptrace.analyzer.index.GoroutineFilter;
import dev.gmptrace.analyzer.index.Trace;
import dev.gmptrace.analyzer.stats.Profile;
import dev.gmptrace.analyzer.stats.ProfileType;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code gmptrace profile}: where the time went, by stack. */
@Command(
    name = "profile",
    description = "Show where goroutines spent their time, by stack.",
    footer = {
      "",
      "Types, as in go tool trace -pprof:",
      "  sched     runnable, waiting for a P (default)",
      "  start     created, waiting to run for the first time",
      "  sync      waiting for channels, locks and select",
      "  net       waiting for the network",
      "  syscall   in system calls",
      "  cpu       CPU samples, when the trace has any (record --cpu)",
      "",
      "Examples:",
      "  gmptrace profile trace.bin",
      "  gmptrace profile --type sync -o sync.pb.gz trace.bin && go tool pprof -top sync.pb.gz",
      "  gmptrace profile --type syscall --folded trace.bin | flamegraph.pl > sys.svg",
      "  gmptrace profile --group com.acme.Worker.run --from 1s --to 2s trace.bin",
    })
final class ProfileCommand implements Callable<Integer> {
  private final Terminal terminal;

  /** The types as they are typed. */
  enum Type {
    sched,
    start,
    sync,
    net,
    syscall,
    cpu
  }

  @Mixin private TraceInput input = new TraceInput();
  @Mixin private WindowOptions window = new WindowOptions();

  @Option(
      names = "--type",
      paramLabel = "TYPE",
      description = "sched, start, sync, net, syscall or cpu.")
  private Type type = Type.sched;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      description = "Write to a file: pprof, or folded stacks with --folded.")
  private @Nullable Path output;

  @Option(names = "--folded", description = "Folded stacks: a line a stack, callers first.")
  private boolean folded;

  @Option(names = "--group", paramLabel = "NAME", description = "Only goroutines of this group.")
  private @Nullable String group;

  @Option(names = "--top", paramLabel = "N", description = "How many functions. Default: 20.")
  private int top = 20;

  ProfileCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  /** What {@code --json} prints. */
  private record Answer(
      String type, long totalNs, long count, List<Profile.Row> top, Profile.Node root) {}

  @Override
  public Integer call() throws IOException {
    if (top < 1) {
      throw CliException.usage("--top: '" + top + "' is not above 0");
    }
    Path file = output;
    if (file != null) {
      TraceFiles.checkWritable(file);
    }
    long from = window.from();
    long to = window.to(Long.MAX_VALUE);
    Trace trace = input.open(terminal);
    window.requireWithin(trace.info().durationNs());
    GoroutineFilter filter = GoroutineFilter.all().withGroup(group).withWindow(from, to);
    Profile profile = Profile.of(trace, ProfileType.of(type.name()), filter);
    if (file != null) {
      write(profile, file);
      return input.report(terminal, trace);
    }
    try (Output out = new Output(terminal)) {
      if (folded) {
        profile.writeFolded(out);
      } else if (input.json()) {
        Json.print(
            out,
            new Answer(
                type.name(), profile.total(), profile.count(), profile.top(top), profile.root()));
      } else {
        print(profile, out);
      }
    }
    return input.report(terminal, trace);
  }

  private void write(Profile profile, Path file) throws IOException {
    if (folded) {
      try (Writer writer = Files.newBufferedWriter(file)) {
        profile.writeFolded(writer);
      }
    } else {
      try (OutputStream stream = new BufferedOutputStream(Files.newOutputStream(file))) {
        profile.writePprof(stream);
      }
    }
  }

  private void print(Profile profile, Output out) {
    long total = profile.total();
    out.line(
        "%s: %s in %s %s"
            .formatted(
                profile.type().title(),
                Units.duration(total),
                Units.count(profile.count()),
                type == Type.cpu ? "samples" : "stretches"));
    if (profile.samples().isEmpty()) {
      return;
    }
    List<Profile.Row> rows = profile.top(top);
    if (rows.isEmpty()) {
      out.line("no stacks in this trace; 'gmptrace record --stacks 16' records them");
      return;
    }
    var table = new Table("flat", "%", "cum", "%", "count", "<function");
    for (Profile.Row row : rows) {
      table.row(
          Units.duration(row.flat()),
          Units.share(row.flat(), total),
          Units.duration(row.cum()),
          Units.share(row.cum(), total),
          Units.count(row.cumCount()),
          row.function());
    }
    table.print(out.line(""), "");
  }
}
