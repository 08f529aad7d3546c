package dev.gmptrace.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gmptrace.analyzer.read.EventKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** {@code docs/CLI.md} and the help texts say what the commands take. */
class CliDocsTest {
  private static final Pattern OPTION = Pattern.compile("(?<![\\w-])--?[a-z][a-z-]*");

  static List<String> commands() {
    return Commands.NAMES;
  }

  private static Set<String> options(String text) {
    return OPTION.matcher(text).results().map(r -> r.group()).collect(Collectors.toSet());
  }

  @ParameterizedTest
  @MethodSource("commands")
  void theSynopsisHasEveryOption(String command) throws IOException {
    String docs = Files.readString(Path.of("../docs/CLI.md"));
    String synopsis =
        docs.lines()
            .filter(l -> l.matches("    (source <\\()?gmptrace " + command + " .*"))
            .findFirst()
            .orElseThrow(() -> new AssertionError("no synopsis of " + command));
    var terminal = new Terminal(System.out, System.err, false, false, Map.of());
    CommandLine line = Main.commandLine(terminal, command).getSubcommands().get(command);
    assertNotNull(line, command);
    CommandSpec spec = line.getCommandSpec();
    Set<String> said = options(synopsis);
    var missing = new TreeSet<String>();
    for (OptionSpec o : spec.options()) {
      boolean own = !o.usageHelp() && !o.inherited();
      if (own && Arrays.stream(o.names()).noneMatch(said::contains)) {
        missing.add(o.longestName());
      }
      said.removeAll(List.of(o.names()));
      if (o.negatable()) {
        said.remove(o.longestName().replace("--", "--no-"));
      }
    }
    assertEquals(Set.of(), missing, "missing in: " + synopsis);
    assertEquals(Set.of(), said, "no such option: " + synopsis);
  }

  @Test
  void helpOfEventsListsTheKinds() {
    String help = Cli.run("events", "--help").out();
    String kinds = help.substring(help.indexOf("Kinds:"), help.indexOf("Examples:"));
    for (EventKind kind : EventKind.values()) {
      if (kind != EventKind.BAD) {
        assertTrue(
            kinds.matches("(?s).*\\b" + kind.text() + "\\b.*"), kind.text() + " in " + kinds);
      }
    }
    assertTrue(!kinds.contains("GoName"), kinds);
  }
}
