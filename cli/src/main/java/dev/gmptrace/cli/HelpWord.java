package dev.gmptrace.cli;

/**
 * {@code gmptrace help} and {@code gmptrace help view}, which people type as often as the option.
 */
final class HelpWord {
  private HelpWord() {}

  /** The same command line with {@code --help}; a command that is not known stays a mistake. */
  static String[] asOption(String... args) {
    if (args.length == 0 || !args[0].equals("help")) {
      return args;
    }
    if (args.length == 1 || args[1].startsWith("-")) {
      String[] replaced = args.clone();
      replaced[0] = "--help";
      return replaced;
    }
    return Commands.NAMES.contains(args[1])
        ? new String[] {args[1], "--help"}
        : new String[] {args[1]};
  }
}
