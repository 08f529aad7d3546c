package dev.gmptrace.cli.demo;

/** What a workload has to say about itself, one line on standard output. */
final class Report {
  private Report() {}

  static void line(String text) {
    System.out.println(text);
  }
}
