package dev.gmptrace.cli;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code gmptrace completion}: prints the script that completes commands, options and values. */
@Command(
    name = "completion",
    description = "Print a completion script for bash or zsh.",
    footer = {
      "",
      "Examples:",
      "  source <(gmptrace completion bash)       in ~/.bashrc",
      "  source <(gmptrace completion zsh)        in ~/.zshrc",
    })
final class CompletionCommand implements Callable<Integer> {
  /** The shells there is a script for. */
  enum Shell {
    bash,
    zsh
  }

  private final Terminal terminal;

  @Parameters(paramLabel = "SHELL", description = "bash or zsh")
  private Shell shell = Shell.bash;

  CompletionCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    CommandLine all = Main.commandLine(terminal);
    String script = AutoComplete.bash("gmptrace", all);
    var out = new PrintStream(terminal.out(), false, StandardCharsets.UTF_8);
    if (shell == Shell.zsh) {
      // The script is bash's; zsh runs it once its emulation is loaded.
      out.println("autoload -U +X compinit && compinit");
      out.println("autoload -U +X bashcompinit && bashcompinit");
    }
    out.print(script);
    out.flush();
    return ExitCode.OK;
  }
}
