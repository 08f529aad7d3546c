package dev.gmptrace.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The real process on a real terminal, by {@code script} of util-linux: what it takes for one, what
 * it shows there and nowhere else.
 */
class PtyTest {
  private static final String ESCAPE = "\u001b[";

  @TempDir Path dir;

  @BeforeEach
  void needsScript() throws IOException, InterruptedException {
    boolean there;
    try {
      there = new ProcessBuilder("script", "--version").start().waitFor() == 0;
    } catch (IOException e) {
      there = false;
    }
    if (!there) {
      System.out.println("SKIPPED: 'script' of util-linux is not installed");
    }
    assumeTrue(there, "script of util-linux is not installed");
  }

  /** Runs the command; {@code redirect} is shell text behind it, such as {@code 2>file}. */
  private String onTerminal(Map<String, String> env, String redirect, String... args)
      throws IOException, InterruptedException {
    var line = new ArrayList<String>();
    line.add(System.getProperty("java.home") + "/bin/java");
    line.addAll(ChildJvm.OPTIONS);
    line.add("-Dgmptrace.progress.delay=0");
    line.add("-cp");
    line.add(System.getProperty("java.class.path"));
    line.add("dev.gmptrace.cli.Main");
    line.addAll(List.of(args));
    var shell = new StringBuilder();
    line.forEach(word -> shell.append('\'').append(word).append("' "));
    Path out = dir.resolve("typescript");
    var builder =
        new ProcessBuilder("script", "-qec", shell + redirect, out.toString())
            .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD);
    builder.environment().remove("NO_COLOR");
    builder.environment().put("TERM", "xterm");
    builder.environment().putAll(env);
    Process process = builder.start();
    assertTrue(process.waitFor(60, TimeUnit.SECONDS), "hangs");
    String text = Files.readString(out, StandardCharsets.UTF_8);
    return text.lines()
        .filter(l -> !l.startsWith("Script started") && !l.startsWith("Script done"))
        .reduce("", (a, b) -> a + b + "\n");
  }

  @Test
  void coloursOnATerminal() throws Exception {
    String text = onTerminal(Map.of(), "", "footprint", Cli.goTrace("leak-go1.22"));
    assertTrue(text.contains(ESCAPE + "2mevent"), text);
  }

  @Test
  void noColoursWithNoColor() throws Exception {
    String text = onTerminal(Map.of("NO_COLOR", "1"), "", "footprint", Cli.goTrace("leak-go1.22"));
    assertTrue(text.contains("GoStart"), text);
    assertFalse(text.contains(ESCAPE + "2m"), text);
  }

  @Test
  void noColoursInAPipeOfATerminal() throws Exception {
    String text = onTerminal(Map.of(), "| cat", "footprint", Cli.goTrace("leak-go1.22"));
    assertTrue(text.contains("GoStart"), text);
    assertFalse(text.contains(ESCAPE + "2m"), text);
  }

  @Test
  void progressOnATerminalAndGoneAtTheEnd() throws Exception {
    Path file = dir.resolve("out");
    String text = onTerminal(Map.of(), "> " + file, "events", Cli.goTrace("web-go1.27"));
    assertTrue(text.contains("reading web-go1.27.trace  ["), text);
    assertTrue(text.strip().endsWith(ESCAPE + "K"), text);
    assertEquals(
        Cli.run("events", Cli.goTrace("web-go1.27")).out(), Files.readString(file), "the output");
  }

  @Test
  void noProgressInALogFile() throws Exception {
    Path log = dir.resolve("log");
    onTerminal(Map.of(), "> /dev/null 2> " + log, "events", Cli.goTrace("web-go1.27"));
    assertEquals("", Files.readString(log));
  }

  @Test
  void readerThatGoesAwayIsNoError() throws Exception {
    Path log = dir.resolve("log");
    String text =
        onTerminal(Map.of(), "2> " + log + " | head -n 1", "events", Cli.goTrace("web-go1.27"));
    assertEquals(1, text.strip().lines().count(), text);
    assertTrue(text.contains("Sync 1"), text);
    assertEquals("", Files.readString(log));
  }
}
