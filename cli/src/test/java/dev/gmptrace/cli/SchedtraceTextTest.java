package dev.gmptrace.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The text of schedtrace, field by field and apart from the code that prints and parses it: of a
 * program while it runs and of its recording. The patterns are written from Go's schedtrace().
 */
@Timeout(300)
class SchedtraceTextTest {
  private static final String N = "(0|[1-9]\\d*)";
  private static final String ID = "(nil|" + N + ")";
  private static final String FLAG = "(true|false)";

  private static final String HEAD =
      "SCHED %1$sms: gomaxprocs=%1$s idleprocs=%1$s threads=%1$s spinningthreads=%1$s".formatted(N)
          + " needspinning=[01] idlethreads=%1$s runqueue=%1$s".formatted(N);

  private static final List<Pattern> PLAIN =
      List.of(Pattern.compile(HEAD + " \\[ (%1$s )+\\] schedticks=\\[ (%1$s )+\\]".formatted(N)));

  private static final List<Pattern> DETAIL =
      List.of(
          Pattern.compile(
              HEAD
                  + " gcwaiting=%2$s nmidlelocked=%1$s stopwait=%1$s sysmonwait=%2$s"
                      .formatted(N, FLAG)),
          Pattern.compile(
              "  P%1$s: status=[0-4] schedtick=%1$s syscalltick=%1$s m=%2$s runqsize=%1$s gfreecnt=%1$s timerslen=%1$s"
                  .formatted(N, ID)),
          Pattern.compile(
              "  M%1$s: p=%2$s curg=%2$s mallocing=%1$s throwing=%1$s preemptoff= locks=%1$s dying=%1$s spinning=%3$s blocked=%3$s lockedg=%2$s"
                  .formatted(N, ID, FLAG)),
          Pattern.compile(
              "  G%1$s: status=[0-9]\\([^()]*(\\([^()]*\\))?[^()]*\\) m=%2$s lockedm=%2$s"
                  .formatted(N, ID)));

  @TempDir Path dir;

  private static void matches(List<Pattern> patterns, String text) {
    List<String> odd =
        text.lines()
            .filter(line -> patterns.stream().noneMatch(p -> p.matcher(line).matches()))
            .toList();
    assertEquals(List.of(), odd);
    for (Pattern p : patterns) {
      assertTrue(text.lines().anyMatch(line -> p.matcher(line).matches()), "none is " + p);
    }
  }

  private String live(Path trace, Object... more) {
    var words =
        new ArrayList<Object>(
            List.of("demo", "syscalls", "--seconds", "0.4", "--schedtrace", "20", "--no-view"));
    words.addAll(List.of("-o", trace));
    words.addAll(List.of(more));
    var demo = Cli.run(words.toArray());
    assertEquals(ExitCode.OK, demo.code(), demo.all());
    return demo.err();
  }

  @Test
  void plainLines() {
    Path trace = dir.resolve("t.bin");
    matches(PLAIN, live(trace));
    matches(PLAIN, Cli.run("schedtrace", "--every", "20ms", trace).out());
  }

  @Test
  void linesOfDetail() {
    Path trace = dir.resolve("t.bin");
    matches(DETAIL, live(trace, "--detail"));
    matches(DETAIL, Cli.run("schedtrace", "--detail", "--every", "20ms", trace).out());
  }
}
