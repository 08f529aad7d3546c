package dev.gmptrace.tracer.schedtrace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gmptrace.tracer.schedtrace.SchedSnapshot.Detail;
import dev.gmptrace.tracer.schedtrace.SchedSnapshot.GStatus;
import dev.gmptrace.tracer.schedtrace.SchedSnapshot.Goroutine;
import dev.gmptrace.tracer.schedtrace.SchedSnapshot.Machine;
import dev.gmptrace.tracer.schedtrace.SchedSnapshot.PStatus;
import dev.gmptrace.tracer.schedtrace.SchedSnapshot.Proc;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Our printer against Go's own output: what Go printed is parsed and must be printed the same. */
class SchedTraceTest {
  private static String resource(String name) throws IOException {
    try (InputStream in = SchedTraceTest.class.getResourceAsStream("/schedtrace/" + name)) {
      assertNotNull(in, name);
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static String print(SchedTraceFormat format, List<SchedSnapshot> snapshots) {
    var sb = new StringBuilder();
    snapshots.forEach(s -> format.append(s, sb));
    return sb.toString();
  }

  private static SchedSnapshot sample(@Nullable Detail detail) {
    return new SchedSnapshot(
        10,
        2,
        0,
        5,
        0,
        1,
        0,
        0,
        List.of(
            new Proc(0, PStatus.IDLE, 84, 15, SchedSnapshot.NONE, 1, 0, 2),
            new Proc(1, PStatus.RUNNING, 46, 21, 3, 0, 0, 1)),
        detail);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"plain-go1.25.txt", "plain-go1.27.txt", "detail-go1.25.txt", "detail-go1.27.txt"})
  void printsWhatGoPrinted(String name) throws IOException {
    String text = resource(name);
    List<SchedSnapshot> snapshots = SchedTraceParser.parse(text);
    assertTrue(snapshots.size() >= 3, "snapshots in " + name);
    assertEquals(text, print(SchedTraceFormat.GO_1_25, snapshots));
  }

  @Test
  void plainLineOfGo125() {
    assertEquals(
        "SCHED 10ms: gomaxprocs=2 idleprocs=0 threads=5 spinningthreads=0 needspinning=1"
            + " idlethreads=0 runqueue=0 [ 1 0 ] schedticks=[ 84 46 ]\n",
        SchedTraceFormat.GO_1_25.format(sample(null)));
  }

  @Test
  void plainLineOfGo124() {
    String line =
        "SCHED 10ms: gomaxprocs=2 idleprocs=0 threads=5 spinningthreads=0 needspinning=1"
            + " idlethreads=0 runqueue=0 [1 0]\n";
    assertEquals(line, SchedTraceFormat.GO_1_24.format(sample(null)));
    assertEquals(line, print(SchedTraceFormat.GO_1_24, SchedTraceParser.parse(line)));
  }

  @Test
  void detailIsTheSameInBothVersions() {
    var detail =
        new Detail(
            false,
            0,
            0,
            false,
            List.of(Machine.of(3, 1, 1, false, false, SchedSnapshot.NONE)),
            List.of(
                new Goroutine(1, GStatus.SYSCALL, "chan send", 3, SchedSnapshot.NONE),
                new Goroutine(
                    25,
                    GStatus.RUNNABLE,
                    "chan receive (nil chan)",
                    SchedSnapshot.NONE,
                    SchedSnapshot.NONE),
                new Goroutine(26, GStatus.DEAD, "", SchedSnapshot.NONE, SchedSnapshot.NONE)));
    String expected =
        """
        SCHED 10ms: gomaxprocs=2 idleprocs=0 threads=5 spinningthreads=0 needspinning=1 \
        idlethreads=0 runqueue=0 gcwaiting=false nmidlelocked=0 stopwait=0 sysmonwait=false
          P0: status=0 schedtick=84 syscalltick=15 m=nil runqsize=1 gfreecnt=0 timerslen=2
          P1: status=1 schedtick=46 syscalltick=21 m=3 runqsize=0 gfreecnt=0 timerslen=1
          M3: p=1 curg=1 mallocing=0 throwing=0 preemptoff= locks=0 dying=0 spinning=false \
        blocked=false lockedg=nil
          G1: status=3(chan send) m=3 lockedm=nil
          G25: status=1(chan receive (nil chan)) m=nil lockedm=nil
          G26: status=6() m=nil lockedm=nil
        """;
    assertEquals(expected, SchedTraceFormat.GO_1_25.format(sample(detail)));
    assertEquals(expected, SchedTraceFormat.GO_1_24.format(sample(detail)));
    assertEquals(List.of(sample(detail)), SchedTraceParser.parse(expected));
    assertEquals(sample(null), sample(detail).plain());
  }

  @Test
  void passesOverWhatTheProgramPrints() {
    String text =
        "hello\n  P is for program\n"
            + SchedTraceFormat.GO_1_25.format(sample(null))
            + "  G1: not ours, no detailed line is open\n";
    assertEquals(1, SchedTraceParser.parse(text).size());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SCHED 10ms: gomaxprocs=2",
        "SCHED 10ms: gomaxprocs=2 idleprocs=0 threads=5 spinningthreads=0 needspinning=1"
            + " idlethreads=0 runqueue=0 [ 1 0]",
        "SCHED 10ms: gomaxprocs=2 idleprocs=0 threads=5 spinningthreads=0 needspinning=1"
            + " idlethreads=0 runqueue=0 [ 1 0 ] schedticks=[ 84 46 ] more",
        "SCHED 1.5ms: gomaxprocs=2 idleprocs=0 threads=5 spinningthreads=0 needspinning=1"
            + " idlethreads=0 runqueue=0 [1 0]",
        "SCHED 10ms: gomaxprocs=2 idleprocs=0 threads=5 spinningthreads=0 needspinning=1"
            + " idlethreads=0 runqueue=0 gcwaiting=0 nmidlelocked=0 stopwait=0 sysmonwait=false",
      })
  void malformedLineIsNamed(String line) {
    var e =
        assertThrows(
            IllegalArgumentException.class, () -> SchedTraceParser.parse("first\n" + line));
    assertTrue(String.valueOf(e.getMessage()).startsWith("line 2 "), e.getMessage());
  }

  @ParameterizedTest
  @CsvSource({
    "1.22, GO_1_24",
    "1.24, GO_1_24",
    "1.24.9, GO_1_24",
    "1.25, GO_1_25",
    "go1.27, GO_1_25",
    "1.100, GO_1_25"
  })
  void versionNamesFormat(String version, SchedTraceFormat format) {
    assertEquals(format, SchedTraceFormat.of(version));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "2.0", "1", "latest", "1.x"})
  void otherVersionsAreRefused(String version) {
    assertThrows(IllegalArgumentException.class, () -> SchedTraceFormat.of(version));
  }
}
