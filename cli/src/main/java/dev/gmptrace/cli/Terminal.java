package dev.gmptrace.cli;

import java.io.Console;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where a command writes, and what that place can show.
 *
 * <p>Standard output and standard error are judged separately: {@code gmptrace stats t | less} has
 * no colours and still shows progress. The JDK only knows whether <em>both</em> standard input and
 * output are a terminal, so on Linux the links below {@code /proc/self/fd} are asked instead.
 */
final class Terminal {
  /** The three answers to {@code --color}. */
  enum ColorMode {
    auto,
    always,
    never;

    private static final String OPTION = "--color";

    /**
     * What a command line asks for, read before it is taken apart: its help and its mistakes are
     * coloured too. What is no answer is left for the parser to complain about.
     */
    static Optional<ColorMode> in(String... args) {
      Optional<ColorMode> asked = Optional.empty();
      for (int i = 0; i < args.length && !args[i].equals("--"); i++) {
        String word = "";
        if (args[i].startsWith(OPTION + "=")) {
          word = args[i].substring(OPTION.length() + 1);
        } else if (args[i].equals(OPTION) && i + 1 < args.length) {
          word = args[i + 1];
        }
        for (ColorMode mode : values()) {
          if (mode.name().equalsIgnoreCase(word)) {
            asked = Optional.of(mode);
          }
        }
      }
      return asked;
    }
  }

  private final StandardOutput out;
  private final PrintStream err;
  private final boolean outIsTerminal;
  private final boolean errIsTerminal;
  private final Map<String, String> env;
  private boolean ownStreams;
  private ColorMode colorMode = ColorMode.auto;
  private volatile @Nullable ProgressLine progress;

  Terminal(
      OutputStream out,
      OutputStream err,
      boolean outIsTerminal,
      boolean errIsTerminal,
      Map<String, String> env) {
    this.out = new StandardOutput(out, this::beforeOutput);
    this.err = new PrintStream(err, true, StandardCharsets.UTF_8);
    this.outIsTerminal = outIsTerminal;
    this.errIsTerminal = errIsTerminal;
    this.env = Map.copyOf(env);
  }

  /** The process's own streams. */
  static Terminal ofProcess() {
    var terminal =
        new Terminal(
            new FileOutputStream(FileDescriptor.out),
            new FileOutputStream(FileDescriptor.err),
            isTerminal(1),
            isTerminal(2),
            System.getenv());
    terminal.ownStreams = true;
    return terminal;
  }

  @SuppressWarnings("SystemConsoleNull")
  private static boolean isTerminal(int fd) {
    Path link = Path.of("/proc/self/fd/" + fd);
    try {
      String target = Files.readSymbolicLink(link).toString();
      return target.startsWith("/dev/pts/")
          || target.startsWith("/dev/tty")
          || target.equals("/dev/console");
    } catch (IOException | UnsupportedOperationException | SecurityException e) {
      // Null here when not interactive, whatever JDK 22's notes say: the default provider changed.
      Console console = System.console();
      return console != null && console.isTerminal();
    }
  }

  /** Whether these are the process's own streams, which a child can inherit. */
  boolean ownStreams() {
    return ownStreams;
  }

  StandardOutput out() {
    return out;
  }

  PrintStream err() {
    return err;
  }

  /** An environment variable, or the empty string. */
  String env(String name) {
    return env.getOrDefault(name, "");
  }

  Map<String, String> env() {
    return env;
  }

  void colorMode(ColorMode mode) {
    colorMode = mode;
  }

  /** From now on this line gives way to what is printed; the one before it ends. */
  void progress(ProgressLine line) {
    endProgress();
    progress = line;
  }

  /** The command is done. */
  void endProgress() {
    ProgressLine line = progress;
    if (line != null) {
      line.close();
      progress = null;
    }
  }

  private void beforeOutput() {
    ProgressLine line = progress;
    if (line != null && outIsTerminal) {
      line.giveWay();
    }
  }

  /** Whether a line on the terminal would be a line of its own. */
  boolean atLineStart() {
    return !outIsTerminal || out.atLineStart();
  }

  boolean outIsTerminal() {
    return outIsTerminal;
  }

  boolean errIsTerminal() {
    return errIsTerminal;
  }

  boolean colorsOut() {
    return colors(outIsTerminal);
  }

  boolean colorsErr() {
    return colors(errIsTerminal);
  }

  private boolean colors(boolean terminal) {
    return switch (colorMode) {
      case always -> true;
      case never -> false;
      // https://no-color.org: present and not empty, whatever the value.
      case auto ->
          terminal
              && env("NO_COLOR").isEmpty()
              && !env("TERM").toLowerCase(Locale.ROOT).equals("dumb");
    };
  }

  /** One line on standard error, for errors and warnings. */
  void complain(String kind, String message) {
    ProgressLine line = progress;
    if (line != null) {
      line.clear();
    }
    String oneLine = message.strip().replaceAll("\\s*\\R\\s*", "; ");
    String label = colorsErr() ? "\u001b[1;31m" + kind + "\u001b[0m" : kind;
    err.println(label + ": " + oneLine);
  }
}
