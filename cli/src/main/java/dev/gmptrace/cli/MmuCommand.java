package dev.gmptrace.cli;

import dev.gmptrace.analyzer.index.Trace;
import dev.gmptrace.analyzer.stats.Mmu;
import java.util.Arrays;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code gmptrace mmu}: the least that the collector leaves to the program. */
@Command(
    name = "mmu",
    description = "Show minimum mutator utilisation: what the collector leaves over.",
    footer = {
      "",
      "For a window of a given length: in the worst such window of the trace, this share of the",
      "processors was left to the program. Counted are stops of the world, and in Go traces the",
      "background workers and the assists of the collector.",
      "",
      "Examples:",
      "  gmptrace mmu trace.bin",
      "  gmptrace mmu --window 20ms trace.bin            one number",
      "  gmptrace mmu --no-background --json go.trace",
    })
final class MmuCommand implements Callable<Integer> {
  private static final int BAR = 40;

  private final Terminal terminal;

  @Mixin private TraceInput input = new TraceInput();

  @Option(names = "--window", paramLabel = "D", description = "Only for windows of this length.")
  private String window = "";

  @Option(names = "--per-proc", description = "Of each P by itself, not of all together.")
  private boolean perProc;

  @Option(names = "--no-stw", description = "Leave out stops of the world.")
  private boolean noStw;

  @Option(names = "--no-background", description = "Leave out background workers.")
  private boolean noBackground;

  @Option(names = "--no-assist", description = "Leave out assists.")
  private boolean noAssist;

  @Option(names = "--sweep", description = "Count sweeping too.")
  private boolean sweep;

  MmuCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  /** What {@code --window --json} prints. */
  private record At(Mmu.Options options, long windowNs, double utilisation) {}

  @Override
  public Integer call() {
    long width = window.isEmpty() ? 0 : Units.parseDuration("--window", window);
    if (width == 0 && !window.isEmpty()) {
      throw CliException.usage("--window: '" + window + "' is no length");
    }
    var options = new Mmu.Options(perProc, !noStw, !noBackground, !noAssist, sweep);
    Trace trace = input.open(terminal);
    try (Output out = new Output(terminal)) {
      if (width > 0) {
        double at = Mmu.at(trace, options, width);
        if (input.json()) {
          Json.print(out, new At(options, width, at));
        } else {
          out.line("%s  %s".formatted(Units.duration(width), Units.percent(at)));
        }
      } else if (input.json()) {
        Json.print(out, Mmu.of(trace, options));
      } else {
        print(Mmu.of(trace, options), out);
      }
    }
    return input.report(terminal, trace);
  }

  private static void print(Mmu mmu, Output out) {
    if (Arrays.stream(mmu.utilisation()).allMatch(u -> u == 1)) {
      out.line("no collection took anything away");
      return;
    }
    var table = new Table("window", "left over", "<");
    long[] windows = mmu.windowNs();
    int last = windows.length - 1;
    long next = 0;
    for (int i = 0; i <= last; i++) {
      // The curve has a point every ten percent: half as long again is enough for the eye, and of
      // the lengths that leave nothing over only the longest says something.
      boolean nothing = mmu.utilisation()[i] == 0 && i < last && mmu.utilisation()[i + 1] == 0;
      if (nothing || (windows[i] < next && i < last)) {
        continue;
      }
      next = windows[i] + windows[i] / 2;
      table.row(
          Units.duration(windows[i]),
          Units.percent(mmu.utilisation()[i]),
          "#".repeat((int) Math.round(mmu.utilisation()[i] * BAR)));
    }
    table.print(out, "");
    if (!mmu.worst().isEmpty()) {
      out.line("").line("worst windows of " + Units.duration(mmu.worstWindowNs()));
      for (Mmu.Window w : mmu.worst()) {
        out.line(
            "  %s to %s  %s"
                .formatted(
                    Units.duration(w.from()),
                    Units.duration(w.to()),
                    Units.percent(w.utilisation())));
      }
    }
  }
}
