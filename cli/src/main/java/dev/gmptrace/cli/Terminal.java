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
    never
  }

  private final StandardOutput out;
  private final PrintStream err;
  private final boolean outIsTerminal;
  private final boolean errIsTerminal;
  private final Map<String, String> env;
  private boolean ownStreams;
  private ColorMode colorMode = ColorMode.auto;

  Terminal(
      OutputStream out,
      OutputStream err,
      boolean outIsTerminal,
      boolean errIsTerminal,
      Map<String, String> env) {
    this.out = new StandardOutput(out);
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
    String oneLine = message.strip().replaceAll("\\s*\\R\\s*", "; ");
    String label = colorsErr() ? "\u001b[1;31m" + kind + "\u001b[0m" : kind;
    err.println(label + ": " + oneLine);
  }
}
