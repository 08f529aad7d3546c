package dev.gmptrace.cli;

import dev.gmptrace.analyzer.index.Trace;
import dev.gmptrace.analyzer.stats.Findings;
import dev.gmptrace.analyzer.stats.Findings.Finding;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code gmptrace findings}: what is wrong, in sentences. */
@Command(
    name = "findings",
    description = "Say what is wrong in a trace, with the evidence.",
    footer = {
      "",
      "Every rule and its threshold is in docs/FINDINGS.md. Exit code 1 when one of them costs time.",
      "",
      "Examples:",
      "  gmptrace findings trace.bin",
      "  gmptrace findings trace.bin || echo 'have a look'",
      "  gmptrace findings --json trace.bin | jq -r '.findings[].title'",
    })
final class FindingsCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private TraceInput input = new TraceInput();

  FindingsCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    Trace trace = input.open(terminal);
    Findings findings = Findings.of(trace);
    try (Output out = new Output(terminal)) {
      if (input.json()) {
        Json.print(out, findings);
      } else {
        print(findings, out);
      }
    }
    int code = input.report(terminal, trace);
    boolean problem =
        findings.findings().stream().anyMatch(f -> f.severity() != Findings.Severity.INFO);
    return problem ? ExitCode.PROBLEM : code;
  }

  private static void print(Findings findings, Output out) {
    for (Finding f : findings.findings()) {
      String severity = f.severity().name().toLowerCase(Locale.ROOT);
      out.line("%s  %s".formatted(out.style().bad(severity), out.style().bold(f.title())));
      out.line("  " + f.sentence());
      out.line(
          out.style()
              .dim(
                  "  "
                      + f.evidence().entrySet().stream()
                          .map(e -> e.getKey() + " " + e.getValue())
                          .collect(Collectors.joining(", "))));
      out.line("  " + f.advice());
      String where = f.lane() == null ? "" : " on " + f.lane();
      out.line(
          "  look at %s to %s%s (%s)"
              .formatted(Units.duration(f.from()), Units.duration(f.to()), where, f.rule()));
      out.line("");
    }
    int found = findings.findings().size();
    out.line(
        "%s rules checked, %s"
            .formatted(
                findings.rulesChecked().size(), found == 0 ? "nothing found" : found + " found"));
  }
}
