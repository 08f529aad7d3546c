package dev.gmptrace.analyzer.stats;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gmptrace.analyzer.index.GoldenTraces;
import dev.gmptrace.analyzer.index.Progress;
import dev.gmptrace.analyzer.read.Scenario;
import dev.gmptrace.analyzer.stats.Validation.Check;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ValidationTest {
  private static final String BROKEN = "go122-create-syscall-with-p";

  static List<String> traces() {
    return GoldenTraces.go();
  }

  @ParameterizedTest
  @MethodSource("traces")
  void goKeepsItsOwnContract(String name) {
    Validation v = Validation.check(GoldenTraces.path(name));
    assertEquals(!name.equals(BROKEN), v.ok(), v.text());
    assertTrue(v.events() > 0);
  }

  private static List<Check> check(Scenario s) {
    return Validation.check(s, Progress.NONE).checks();
  }

  private static Scenario good() {
    return Scenario.withProcs(2)
        .procStart(1, 0)
        .create(1, 1)
        .start(1, 1)
        .create(1, 2)
        .procStart(2, 1)
        .spinStart(2)
        .steal(2, 0, 1)
        .spinStop(2)
        .start(2, 2)
        .block(2, "chan receive")
        .procStop(2)
        .park(2)
        .unblock(1, 2)
        .syscall(1)
        .procSteal(3, 1)
        .procStart(2, 0)
        .start(2, 2)
        .end(2)
        .syscallEndBlocked(1)
        .start(2, 1);
  }

  @Test
  void aLegalRunHasNoViolations() {
    for (Check c : check(good())) {
      assertEquals(0, c.violations(), c.toString());
    }
  }

  @Test
  void behindAGapTheAccountStartsAnew() {
    // In the gap G 1 ended, G 9 came and M 2 gave its processor to M 4; nobody saw it.
    Scenario s = good().lost(-1, 50, 10).sleep(100).procStart(4, 0).create(4, 9).start(4, 9);
    Validation v = Validation.check(s, Progress.NONE);
    assertTrue(v.ok(), v.text());
    assertTrue(v.text().contains("gap and were not checked"), v.text());
    // What is wrong behind the gap by itself is seen.
    assertEquals(List.of("G1", "G3"), broken(s.start(4, 9)));
  }

  @Test
  void aRecordingWithLossesKeepsTheContract() {
    Validation v = Validation.check(GoldenTraces.path("lossy.bin"));
    assertTrue(v.ok(), v.text());
    assertTrue(v.text().contains("gaps and were not checked"), v.text());
  }

  @Test
  void aRecordingWithoutLossesKeepsTheContract() {
    Validation v = Validation.check(GoldenTraces.path("simulated.bin"));
    assertTrue(v.ok(), v.text());
    assertEquals(List.of(), v.warnings());
  }

  private static List<String> broken(Scenario s) {
    return check(s).stream().filter(c -> c.violations() > 0).map(Check::id).distinct().toList();
  }

  static Stream<Arguments> crimes() {
    return Stream.of(
        crime("G4", s -> s.unblock(2, 1)),
        crime("G3", s -> s.start(2, 1)),
        crime("G1", s -> s.create(2, 1)),
        crime("G2", s -> s.procStop(2).create(2, 9).start(2, 9)),
        crime("par", s -> s.gomaxprocs(1).procStart(4, 1).create(4, 9).start(4, 9)),
        crime("M", s -> s.create(2, 9).start(2, 9)),
        crime("P1", s -> s.procStart(4, 0)),
        crime("P2", s -> s.procStop(2)),
        crime("P5", s -> s.procStart(4, 7)),
        crime("M1", s -> s.procStart(4, 1).park(4)),
        crime("M2", s -> s.spinStart(7)),
        crime("M3", s -> s.procStart(4, 1).create(4, 9).spinStart(4).start(4, 9)),
        crime(
            "M7",
            s ->
                s.procStart(4, 1)
                    .spinStart(4)
                    .procStart(5, 5)
                    .spinStart(5)
                    .sleep(20_000_000)
                    .spinStop(5)),
        crime("R1", s -> s.queueSample(0, 257)),
        crime("R3", s -> s.steal(2, 0, 1)),
        crime("R6", s -> s.overflow(1, 130)),
        crime("ord", s -> s.sleep(-1).queueSample(0, 0)),
        // Asleep in the first generation, and nobody says a word of it in the next two.
        crime(
            "end",
            s -> s.create(1, 9).generation().create(2, 10).generation().create(2, 11).generation()),
        // Woken, and nobody comes although a processor is idle.
        crime("end", s -> s.procStop(2).create(3, 9).sleep(2_000_000_000).queueSample(0, 0)),
        // By the events it runs on; but not on any processor or thread that the model knows.
        crime("time", s -> s.create(2, 9).start(7, 9).sleep(1_000_000).queueSample(0, 0)));
  }

  private static Arguments crime(String rule, Consumer<Scenario> deed) {
    return Arguments.of(rule, deed);
  }

  @ParameterizedTest
  @MethodSource("crimes")
  void everyRuleSeesItsOwnBreach(String rule, Consumer<Scenario> deed) {
    Scenario s = good();
    deed.accept(s);
    List<Check> broken = check(s).stream().filter(c -> c.violations() > 0).toList();
    assertTrue(broken.stream().anyMatch(c -> c.id().equals(rule)), broken.toString());
    for (Check c : broken) {
      assertFalse(c.first().isEmpty());
      assertTrue(c.first().get(0).event() > 0);
    }
  }
}
