package dev.gmptrace.cli;

import picocli.CommandLine.Option;

/** {@code --longer}, {@code --shorter} and {@code --top}, for tasks and regions. */
final class LatencyOptions {
  @Option(names = "--longer", paramLabel = "D", description = "Only those that took longer.")
  private String longer = "0";

  @Option(names = "--shorter", paramLabel = "D", description = "Only those that took less.")
  private String shorter = "";

  @Option(names = "--top", paramLabel = "N", description = "How many with --list. Default: 100.")
  private int top = 100;

  long min() {
    return Units.parseDuration("--longer", longer);
  }

  long max() {
    return shorter.isEmpty() ? Long.MAX_VALUE : Units.parseDuration("--shorter", shorter);
  }

  /** How many single ones are wanted; none unless they are listed. */
  int limit(boolean list) {
    if (top < 1) {
      throw CliException.usage("--top: '" + top + "' is not above 0");
    }
    return list ? top : 0;
  }
}
