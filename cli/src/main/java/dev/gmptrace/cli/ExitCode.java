package dev.gmptrace.cli;

/**
 * What a shell script may rely on; {@code docs/CLI.md} is the same table in prose.
 *
 * <p>The line between 1 and 2: with 1 the command did its work and the answer is bad news, with 2
 * there is no answer.
 */
final class ExitCode {
  /** Everything is fine. */
  static final int OK = 0;

  /** The command worked; the trace or the program it ran has a problem. */
  static final int PROBLEM = 1;

  /** Wrong usage, or an input that cannot be read. */
  static final int USAGE = 2;

  /** A defect of gmptrace itself. */
  static final int INTERNAL = 3;

  private ExitCode() {}
}
