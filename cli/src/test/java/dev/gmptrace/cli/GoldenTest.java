package dev.gmptrace.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TimeZone;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What every command prints over small fixed traces, of Go programs and of one on our runtime
 * ({@code gmp-traces/Shop.java}), kept in {@code src/test/resources/golden}. The first line of a
 * file is its command line, so adding a case is adding a file; {@code -Dgmptrace.golden=update}
 * writes what comes out, to be read before it is committed.
 */
class GoldenTest {
  private static final Path GOLDEN = Path.of("src/test/resources/golden");
  private static final Path GMP_TRACES = Path.of("src/test/resources/gmp-traces");

  static List<String> cases() throws IOException {
    try (Stream<Path> files = Files.list(GOLDEN)) {
      return files.map(f -> f.getFileName().toString()).sorted().toList();
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void printsWhatItPrintedBefore(String name) throws IOException {
    Path file = GOLDEN.resolve(name);
    String expected = Files.readString(file);
    String command = expected.lines().findFirst().orElseThrow();
    assertTrue(command.startsWith("$ gmptrace "), command);
    Object[] args =
        Stream.of(command.substring("$ gmptrace ".length()).split(" ", -1))
            .map(a ->
                a.endsWith(".trace")
                    ? Cli.GO_TRACES.resolve(a).toString()
                    : a.endsWith(".bin") ? GMP_TRACES.resolve(a).toString() : a)
            .toArray();
    var result = Cli.run(args);
    String actual =
        command
            + "\n"
            + withoutFolders(result.out())
            + withoutFolders(result.err()).replaceAll("(?m)^", "! ").replaceAll("! $", "")
            + (result.code() == 0 ? "" : "exit code " + result.code() + "\n");
    if ("update".equals(System.getProperty("gmptrace.golden"))) {
      Files.writeString(file, actual);
    } else {
      assertEquals(expected, actual);
    }
  }

  private static String withoutFolders(String text) {
    return text.replace(Cli.GO_TRACES + "/", "").replace(GMP_TRACES + "/", "");
  }

  @Test
  void everyCommandHasACase() throws IOException {
    List<String> cases = cases();
    for (String command : Commands.NAMES) {
      // Those that run or serve something are tested by doing that.
      if (!List.of("demo", "view", "run", "record", "completion").contains(command)) {
        for (String name : List.of(command, command + "-gmp", command + "-gmp-json")) {
          assertTrue(cases.stream().anyMatch(c -> c.startsWith(name)), "no golden case " + name);
        }
      }
    }
  }

  static List<String> goTraces() throws IOException {
    try (Stream<Path> files = Files.list(Cli.GO_TRACES)) {
      return files
          .map(f -> f.getFileName().toString())
          .filter(n -> n.endsWith(".trace"))
          .map(n -> n.replace(".trace", ""))
          .sorted()
          .toList();
    }
  }

  @ParameterizedTest
  @MethodSource("goTraces")
  void goFormatIsToTheByteWhatGoPrints(String name) throws IOException {
    var expected = new ByteArrayOutputStream();
    Path file = Cli.GO_TRACES.resolve(name + ".parsed.txt.gz");
    try (InputStream in = new GZIPInputStream(Files.newInputStream(file))) {
      in.transferTo(expected);
    }
    // The expected texts were printed where the wall clock shows UTC.
    var zone = TimeZone.getDefault();
    TimeZone.setDefault(TimeZone.getTimeZone("UTC"));
    try {
      var result = Cli.run("events", "--format", "go", Cli.goTrace(name));
      assertEquals(expected.toString(StandardCharsets.UTF_8), result.out(), result.err());
      assertEquals(
          name.equals("go122-create-syscall-with-p") ? ExitCode.PROBLEM : ExitCode.OK,
          result.code(),
          result.err());
    } finally {
      TimeZone.setDefault(zone);
    }
  }
}
