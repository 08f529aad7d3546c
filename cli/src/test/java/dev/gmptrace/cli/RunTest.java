package dev.gmptrace.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code gmptrace run}, and {@code record} of a source file. */
class RunTest {
  @TempDir Path dir;

  private Path program(String body) throws IOException {
    return Files.writeString(
        dir.resolve("Hello.java"),
        """
        import dev.gmptrace.runtime.*;
        void main(String[] args) {
          Go.run(() -> {
            %s
          });
        }
        """
            .formatted(body));
  }

  @Test
  void aSourceFileRunsOnTheRuntimeWithItsArguments() throws IOException {
    Path hello =
        program(
            """
            Chan<String> c = Chan.make();
            Go.go(() -> c.send(String.join(" ", args)));
            System.out.println(c.take());
            """);
    var result = Cli.run("run", hello, "one", "--", "--two");
    assertEquals(ExitCode.OK, result.code(), result.all());
    assertEquals("one --two\n", result.out().replace("\r\n", "\n"));
  }

  @Test
  void schedtraceLinesComeWithIt() throws IOException {
    Path hello = program("Go.sleep(java.time.Duration.ofMillis(50));");
    var result = Cli.run("run", "--schedtrace", "10", "--detail", hello);
    assertEquals(ExitCode.OK, result.code(), result.all());
    assertTrue(result.err().contains("SCHED 0ms: gomaxprocs="), result.err());
    assertTrue(result.err().contains("  P0: status="), result.err());
  }

  @Test
  void aProgramThatFailsIsAProblem() throws IOException {
    var result = Cli.run("run", program("System.exit(7);"));
    assertEquals(ExitCode.PROBLEM, result.code(), result.all());
    assertTrue(result.err().endsWith("the program ended with exit code 7\n"), result.err());
  }

  @Test
  void whatMainThrowsIsShownWithTheLineThatStartedIt() throws IOException {
    var result = Cli.run("run", program("throw new IllegalStateException(\"no luck\");"));
    assertEquals(ExitCode.PROBLEM, result.code(), result.all());
    assertTrue(
        result.err().startsWith("Exception in thread \"main\" java.lang.IllegalStateException: no"),
        result.err());
    assertTrue(result.err().contains("at Hello.main(Hello.java:3)"), result.err());
  }

  @Test
  void aDeadlockIsReportedAsInGo() throws IOException {
    var result = Cli.run("run", program("Chan.make().take();"));
    assertEquals(ExitCode.PROBLEM, result.code(), result.all());
    assertTrue(
        result
            .err()
            .startsWith("fatal error: all goroutines are asleep - deadlock!\n\ngoroutine 1"),
        result.err());
    assertTrue(!result.err().contains("IllegalArgumentException"), result.err());
  }

  @Test
  void recordTakesASourceFile() throws IOException {
    Path trace = dir.resolve("t.bin");
    var result = Cli.run("record", "-o", trace, "--", program("Go.go(() -> {});"));
    assertEquals(ExitCode.OK, result.code(), result.all());
    assertEquals(ExitCode.OK, Cli.run("validate", trace).code());
    String first = Cli.run("stats", trace).out().lines().findFirst().orElse("");
    assertTrue(first.endsWith("Hello.java"), "the program's name: " + first);
  }

  @Test
  void mistakesAreNamed() {
    var missing = Cli.run("run", dir.resolve("Nowhere.java"));
    assertEquals(ExitCode.USAGE, missing.code(), missing.all());
    assertTrue(missing.err().endsWith("Nowhere.java: no such file\n"), missing.err());
    var jar = Cli.run("run", "app.jar");
    assertEquals(ExitCode.USAGE, jar.code(), jar.all());
    assertTrue(jar.err().contains("app.jar: not a Java source file"), jar.err());
  }
}
