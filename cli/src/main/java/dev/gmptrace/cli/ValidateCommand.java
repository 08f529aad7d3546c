package dev.gmptrace.cli;

import dev.gmptrace.analyzer.stats.Validation;
import dev.gmptrace.analyzer.stats.Validation.Check;
import dev.gmptrace.analyzer.stats.Validation.Violation;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code gmptrace validate}: the scheduler's contract, checked from outside. */
@Command(
    name = "validate",
    description = "Check a trace against the scheduler's contract.",
    footer = {
      "",
      "Says what was checked, how many times, and the first violations with the numbers of their",
      "events. Exit code 1 when there is a violation, or when the trace ends too early.",
      "",
      "Examples:",
      "  gmptrace validate trace.bin",
      "  gmptrace validate --json trace.bin | jq '.checks[] | select(.violations > 0)'",
    })
final class ValidateCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private TraceInput input = new TraceInput();

  ValidateCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    Validation v;
    try (var line = new ProgressLine(terminal, "checking", input.file().getFileName())) {
      v =
          Validation.check(
              input.file(), (_, done, total, events, _) -> line.update(done, total, events));
    }
    try (Output out = new Output(terminal)) {
      if (input.json()) {
        Json.print(out, v);
      } else {
        print(v, out);
      }
    }
    v.warnings().forEach(w -> terminal.complain("gmptrace validate: warning", w));
    return v.ok() ? ExitCode.OK : ExitCode.PROBLEM;
  }

  private static void print(Validation v, Output out) {
    var table = new Table("<", "checked", "violations", "<rule");
    for (Check c : v.checks()) {
      boolean bad = c.violations() > 0;
      Style style = out.style();
      table.row(
          bad ? style.bad("FAIL") : c.checked() == 0 ? style.dim("-") : style.good("ok"),
          Units.count(c.checked()),
          Units.count(c.violations()),
          c.what());
    }
    table.print(out, "");
    for (Check c : v.checks()) {
      if (c.violations() > 0) {
        out.line("").line(out.style().bold(c.what()));
        for (Violation x : c.first()) {
          out.line("  event %d at %s: %s".formatted(x.event(), Units.duration(x.ns()), x.text()));
        }
      }
    }
    out.line("");
    out.line(
        v.ok()
            ? Units.count(v.events()) + " events, no violation"
            : "%s events, %s violations"
                .formatted(Units.count(v.events()), Units.count(v.violations())));
  }
}
