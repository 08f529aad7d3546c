package dev.gmptrace.analyzer.stats;

import dev.gmptrace.analyzer.index.Progress;
import dev.gmptrace.analyzer.model.ModelBuilder;
import dev.gmptrace.analyzer.read.ReadResult;
import dev.gmptrace.analyzer.read.TraceReader;
import dev.gmptrace.analyzer.read.TraceWarning;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * The scheduler's contract, checked from outside over a recorded trace: what was checked, how many
 * times, and the first violations with their event numbers.
 *
 * <p>The letters are those of the G-M-P specification: G2 "a running goroutine has a thread and a
 * processor", M7 "the bound on spinning threads", and so on. Go traces do not hold all the facts;
 * what could not be checked says so by a count of 0. Where events were lost, a warning says how
 * much could not be checked.
 */
public record Validation(String file, long events, List<Check> checks, List<String> warnings) {

  /** One rule: how often it was put to the test, and how often it failed. */
  public record Check(
      String id, String what, long checked, long violations, List<Violation> first) {}

  /** One failure: the event's number from 0, its time in nanoseconds since the first, and why. */
  public record Violation(long event, long ns, String text) {}

  /**
   * Reads a trace and checks it.
   *
   * @throws dev.gmptrace.analyzer.read.TraceFormatException when the file is no readable trace
   */
  public static Validation check(Path file) {
    return check(file, Progress.NONE);
  }

  /** As {@link #check(Path)}, telling how far it is. */
  public static Validation check(Path file, Progress progress) {
    try (TraceReader reader = TraceReader.open(file)) {
      return check(reader, progress);
    }
  }

  /** What a reader delivers, checked; it is read to its end, not closed. */
  static Validation check(TraceReader reader, Progress progress) {
    ContractChecker checker = new ContractChecker(reader.info());
    ModelBuilder builder = new ModelBuilder(reader);
    Path file = reader.info().path();
    long size = reader.info().size();
    ReadResult result =
        reader.read(e -> {
          builder.event(e);
          checker.event(e);
          if ((e.number() & 0xffff) == 0xffff) {
            progress.update(
                Progress.Phase.READING, reader.position(), size, e.number() + 1, checker.now());
          }
        });
    result.orRefuse(reader.info());
    checker.finish(result, builder.finish(result));
    progress.update(Progress.Phase.READY, 1, 1, result.events(), result.duration());
    Path name = file.getFileName();
    return new Validation(
        name == null ? file.toString() : name.toString(),
        result.events(),
        checker.checks(),
        Stream.concat(
                result.warnings().stream().map(TraceWarning::toString),
                checker.unchecked().stream())
            .toList());
  }

  /** Whether no rule failed. */
  public boolean ok() {
    return violations() == 0;
  }

  /** How many failures there were in all. */
  public long violations() {
    return checks.stream().mapToLong(Check::violations).sum();
  }

  /** For people: a line a rule, failures beneath it. */
  public String text() {
    List<String> lines = new ArrayList<>();
    for (Check c : checks) {
      String verdict =
          c.violations() > 0
              ? c.violations() + (c.violations() == 1 ? " VIOLATION" : " VIOLATIONS")
              : c.checked() == 0 ? "not in this trace" : "ok";
      lines.add(
          String.format(
              Locale.ROOT, "%-4s %-66s %,12d  %s", c.id(), c.what(), c.checked(), verdict));
      for (Violation v : c.first()) {
        lines.add(
            String.format(
                Locale.ROOT, "       event %,d at %,d ns: %s", v.event(), v.ns(), v.text()));
      }
    }
    for (String w : warnings) {
      lines.add("warning: " + w);
    }
    return String.join("\n", lines) + "\n";
  }
}
