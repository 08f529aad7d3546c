package dev.gmptrace.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

class UsageTest {
  static final List<String> COMMANDS = Commands.NAMES;

  @ParameterizedTest
  @FieldSource("COMMANDS")
  void everyCommandExplainsItselfWithExamples(String command) {
    var result = Cli.run(command, "--help");
    assertEquals(ExitCode.OK, result.code());
    assertEquals("", result.err());
    assertTrue(result.out().startsWith("Usage: gmptrace " + command), result.out());
    assertTrue(result.out().contains("Examples:\n  "), result.out());
    result.out().lines().forEach(l -> assertTrue(l.length() <= 100, "too wide: " + l));
  }

  @Test
  void helpListsEveryCommandWithASentence() {
    String help = Cli.run("--help").out();
    for (String command : COMMANDS) {
      assertTrue(
          help.lines().anyMatch(l -> l.matches("  " + command + " +[A-Z].*\\.")),
          command + " in\n" + help);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "events --form go t | gmptrace events: unknown option '--form'; did you mean '--from'? (see 'gmptrace events --help')",
        "evnts t | gmptrace: unknown command 'evnts'; did you mean 'events'? (see 'gmptrace --help')",
        "frobnicate | gmptrace: unknown command 'frobnicate' (see 'gmptrace --help')",
        "--frobnicate | gmptrace: unknown option '--frobnicate' (see 'gmptrace --help')",
        "events | gmptrace events: missing required parameter: 'TRACE' (see 'gmptrace events --help')",
        "events a b | gmptrace events: unexpected argument 'b' (see 'gmptrace events --help')",
        "events --format xml t | gmptrace events: --format: 'xml' is none of text, json, go (see 'gmptrace events --help')",
        "events --g seven t | gmptrace events: --g: 'seven' is not a whole number (see 'gmptrace events --help')",
        "events --kind Steel t | gmptrace events: --kind: unknown kind 'Steel'; did you mean Steal?",
        "events --from soon t | gmptrace events: --from: 'soon' is not a duration; write 10ms, 1.5s, 200us or 1m30s",
        "events --from 2s --to 1s t | gmptrace events: --to: '1s' is not after --from",
        "events --from | gmptrace events: --from needs a value, T (see 'gmptrace events --help')",
        "view --http nonsense:x t | gmptrace view: --http: ",
        "record | gmptrace record: missing required parameter: 'COMMAND' (see 'gmptrace record --help')",
        "record --cpu 2000 -- java | gmptrace record: --cpu: '2000' is not in 0 to 1000",
        "record --stacks 500 -- java | gmptrace record: --stacks: '500' is not in 0 to 128",
        "record --seconds -1 -- java | gmptrace record: --seconds: '-1.0' is below 0",
        "record -o /nowhere/t.bin -- java | gmptrace record: /nowhere: no such directory",
        "record -o /tmp -- java | gmptrace record: /tmp is a directory; name a file to write",
        "record -o target/never.bin -- no-such-program-here | gmptrace record: cannot run 'no-such-program-here': no such program",
        "schedtrace --every 0 t | gmptrace schedtrace: --every: '0' is no time",
        "schedtrace --every often t | gmptrace schedtrace: --every: 'often' is not a duration; write 10ms, 1.5s, 200us or 1m30s",
        "schedtrace --go-version 2 t | gmptrace schedtrace: --go-version: '2' is not a Go version; expected one like 1.24 or 1.25",
        "profile --type heap t | gmptrace profile: --type: 'heap' is none of sched, start, sync, net, syscall, cpu (see 'gmptrace profile --help')",
        "profile --top 0 t | gmptrace profile: --top: '0' is not above 0",
        "goroutines --state asleep t | gmptrace goroutines: --state: 'asleep' is none of runnable, running, syscall, waiting, preempted, unknown (see 'gmptrace goroutines --help')",
        "goroutines --longer never t | gmptrace goroutines: --longer: 'never' is not a duration; write 10ms, 1.5s, 200us or 1m30s",
        "mmu --window 0 t | gmptrace mmu: --window: '0' is no length",
        "tasks --top 0 --list t | gmptrace tasks: --top: '0' is not above 0",
        "stats --json=maybe t | gmptrace stats: --json: 'maybe' is neither true nor false; the option alone means true (see 'gmptrace stats --help')",
        "tasks --top 99999999999 t | gmptrace tasks: --top: '99999999999' is too large a number (see 'gmptrace tasks --help')",
        "completion fish | gmptrace completion: SHELL: 'fish' is none of bash, zsh (see 'gmptrace completion --help')",
      })
  void mistakesAreNamedInOneLine(String line, String message) {
    var result = Cli.run((Object[]) line.split(" ", -1));
    assertEquals(ExitCode.USAGE, result.code(), result.all());
    assertEquals("", result.out());
    assertTrue(result.err().startsWith(message), result.err());
    assertEquals(1, result.err().lines().count(), result.err());
  }

  @ParameterizedTest
  @ValueSource(strings = {"events", "schedtrace", "stats", "goroutines", "profile"})
  void aWindowBehindTheTraceIsAMistake(String command) {
    var result = Cli.run(command, "--from", "1h", Cli.goTrace("leak-go1.22"));
    assertEquals(ExitCode.USAGE, result.code(), result.all());
    assertEquals("", result.out());
    assertTrue(
        result.err().matches("gmptrace " + command + ": --from: .* is after the end of .*\\n"),
        result.err());
  }

  @Test
  void nothingAskedIsAMistake() {
    var result = Cli.run();
    assertEquals(ExitCode.USAGE, result.code());
    assertEquals("gmptrace: a command is missing; 'gmptrace --help' lists them\n", result.err());
  }

  @Test
  void theWordHelpWorksAsTheOption() {
    assertEquals(Cli.run("--help"), Cli.run("help"));
    assertEquals(Cli.run("view", "--help"), Cli.run("help", "view"));
    assertEquals(
        "gmptrace: unknown command 'veiw'; did you mean 'view'? (see 'gmptrace --help')\n",
        Cli.run("help", "veiw").err());
  }

  @Test
  void aGroupThatIsNotThereIsAMistake() {
    var result = Cli.run("goroutines", "--group", "nosuch", Cli.goTrace("leak-go1.22"));
    assertEquals(ExitCode.USAGE, result.code(), result.all());
    assertEquals("", result.out());
    assertEquals(
        "gmptrace goroutines: --group: there is no group 'nosuch' in this trace;"
            + " 'gmptrace goroutines' without it lists them\n",
        result.err());
  }

  @Test
  void versionIsTheBuilds() {
    var result = Cli.run("--version");
    assertEquals(ExitCode.OK, result.code());
    assertTrue(result.out().matches("gmptrace \\d+\\.\\d+\\.\\d+.* \\(Java .*\\)\n"), result.out());
  }
}
