package dev.gmptrace.cli;

/**
 * Ends a command with one line on standard error and an exit code. The message names the thing, the
 * value and, where there is one, the way out; it never spans lines.
 */
final class CliException extends RuntimeException {
  private final int exitCode;

  private CliException(int exitCode, String message) {
    super(message, null, false, false);
    this.exitCode = exitCode;
  }

  /** Wrong usage or unreadable input: exit code 2. */
  static CliException usage(String message) {
    return new CliException(ExitCode.USAGE, message);
  }

  /** The trace or the program has a problem that ends the command: exit code 1. */
  static CliException problem(String message) {
    return new CliException(ExitCode.PROBLEM, message);
  }

  int exitCode() {
    return exitCode;
  }
}
