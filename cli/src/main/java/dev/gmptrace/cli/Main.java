package dev.gmptrace.cli;

import dev.gmptrace.analyzer.read.TraceFormatException;
import dev.gmptrace.cli.Terminal.ColorMode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;

/**
 * The {@code gmptrace} command.
 *
 * <p>Start-up is kept short in three ways: {@code --version} is answered before picocli is loaded;
 * only the command that is asked for is built (see {@link Commands}), all of them only for the list
 * of commands; and nothing on this path touches logging, JSON or the web server.
 *
 * <p>Whatever goes wrong comes out once, as one line on standard error, with an {@link ExitCode}.
 * The environment variable {@code GMPTRACE_STACKTRACE=1} adds the stack trace.
 */
@Command(
    name = "gmptrace",
    synopsisHeading = "",
    customSynopsis = "Usage: gmptrace COMMAND [OPTION...]",
    description = {
      "",
      "Records, checks and shows what a Go-style scheduler does: for goroutines on the",
      "JVM, and for execution traces of Go 1.22 and newer.",
    },
    commandListHeading = "%nCommands:%n",
    optionListHeading = "%nOptions:%n",
    footer = {
      "",
      "Examples:",
      "  gmptrace demo                      run a tour of the scheduler and look at it",
      "  gmptrace view trace.bin            open a trace in the browser",
      "  gmptrace schedtrace trace.bin      the trace as GODEBUG=schedtrace lines",
      "  gmptrace findings trace.bin        what is wrong, in sentences",
      "",
      "Exit codes: 0 fine, 1 the trace or program has a problem, 2 wrong usage or",
      "unreadable input. 'gmptrace COMMAND --help' explains a command.",
    })
public final class Main implements Runnable {
  final Terminal terminal;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      scope = ScopeType.INHERIT,
      description = "Show this help and exit.")
  boolean help;

  @Option(
      names = {"-V", "--version"},
      versionHelp = true,
      description = "Print the version and exit.")
  boolean version;

  private Main(Terminal terminal) {
    this.terminal = terminal;
  }

  @Option(
      names = "--color",
      paramLabel = "WHEN",
      scope = ScopeType.INHERIT,
      description =
          "Colours: auto (default; on a terminal, unless NO_COLOR is set), always, never.")
  void color(ColorMode mode) {
    terminal.colorMode(mode);
  }

  /** The program. */
  public static void main(String[] args) {
    if (args.length == 1 && (args[0].equals("--version") || args[0].equals("-V"))) {
      System.out.println(Version.line());
      return;
    }
    int code = run(Terminal.ofProcess(), args);
    if (code != ExitCode.OK) {
      System.exit(code);
    }
  }

  /** Runs one command line against the given terminal and returns its exit code. */
  static int run(Terminal terminal, String... given) {
    String[] args = HelpWord.asOption(given);
    ColorMode.in(args).ifPresent(terminal::colorMode);
    CommandLine line = commandLine(terminal, args);
    // Help and version; picocli would report a failure to write them with a stack trace.
    var help = new StringWriter();
    line.setOut(new PrintWriter(help));
    try {
      int code = line.execute(args);
      terminal.out().write(help.toString().getBytes(StandardCharsets.UTF_8));
      return code;
    } catch (StandardOutput.Closed e) {
      return ExitCode.OK;
    } catch (UncheckedIOException e) {
      terminal.complain("gmptrace", String.valueOf(e.getMessage()));
      return ExitCode.USAGE;
    } catch (OutOfMemoryError e) {
      // What filled the heap is garbage by now, so there is room for a line.
      terminal.complain(
          "gmptrace",
          "a heap of %d MB is too small for this (JAVA_TOOL_OPTIONS=-Xmx… gives more)"
              .formatted(Runtime.getRuntime().maxMemory() >> 20));
      return ExitCode.USAGE;
    } finally {
      terminal.endProgress();
      line.getErr().flush();
    }
  }

  static CommandLine commandLine(Terminal terminal, String... args) {
    CommandLine line = new CommandLine(new Main(terminal));
    String asked = args.length == 0 ? "" : args[0];
    boolean known = Commands.NAMES.contains(asked);
    for (String name : known ? List.of(asked) : Commands.NAMES) {
      line.addSubcommand(name, Commands.create(name, terminal));
    }
    line.setErr(new PrintWriter(terminal.err(), true, StandardCharsets.UTF_8));
    line.setCaseInsensitiveEnumValuesAllowed(true);
    line.setUsageHelpAutoWidth(false);
    line.setUsageHelpWidth(100);
    line.setColorScheme(
        Help.defaultColorScheme(terminal.colorsOut() ? Help.Ansi.ON : Help.Ansi.OFF));
    line.getCommandSpec().versionProvider(() -> new String[] {Version.line()});
    line.setParameterExceptionHandler((e, _) -> usageError(terminal, e));
    line.setExecutionExceptionHandler((e, at, _) -> failure(terminal, at, e));
    return line;
  }

  @Override
  public void run() {
    throw CliException.usage("a command is missing; 'gmptrace --help' lists them");
  }

  private static int usageError(Terminal terminal, ParameterException e) {
    String name = e.getCommandLine().getCommandSpec().qualifiedName();
    terminal.complain(name, UsageMessage.of(e) + " (see '" + name + " --help')");
    return ExitCode.USAGE;
  }

  private static int failure(Terminal terminal, CommandLine at, Exception e) {
    if (e instanceof StandardOutput.Closed) {
      return ExitCode.OK;
    }
    if (!terminal.env("GMPTRACE_STACKTRACE").isEmpty()) {
      e.printStackTrace(terminal.err());
    }
    String name = at.getCommandSpec().qualifiedName();
    return switch (e) {
      case CliException known -> {
        terminal.complain(name, String.valueOf(known.getMessage()));
        yield known.exitCode();
      }
      case NoSuchFileException missing -> {
        terminal.complain(name, missing.getFile() + ": no such file");
        yield ExitCode.USAGE;
      }
      case AccessDeniedException denied -> {
        terminal.complain(name, denied.getFile() + ": permission denied");
        yield ExitCode.USAGE;
      }
      case TraceFormatException refused -> {
        terminal.complain(name, String.valueOf(refused.getMessage()));
        yield ExitCode.USAGE;
      }
      case UncheckedIOException io -> {
        terminal.complain(name, String.valueOf(io.getMessage()));
        yield ExitCode.USAGE;
      }
      case IOException io -> {
        terminal.complain(name, String.valueOf(io.getMessage()));
        yield ExitCode.USAGE;
      }
      default -> {
        terminal.complain(
            name,
            "internal error: " + e + " (GMPTRACE_STACKTRACE=1 shows where; please report it)");
        yield ExitCode.INTERNAL;
      }
    };
  }
}
