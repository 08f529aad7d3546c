package dev.gmptrace.cli;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations, sizes and counts as people write and read them. */
final class Units {
  private static final Pattern PART =
      Pattern.compile("(\\d+(?:\\.\\d*)?|\\.\\d+)(ns|us|µs|ms|s|m|h)");

  private Units() {}

  /**
   * Nanoseconds of a duration written as Go writes it: {@code 10ms}, {@code 1.5s}, {@code 1m30s},
   * or a bare 0.
   *
   * @throws CliException (usage) that names option and value
   */
  static long parseDuration(String option, String text) {
    if (text.equals("0")) {
      return 0;
    }
    Matcher m = PART.matcher(text);
    double sum = 0;
    int at = 0;
    while (at < text.length() && m.find(at) && m.start() == at) {
      sum += Double.parseDouble(m.group(1)) * nanosOf(m.group(2));
      at = m.end();
    }
    if (at == 0 || at < text.length()) {
      throw CliException.usage(
          option + ": '" + text + "' is not a duration; write 10ms, 1.5s, 200us or 1m30s");
    }
    if (sum > 9e18) {
      throw CliException.usage(option + ": '" + text + "' is too long");
    }
    return Math.round(sum);
  }

  private static double nanosOf(String unit) {
    return switch (unit) {
      case "ns" -> 1;
      case "us", "µs" -> 1e3;
      case "ms" -> 1e6;
      case "s" -> 1e9;
      case "m" -> 60e9;
      default -> 3600e9;
    };
  }

  /** A duration with three or four digits: {@code 812ns}, {@code 1.25ms}, {@code 3.2s}. */
  static String duration(long duration) {
    double nanos = duration;
    double a = Math.abs(nanos);
    if (a < 1e3) {
      return Math.round(nanos) + "ns";
    }
    if (a < 999.5e3) {
      return digits(nanos / 1e3) + "µs";
    }
    if (a < 999.5e6) {
      return digits(nanos / 1e6) + "ms";
    }
    if (a < 120e9) {
      return digits(nanos / 1e9) + "s";
    }
    long seconds = Math.round(nanos / 1e9);
    return seconds < 3600
        ? "%dm%02ds".formatted(seconds / 60, seconds % 60)
        : "%dh%02dm%02ds".formatted(seconds / 3600, seconds / 60 % 60, seconds % 60);
  }

  private static String digits(double v) {
    double a = Math.abs(v);
    String format = a < 9.995 ? "%.2f" : a < 99.95 ? "%.1f" : "%.0f";
    return String.format(Locale.ROOT, format, v);
  }

  /** A count with separators: {@code 12 345 678} is hard to paste, so {@code 12,345,678}. */
  static String count(long n) {
    return String.format(Locale.ROOT, "%,d", n);
  }

  /** A count of things, of one of them too: {@code 1 goroutine}, {@code 12 goroutines}. */
  static String count(long n, String thing) {
    return count(n) + " " + thing + (n == 1 ? "" : "s");
  }

  static String percent(double share) {
    return String.format(Locale.ROOT, "%.1f%%", share * 100);
  }

  /** A part of a whole in percent; of nothing, 0. */
  static String share(long part, long whole) {
    return percent(whole == 0 ? 0 : (double) part / whole);
  }

  static String bytes(long bytes) {
    double n = bytes;
    String[] units = {"B", "KiB", "MiB", "GiB", "TiB"};
    int u = 0;
    while (n >= 1024 && u < units.length - 1) {
      n /= 1024;
      u++;
    }
    return u == 0 ? Math.round(n) + " B" : digits(n) + " " + units[u];
  }

  /** Big numbers of events, roughly: {@code 1.3M}. */
  static String rough(long n) {
    return n < 10_000 ? Long.toString(n) : n < 999_500 ? n / 1000 + "k" : digits(n / 1e6) + "M";
  }
}
