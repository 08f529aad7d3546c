package dev.gmptrace.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
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
            .start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertTrue(process.waitFor(60, TimeUnit.SECONDS), "the program of the README does not end");
    assertEquals("sum of squares: 285\n", out);
    assertEquals(0, process.exitValue());
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
