package dev.gmptrace.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gmptrace.runtime.Go;
import dev.gmptrace.runtime.Trace;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code gmptrace events --follow} of a program that is still running. */
@Timeout(600)
class FollowTest {
  @TempDir Path dir;

  /** Logs a number every few milliseconds, until its standard input ends. */
  static final class Counting {
    private Counting() {}

    public static void main(String[] args) {
      Thread input =
          Thread.ofPlatform()
              .daemon()
              .start(() -> {
                try {
                  while (System.in.read() >= 0) {}
                } catch (IOException e) {
                  // It ends either way.
                }
              });
      Go.run(() -> {
        for (int i = 0; input.isAlive(); i++) {
          Trace.log("count", Integer.toString(i));
          Go.sleep(Duration.ofMillis(5));
        }
        Trace.log("count", "end");
      });
    }
  }

  private CliProcess program(Path trace) throws IOException {
    return CliProcess.start(dir, Map.of("GMPDEBUG", "trace=" + trace), Counting.class.getName());
  }

  @Test
  void showsEventsWhileTheyAreRecordedAndEndsWithTheRecording() throws Exception {
    Path trace = dir.resolve("growing.bin");
    // It may be started before the program: the file is not there yet.
    try (var follow = CliProcess.gmptrace(dir, "events", "--follow", "--kind", "Log", trace);
        var program = program(trace)) {
      List<String> lines = new ArrayList<>();
      lines.add(follow.line());
      assertTrue(program.isAlive(), "events only came when the program had ended");
      program.closeInput();
      for (String line = follow.line(); line != null; line = follow.line()) {
        lines.add(line);
      }
      assertEquals(0, program.await(), program.err());
      assertEquals(ExitCode.OK, follow.await(), follow.err());
      assertEquals(
          Cli.run("events", "--kind", "Log", trace).out().lines().toList(),
          lines,
          "each event once, in order");
      assertTrue(lines.getLast().endsWith("log \"count\": \"end\""), lines.getLast());
      assertTrue(
          follow.err().isEmpty() || follow.err().contains("waiting for " + trace), follow.err());
    }
  }

  @Test
  void ctrlCEndsItWithAWholeLine() throws Exception {
    Path trace = dir.resolve("growing.bin");
    try (var program = program(trace);
        var follow = CliProcess.gmptrace(dir, "events", "--follow", "--kind", "Log", trace)) {
      String last = follow.line();
      follow.interrupt();
      for (String line = last; line != null; line = follow.line()) {
        last = line;
      }
      assertEquals(ExitCode.OK, follow.await(), follow.err());
      assertTrue(last.matches(".* log \"count\": \"\\d+\""), last);
      assertTrue(program.isAlive(), "the program goes on");
    }
  }

  @Test
  void ctrlCEndsARecordingAndKeepsItsTrace() throws Exception {
    Path trace = dir.resolve("server.bin");
    try (var record =
            CliProcess.gmptrace(
                dir,
                "record",
                "-o",
                trace,
                "--",
                System.getProperty("java.home") + "/bin/java",
                "-cp",
                System.getProperty("java.class.path"),
                Counting.class.getName());
        var follow = CliProcess.gmptrace(dir, "events", "--follow", "--kind", "Log", trace)) {
      assertTrue(follow.line().contains("count"), "the program runs");
      record.interrupt();
      var out = new StringBuilder();
      for (String line = record.line(); line != null; line = record.line()) {
        out.append(line).append('\n');
      }
      assertEquals(ExitCode.OK, record.await(), record.err());
      assertTrue(out.toString().contains("scheduling latency"), out + record.err());
      assertEquals(ExitCode.OK, Cli.run("validate", trace).code());
    }
  }

  @Test
  void aFileThatIsNotThereYetIsWaitedForAndSaysSo() throws Exception {
    Path trace = dir.resolve("never.bin");
    try (var follow = CliProcess.gmptrace(dir, "events", "--follow", trace)) {
      while (follow.err().isEmpty()) {
        assertTrue(follow.isAlive());
        Thread.onSpinWait();
      }
      follow.interrupt();
      assertEquals(ExitCode.OK, follow.await());
      assertEquals(
          "gmptrace events: waiting for " + trace + ", which is not there yet\n", follow.err());
    }
  }
}
