package dev.gmptrace.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gmptrace.tracer.schedtrace.SchedTraceParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What {@code gmptrace record} does to files, to other programs and to the environment. */
@Timeout(600)
class RecordTest {
  @TempDir Path dir;

  /** A workload by a java that is found, or not, on the PATH. */
  private static List<String> workload(String name, String seconds) {
    return List.of(
        "java",
        "-cp",
        System.getProperty("java.class.path"),
        "dev.gmptrace.cli.demo.DemoMain",
        name,
        seconds);
  }

  private static Object[] args(Object first, Object... more) {
    var all = new ArrayList<Object>();
    all.add(first);
    for (Object o : more) {
      if (o instanceof List<?> words) {
        all.addAll(words);
      } else {
        all.add(o);
      }
    }
    return all.toArray();
  }

  @ParameterizedTest
  @CsvSource({
    "no-such-program-here, cannot run 'no-such-program-here': no such program",
    "true, the program left no trace; does it use the runtime?; ",
    "false, the program left no trace; it ended with exit code 1; ",
  })
  void aProgramThatRecordsNothingCostsNobodyATrace(String program, String message)
      throws IOException {
    Path trace = Files.writeString(dir.resolve("old.bin"), "precious");
    var result = Cli.run("record", "-o", trace, "--", program);
    assertTrue(result.code() != ExitCode.OK, result.all());
    assertTrue(result.err().contains(message), result.all());
    assertEquals("precious", Files.readString(trace));
  }

  @Test
  void whatIsNoRegularFileIsRefusedAndStays() throws Exception {
    Path pipe = dir.resolve("pipe");
    assertEquals(0, new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor());
    for (String[] command : new String[][] {{"record", "--", "true"}, {"demo", "steal"}}) {
      var words = new ArrayList<String>(List.of(command[0], "-o", pipe.toString()));
      words.addAll(Arrays.asList(command).subList(1, command.length));
      var result = Cli.run(words.toArray());
      assertEquals(ExitCode.USAGE, result.code(), result.all());
      assertTrue(result.err().contains("is not a regular file"), result.all());
      assertTrue(Files.exists(pipe));
    }
  }

  @Test
  void aLinkIsWrittenThroughAndTheNewTraceReplacesTheOld() throws IOException {
    Path real = Files.writeString(dir.resolve("real.bin"), "old");
    Path link = Files.createSymbolicLink(dir.resolve("link.bin"), real);
    var result = Cli.run(args("record", "-o", link, "--", workload("steal", "0.1")));
    assertEquals(ExitCode.OK, result.code(), result.all());
    assertFalse(Files.isRegularFile(link, LinkOption.NOFOLLOW_LINKS), "the link was replaced");
    assertEquals(ExitCode.OK, Cli.run("validate", real).code());
  }

  /** The shell does not hand the signal on; its JVM has to be ended too. */
  @Test
  void secondsEndTheJvmBehindAScript() throws Exception {
    Path trace = dir.resolve("t.bin");
    Path pid = dir.resolve("pid");
    Path script =
        Files.writeString(
            dir.resolve("wrapper.sh"), "\"$@\" &\necho $! > " + pid + "\nwait\necho ended\n");
    var words = new ArrayList<>(List.of("sh", script.toString()));
    words.addAll(workload("pipeline", "600"));
    words.set(2, ChildJvm.ownJava());
    // On a busy machine a JVM may take longer to start than it was given.
    for (int seconds = 2; ; seconds *= 2) {
      var result = Cli.run(args("record", "-o", trace, "--seconds", seconds, "--", words));
      long jvm = Long.parseLong(Files.readString(pid).strip());
      assertTrue(
          ProcessHandle.of(jvm).map(p -> !p.isAlive()).orElse(true),
          "the JVM goes on: " + result.all());
      if (seconds < 60 && result.err().contains("the program left no trace")) {
        continue;
      }
      assertEquals(ExitCode.OK, result.code(), result.all());
      assertEquals(ExitCode.OK, Cli.run("validate", trace).code());
      return;
    }
  }

  /** What of GODEBUG means nothing here stays out, since in GMPDEBUG it would warn. */
  @Test
  void godebugWorksUnderRecordToo() {
    var result =
        new Cli()
            .env("GODEBUG", "madvdontneed=1, schedtrace=10")
            .with(args("record", "-o", dir.resolve("t.bin"), "--", workload("steal", "0.2")));
    assertEquals(ExitCode.OK, result.code(), result.all());
    assertFalse(SchedTraceParser.parse(result.err()).isEmpty(), result.all());
    assertFalse(result.err().contains("unknown key"), result.all());
  }

  @ParameterizedTest
  @CsvSource({"GMPDEBUG, trace", "GODEBUG, schedtrace=x", "GMPMAXPROCS, none"})
  void aBadValueInTheEnvironmentIsRefusedBeforeAnythingStarts(String variable, String value)
      throws IOException {
    Path source = Files.writeString(dir.resolve("Hello.java"), "void main() {}");
    Path trace = dir.resolve("t.bin");
    for (Object[] words :
        List.of(
            args("run", source),
            args("record", "-o", trace, "--", "true"),
            args("demo", "steal", "-o", trace, "--no-view"))) {
      var result = new Cli().env(variable, value).with(words);
      assertEquals(ExitCode.USAGE, result.code(), result.all());
      assertTrue(result.err().startsWith("gmptrace " + words[0] + ": " + variable), result.all());
      assertEquals(1, result.err().lines().count(), result.all());
    }
  }

  /** The program dies without having ended its trace. */
  @Test
  void aTraceThatIsCutOffIsAProblemThoughTheCommandSucceeded() throws IOException {
    Path whole = dir.resolve("whole.bin");
    var good = Cli.run(args("record", "-o", whole, "--", workload("steal", "0.1")));
    assertEquals(ExitCode.OK, good.code(), good.all());
    byte[] bytes = Files.readAllBytes(whole);
    Path most = Files.write(dir.resolve("most.bin"), Arrays.copyOf(bytes, bytes.length * 3 / 4));
    Path cut = dir.resolve("cut.bin");
    var result = Cli.run("record", "-o", cut, "--", "cp", most, cut);
    assertEquals(ExitCode.PROBLEM, result.code(), result.all());
    assertTrue(result.out().contains("scheduling latency"), result.all());
    var footprint = Cli.run("footprint", cut);
    assertEquals(ExitCode.PROBLEM, footprint.code(), footprint.all());
    assertTrue(
        footprint.err().matches("gmptrace footprint: .* cannot be read: the trace is cut off.*\n"),
        footprint.all());
  }
}
