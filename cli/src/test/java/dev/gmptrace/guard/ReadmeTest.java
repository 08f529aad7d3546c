package dev.gmptrace.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gmptrace.tracer.schedtrace.SchedTraceFormat;
import dev.gmptrace.tracer.schedtrace.SchedTraceParser;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the README shows is so. */
class ReadmeTest {
  private static final Path ROOT = Repository.root();
  private static final String README = Repository.read(ROOT.resolve("README.md"));

  @Test
  void theFirstProgramRunsAsItStands(@TempDir Path temp) throws Exception {
    Matcher block = Pattern.compile("(?s)```java\\n(.*?)```").matcher(README);
    assertTrue(block.find(), "README.md shows no Java program");
    Path program = Files.writeString(temp.resolve("Squares.java"), block.group(1));
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-cp",
                System.getProperty("java.class.path"),
                program.toString())
            .redirectErrorStream(true)
            .redirectOutput(
                temp.resolve("out.txt").toFile()) // reading a pipe would wait for its end
            .start();
    try {
      assertTrue(process.waitFor(120, TimeUnit.SECONDS), "the program of the README does not end");
    } finally {
      process.destroyForcibly();
    }
    assertEquals("sum of squares: 285\n", Files.readString(temp.resolve("out.txt")));
    assertEquals(0, process.exitValue());
  }

  private static final Path SHOP = Path.of("src/test/resources/gmp-traces/shop.bin");

  /** The indented lines after a command line of the README. */
  private static List<String> shown(String commandLine) {
    List<String> lines = README.lines().toList();
    int at = lines.indexOf("    $ " + commandLine);
    assertTrue(at >= 0, "README.md does not show: " + commandLine);
    return lines.subList(at + 1, lines.size()).stream()
        .takeWhile(l -> l.startsWith("    "))
        .map(l -> l.substring(4))
        .toList();
  }

  private static String printed(String... args) throws Exception {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("--sun-misc-unsafe-memory-access=allow");
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add("dev.gmptrace.cli.Main");
    command.addAll(List.of(args));
    Process process = new ProcessBuilder(command).start();
    return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  /** Numbers and names are those of the run; the words between them are the command's. */
  private static String form(String line) {
    return line.replaceAll("[0-9][0-9,.:TZ-]*(ns|µs|ms|s|%| [KM]iB)?", "#").replaceAll(" +", " ");
  }

  @Test
  void statsAreShownAsTheyArePrinted() throws Exception {
    List<String> actual = printed("stats", SHOP.toString()).lines().toList();
    List<String> readme = shown("gmptrace stats trace.bin");
    assertEquals(
        actual.subList(1, readme.size()).stream().map(ReadmeTest::words).toList(),
        readme.subList(1, readme.size()).stream().map(ReadmeTest::words).toList());
  }

  private static String words(String line) {
    // One collection is not written as five are.
    return form(line)
        .replaceAll("\\b(collection|stop|steal|goroutine|hand-off|wake-up)s?\\b", "$1");
  }

  @Test
  void schedtraceLinesAreShownInTheFormatOfGo() {
    for (String command :
        List.of("gmptrace demo", "gmptrace schedtrace trace.bin --every 10ms --from 1.1s")) {
      List<String> lines = shown(command);
      StringBuilder again = new StringBuilder();
      SchedTraceParser.parse(lines).forEach(s -> again.append(SchedTraceFormat.GO_1_25.format(s)));
      assertEquals(String.join("\n", lines) + "\n", again.toString());
    }
  }

  @Test
  void allOfItIsOneRun() {
    String events =
        shown("gmptrace stats trace.bin").stream()
            .filter(l -> l.startsWith("  events"))
            .findFirst()
            .orElseThrow()
            .replaceAll("\\D*([\\d,]+).*", "$1");
    assertEquals(
        List.of(events + " events, no violation"),
        shown("gmptrace validate trace.bin | tail -n 1"));
  }

  @Test
  void everyLinkAndPictureOfTheDocsLeadsSomewhere() throws IOException {
    StringBuilder broken = new StringBuilder();
    try (var files = Files.walk(ROOT.resolve("docs"))) {
      for (Path file :
          java.util.stream.Stream.concat(
                  files.filter(f -> f.toString().endsWith(".md")),
                  java.util.stream.Stream.of(
                      ROOT.resolve("README.md"), ROOT.resolve("CONTRIBUTING.md")))
              .toList()) {
        Matcher link = Pattern.compile("]\\(([^)#:\\s]+)[^)]*\\)").matcher(Repository.read(file));
        while (link.find()) {
          Path parent = file.getParent();
          if (parent != null && !Files.exists(parent.resolve(link.group(1)))) {
            broken.append(ROOT.relativize(file)).append(" -> ").append(link.group(1)).append('\n');
          }
        }
      }
    }
    assertEquals("", broken.toString());
  }
}
