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
 * What every command prints over a small fixed trace, kept in {@code src/test/resources/golden}.
 * The first line of a file is its command line, so adding a case is adding a file; {@code
 * -Dgmptrace.golden=update} writes what comes out, to be read before it is committed.
 */
class GoldenTest {
  private static final Path GOLDEN = Path.of("src/test/resources/golden");

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
            .map(a -> a.endsWith(".trace") ? Cli.GO_TRACES.resolve(a).toString() : a)
            .toArray();
    var result = Cli.run(args);
    String actual =
        command
            + "\n"
            + result.out().replace(Cli.GO_TRACES + "/", "")
            + result
                .err()
                .replace(Cli.GO_TRACES + "/", "")
                .replaceAll("(?m)^", "! ")
                .replaceAll("! $", "")
            + (result.code() == 0 ? "" : "exit code " + result.code() + "\n");
    if ("update".equals(System.getProperty("gmptrace.golden"))) {
      Files.writeString(file, actual);
    } else {
      assertEquals(expected, actual);
    }
  }

  @Test
  void everyCommandHasACase() throws IOException {
    List<String> cases = cases();
    for (String command : Commands.NAMES) {
      // Those that run or serve something are tested by doing that.
      if (!List.of("demo", "view", "record", "completion").contains(command)) {
        assertTrue(
            cases.stream().anyMatch(c -> c.startsWith(command)), "no golden case for " + command);
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
