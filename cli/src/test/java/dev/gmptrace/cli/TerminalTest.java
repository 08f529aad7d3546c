package dev.gmptrace.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TerminalTest {
  private static final String ESCAPE = "\u001b[";

  @ParameterizedTest(name = "terminal {0}, NO_COLOR={1}, TERM={2}, --color {3}: {4}")
  @CsvSource({
    "true,  '',  xterm, auto,   true",
    "false, '',  xterm, auto,   false",
    "true,  1,   xterm, auto,   false",
    "true,  0,   xterm, auto,   false",
    "true,  '',  dumb,  auto,   false",
    "true,  '',  xterm, never,  false",
    "false, '',  xterm, always, true",
    "false, 1,   xterm, always, true",
  })
  void coloursOnlyWhereTheyAreWanted(
      boolean terminal, String noColor, String term, String color, boolean expected) {
    var cli = new Cli().terminal(terminal, terminal).env("NO_COLOR", noColor).env("TERM", term);
    var result = cli.with("footprint", "--color", color, Cli.goTrace("leak-go1.22"));
    assertEquals(expected, result.out().contains(ESCAPE), result.all());
    assertEquals(ExitCode.OK, result.code());
  }

  @Test
  void helpIsColouredAsAsked() {
    for (String color : new String[] {"--color=always", "--color=ALWAYS"}) {
      assertTrue(Cli.run("view", "--help", color).out().contains(ESCAPE));
    }
    assertTrue(Cli.run("--color", "always", "--help").out().contains(ESCAPE));
    var terminal = new Cli().terminal(true, true).env("TERM", "xterm");
    assertTrue(terminal.with("--help").out().contains(ESCAPE));
    assertFalse(terminal.with("--help", "--color", "never").out().contains(ESCAPE));
  }

  @Test
  void errorsAreColouredByTheStreamTheyGoTo() {
    var result = new Cli().terminal(false, true).env("TERM", "xterm").with("events", "nowhere");
    assertTrue(result.err().contains(ESCAPE), result.all());
    result = new Cli().terminal(true, false).env("TERM", "xterm").with("events", "nowhere");
    assertFalse(result.err().contains(ESCAPE), result.all());
  }

  @Test
  void colouredAndPlainTextAreTheSameText() {
    var trace = Cli.goTrace("leak-go1.22");
    String plain = Cli.run("footprint", trace).out();
    String coloured = Cli.run("footprint", "--color", "always", trace).out();
    assertEquals(plain, coloured.replaceAll("\u001b\\[[0-9;]*m", ""));
  }
}
