package dev.gmptrace.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gmptrace.bench.report.Budget;
import dev.gmptrace.bench.report.Results;
import dev.gmptrace.bench.run.Effort;
import dev.gmptrace.bench.section.AnalyzerSection;
import dev.gmptrace.bench.section.PageSection;
import dev.gmptrace.bench.section.SchedulerSection;
import dev.gmptrace.bench.section.StartupSection;
import dev.gmptrace.bench.section.TracerSection;
import dev.gmptrace.bench.tracer.RecorderSection;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class BenchTest {
  @Test
  void everyBudgetIsForAFigureThatASectionMeasures() throws IOException {
    Effort full = Effort.full();
    List<String> keys =
        Stream.of(
                SchedulerSection.keys(full),
                TracerSection.keys(full),
                RecorderSection.keys(),
                AnalyzerSection.keys(full),
                StartupSection.keys(),
                PageSection.keys())
            .flatMap(List::stream)
            .toList();
    assertEquals(keys.size(), keys.stream().distinct().count(), "two figures have one key");
    List<String> idle =
        Results.budgets(Path.of("budgets.json")).stream()
            .filter(b -> keys.stream().noneMatch(b::fits))
            .map(Budget::key)
            .toList();
    assertEquals(List.of(), idle);
  }

  @Test
  void aNameThatDoesNotExistIsOneLineAndExitCode2() {
    wrong("--workload: there is no 'pingpnog'; --list shows them", "-w", "pingpnog");
    wrong("--peer: there is no 'rust'; --list shows them", "--peer", "go,rust");
    wrong("Unknown option: '-V'", "-V");
  }

  private static void wrong(String message, String... args) {
    PrintStream before = System.err;
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    System.setProperty("gmptrace.bench.home", Path.of("").toAbsolutePath().toString());
    System.setErr(new PrintStream(said, true, StandardCharsets.UTF_8));
    try {
      assertEquals(2, Bench.run(args));
    } finally {
      System.setErr(before);
      System.clearProperty("gmptrace.bench.home");
    }
    String text = said.toString(StandardCharsets.UTF_8);
    assertEquals("bench/run: " + message, text.strip());
    assertTrue(text.lines().count() == 1, text);
  }
}
