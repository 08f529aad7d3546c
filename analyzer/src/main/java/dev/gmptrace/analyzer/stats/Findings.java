package dev.gmptrace.analyzer.stats;

import dev.gmptrace.analyzer.index.LaneId;
import dev.gmptrace.analyzer.index.Trace;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What is wrong, in sentences: every rule of {@code docs/FINDINGS.md} over a trace, worst first. A
 * rule that finds nothing is silent; a rule the trace has no facts for is silent, too.
 */
public record Findings(List<Finding> findings, List<String> rulesChecked) {

  /** How much it matters. */
  public enum Severity {
    /** Worth knowing. */
    INFO,
    /** Costs time. */
    WARNING,
    /** Costs most of the time, or makes the rest of this list doubtful. */
    CRITICAL
  }

  /**
   * One thing that is wrong.
   *
   * @param rule the rule's name in the documentation
   * @param score 0 to 100, for sorting
   * @param sentence what was seen, with numbers
   * @param advice what to try
   * @param evidence the numbers by name
   * @param lane where to look, or null for the whole trace
   * @param from when to look
   * @param to when to look
   */
  public record Finding(
      String rule,
      Severity severity,
      int score,
      String title,
      String sentence,
      String advice,
      Map<String, String> evidence,
      @Nullable LaneId lane,
      long from,
      long to) {}

  private record Rule(String name, Function<Trace, @Nullable Finding> check) {}

  private static final List<Rule> RULES =
      List.of(
          new Rule("greedy-goroutine", RunRules::greedy),
          new Rule("idle-processors", RunRules::idleProcs),
          new Rule("sched-latency", RunRules::latency),
          new Rule("long-syscall", WaitRules::longSyscalls),
          new Rule("lock-convoy", WaitRules::convoy),
          new Rule("goroutine-leak", WaitRules::leak),
          new Rule("starved-global-queue", QueueRules::starvedGlobalQueue),
          new Rule("steal-storm", QueueRules::stealStorm),
          new Rule("timer-drift", QueueRules::timerDrift),
          new Rule("gc-pressure", ResourceRules::gcPressure),
          new Rule("too-many-threads", ResourceRules::threads),
          new Rule("events-lost", ResourceRules::lost));

  /** All rules over a trace. */
  public static Findings of(Trace trace) {
    List<Finding> list = new ArrayList<>();
    for (Rule r : RULES) {
      Finding f = r.check().apply(trace);
      if (f != null) {
        list.add(f);
      }
    }
    list.sort(Comparator.comparingInt(f -> -f.score()));
    return new Findings(list, RULES.stream().map(Rule::name).toList());
  }

  static int score(double share) {
    return Math.clamp(Math.round(100 * share), 1, 100);
  }

  static Severity severity(int score) {
    return score >= 50 ? Severity.CRITICAL : score >= 10 ? Severity.WARNING : Severity.INFO;
  }
}
