package dev.gmptrace.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The completion script, sourced by the shell it is for. */
class CompletionTest {
  @TempDir Path dir;

  /** What bash offers for a line whose last word is being typed. */
  private List<String> offered(String line) throws IOException, InterruptedException {
    assumeTrue(Files.isExecutable(Path.of("/bin/bash")), "no /bin/bash here");
    Path script =
        Files.writeString(dir.resolve("gmptrace.bash"), Cli.run("completion", "bash").out());
    String ask =
        """
        source '%s' || exit 3
        read -r _ function _ < <(complete -p gmptrace | sed 's/.*-F/-F/; s/^-F \\([^ ]*\\).*/x \\1/')
        COMP_LINE='%s'; COMP_POINT=${#COMP_LINE}
        read -r -a COMP_WORDS <<< "$COMP_LINE"
        [[ $COMP_LINE == *' ' ]] && COMP_WORDS+=('')
        COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
        $function gmptrace "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
        printf '%%s\\n' "${COMPREPLY[@]}"
        """
            .formatted(script, line);
    Process bash = new ProcessBuilder("/bin/bash", "-c", ask).redirectErrorStream(true).start();
    String out = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, bash.waitFor(), out);
    return out.lines().map(String::strip).filter(l -> !l.isEmpty()).toList();
  }

  @ParameterizedTest
  @CsvSource({
    "gmptrace sched, schedtrace",
    "gmptrace events --fol, --follow",
    "gmptrace schedtrace --go, --go-version",
    "gmptrace completion z, zsh",
    "gmptrace profile --type sy, sync",
  })
  void bashCompletes(String line, String word) throws Exception {
    List<String> offered = offered(line);
    assertTrue(offered.contains(word), line + " -> " + offered);
  }

  @Test
  void everyCommandIsOffered() throws Exception {
    List<String> offered = offered("gmptrace ");
    assertTrue(offered.containsAll(Commands.NAMES), offered.toString());
  }

  @Test
  void zshLoadsItsEmulationFirst() {
    String script = Cli.run("completion", "zsh").out();
    assertTrue(script.startsWith("autoload -U +X compinit && compinit\n"), script);
    assertTrue(script.endsWith(Cli.run("completion", "bash").out()), "then the same");
  }
}
