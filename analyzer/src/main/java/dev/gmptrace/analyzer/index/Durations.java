package dev.gmptrace.analyzer.index;

import java.util.Locale;

/** Durations for people: three significant digits and a unit. */
public final class Durations {
  private Durations() {}

  /** For instance {@code 1.50ms}. */
  public static String text(long ns) {
    if (ns < 0) {
      return "-" + text(-ns);
    }
    if (ns < 1_000) {
      return ns + "ns";
    }
    if (ns < 1_000_000) {
      return scaled(ns / 1e3, "µs");
    }
    if (ns < 1_000_000_000) {
      return scaled(ns / 1e6, "ms");
    }
    return scaled(ns / 1e9, "s");
  }

  private static String scaled(double v, String unit) {
    int digits = v < 9.995 ? 2 : v < 99.95 ? 1 : 0;
    return String.format(Locale.ROOT, "%." + digits + "f%s", v, unit);
  }
}
