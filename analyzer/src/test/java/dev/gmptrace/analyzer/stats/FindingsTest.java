package dev.gmptrace.analyzer.stats;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gmptrace.analyzer.index.GoldenTraces;
import dev.gmptrace.analyzer.index.Progress;
import dev.gmptrace.analyzer.index.Trace;
import dev.gmptrace.analyzer.read.Scenario;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** For every rule a trace where it fires and its twin where it must not. */
class FindingsTest {
  private static final long MS = 1_000_000;

  private static Set<String> rules(Scenario s) {
    return Findings.of(Trace.of(s, Progress.NONE)).findings().stream()
        .map(Findings.Finding::rule)
        .collect(Collectors.toSet());
  }

  private static Scenario one() {
    return Scenario.withProcs(1).procStart(1, 0);
  }

  private static Scenario greedy(boolean others) {
    return greedy(others, 50 * MS);
  }

  private static Scenario greedy(boolean others, long run) {
    Scenario s = one().create(1, 1).start(1, 1);
    if (others) {
      s.create(1, 2);
    }
    return s.sleep(run).end(1);
  }

  private static Scenario idle(long delay) {
    return Scenario.withProcs(2)
        .procStart(2, 1)
        .procStop(2)
        .procStart(1, 0)
        .create(1, 1)
        .start(1, 1)
        .create(1, 2)
        .sleep(delay)
        .procStart(2, 1)
        .start(2, 2)
        .sleep(5 * MS)
        .end(2)
        .end(1);
  }

  private static Scenario latency(long delay) {
    Scenario s = one();
    for (int g = 1; g <= 30; g++) {
      s.create(1, g).sleep(delay).start(1, g).end(1);
    }
    return s;
  }

  private static Scenario syscall(boolean taken) {
    Scenario s = one().create(1, 1).start(1, 1).create(1, 2).syscall(1);
    if (taken) {
      s.sleep(20_000).procSteal(9, 1).procStart(2, 0).start(2, 2).sleep(20 * MS);
      return s.end(2).syscallEndBlocked(1);
    }
    return s.sleep(20 * MS).syscallEnd(1);
  }

  private static Scenario convoy(String reason) {
    Scenario s = one();
    for (int g = 1; g <= 5; g++) {
      s.create(1, g).start(1, g).block(1, reason);
    }
    for (int i = 0; i < 100; i++) {
      int g = 1 + i % 5;
      s.sleep(MS).unblock(1, g).start(1, g).block(1, reason);
    }
    return s;
  }

  private static Scenario leak(boolean ends) {
    Scenario s = one();
    for (int g = 1; g <= 20; g++) {
      s.create(1, g).start(1, g);
      if (ends) {
        s.end(1);
      } else {
        s.block(1, "chan receive");
      }
    }
    return s.sleep(100 * MS).create(1, 99);
  }

  private static Scenario globalQueue(long wait) {
    return one().globalPut(1, 3).sleep(wait).globalGet(1, 3);
  }

  /** The taking of what was put is among the lost events. */
  private static Scenario globalQueueLost() {
    return one().globalPut(1, 3).sleep(MS).lost(-1, 9, 10).sleep(100 * MS).globalGet(1, 3);
  }

  private static Scenario steals(int n) {
    Scenario s = Scenario.withProcs(2).procStart(1, 0).procStart(2, 1);
    for (int i = 1; i <= 1_500; i++) {
      s.create(1, i);
      if (i <= n) {
        s.steal(2, 0, 1);
      }
      s.start(2, i).end(2);
    }
    return s;
  }

  private static Scenario timers(long late) {
    Scenario s = one().create(1, 1);
    for (int i = 0; i < 20; i++) {
      s.timer(1, 1, late).sleep(MS);
    }
    return s;
  }

  private static Scenario gc(long collecting) {
    return one()
        .rangeBegin(1, "GC concurrent mark phase")
        .sleep(collecting)
        .rangeEnd(1, "GC concurrent mark phase")
        .sleep(100 * MS)
        .create(1, 1);
  }

  /** The world stopped for a while, by the JVM or, to change GOMAXPROCS, by a thread. */
  private static Scenario stops(long m, String why, long stopped) {
    Scenario s = one().sleep(40 * MS).stopTheWorld(m, why).sleep(stopped);
    return s.startTheWorld(m, why).sleep(40 * MS).create(1, 1);
  }

  /** Two processors of four are taken away, one of them idle, while others wait to run. */
  private static Scenario fewerProcs(int after) {
    Scenario s = Scenario.withProcs(4).procStart(3, 2).procStop(3).procStart(4, 3).procStop(4);
    s.procStart(2, 1).procStart(1, 0).gomaxprocs(after);
    s.create(1, 1).start(1, 1).create(1, 2).start(2, 2).create(1, 3);
    return s.sleep(5 * MS).end(2).start(2, 3).sleep(MS).end(1).end(2);
  }

  private static Scenario threads(int n) {
    Scenario s = Scenario.withProcs(2);
    for (int m = 1; m <= n; m++) {
      s.procStart(m, 0).procStop(m);
    }
    return s;
  }

  private static Scenario lost(boolean any) {
    Scenario s = one().create(1, 1).start(1, 1);
    return any ? s.lost(1, 100, 10) : s;
  }

  static Stream<Arguments> pairs() {
    return Stream.of(
        Arguments.of("greedy-goroutine", greedy(true), greedy(false)),
        Arguments.of("idle-processors", idle(5 * MS), idle(10_000)),
        Arguments.of("sched-latency", latency(20 * MS), latency(1_000)),
        Arguments.of("long-syscall", syscall(false), syscall(true)),
        Arguments.of("lock-convoy", convoy("sync.Mutex.Lock"), convoy("chan receive")),
        Arguments.of("goroutine-leak", leak(false), leak(true)),
        Arguments.of("starved-global-queue", globalQueue(100 * MS), globalQueue(MS)),
        Arguments.of("steal-storm", steals(1_200), steals(500)),
        Arguments.of("timer-drift", timers(10 * MS), timers(10_000)),
        Arguments.of("gc-pressure", gc(60 * MS), gc(MS)),
        Arguments.of(
            "gc-pressure",
            stops(-1, "stop-the-world (G1 Evacuation Pause)", 5 * MS),
            stops(-1, "stop-the-world (G1 Evacuation Pause)", MS)),
        Arguments.of(
            "gc-pressure",
            stops(-1, "stop-the-world (G1 Evacuation Pause)", 5 * MS),
            stops(1, "stop-the-world (GOMAXPROCS)", 5 * MS)),
        Arguments.of("idle-processors", fewerProcs(4), fewerProcs(2)),
        // Just above the threshold, and just below.
        Arguments.of("greedy-goroutine", greedy(true, 20_100_000), greedy(true, 19_900_000)),
        Arguments.of("idle-processors", idle(1_100_000), idle(900_000)),
        Arguments.of("sched-latency", latency(10_200_000), latency(9_800_000)),
        Arguments.of("starved-global-queue", globalQueue(50_100_000), globalQueue(49_900_000)),
        Arguments.of("steal-storm", steals(1_000), steals(999)),
        Arguments.of("timer-drift", timers(5_100_000), timers(4_900_000)),
        Arguments.of("gc-pressure", gc(34 * MS), gc(33 * MS)),
        Arguments.of("too-many-threads", threads(32), threads(31)),
        // What is lost is no evidence.
        Arguments.of("starved-global-queue", globalQueue(100 * MS), globalQueueLost()),
        Arguments.of("too-many-threads", threads(40), threads(5)),
        Arguments.of("events-lost", lost(true), lost(false)));
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void firesOnItsTraceAndNotOnTheTwin(String rule, Scenario fires, Scenario twin) {
    assertTrue(rules(fires).contains(rule), rule + " is silent");
    assertFalse(rules(twin).contains(rule), rule + " fires on the twin");
  }

  @Test
  void everyRuleIsTestedAndDocumented() throws IOException {
    List<String> known = Findings.of(Trace.of(one(), Progress.NONE)).rulesChecked();
    assertEquals(Set.copyOf(known), pairs().map(a -> a.get()[0]).collect(Collectors.toSet()));
    String doc = Files.readString(Path.of("../docs/FINDINGS.md"));
    for (String rule : known) {
      assertTrue(doc.contains("## " + rule), rule + " is not in docs/FINDINGS.md");
    }
  }

  @Test
  void goTracesHaveTheFindingsTheyWereMadeFor() {
    assertTrue(found("leak-go1.22", "goroutine-leak"));
    assertTrue(found("gc-go1.25", "gc-pressure"));
    assertTrue(found("cpu-go1.26", "greedy-goroutine"));
    assertTrue(found("web-go1.27", "lock-convoy"));
    assertTrue(Findings.of(GoldenTraces.open("idle-go1.26")).findings().isEmpty());
  }

  private static boolean found(String trace, String rule) {
    return Findings.of(GoldenTraces.open(trace)).findings().stream()
        .anyMatch(f -> f.rule().equals(rule) && f.to() >= f.from() && !f.sentence().isEmpty());
  }

  @Test
  void lostEventsMakeTimeUnknownAndSayWhy() {
    Scenario s = one().create(1, 1).start(1, 1).sleep(MS).lost(1, 100, 10).sleep(MS).create(1, 2);
    Trace t = Trace.of(s, Progress.NONE);
    var span =
        t.index().span(dev.gmptrace.analyzer.index.LaneId.g(1), t.info().durationNs() - 1000);
    assertTrue(span != null && span.unknownWhy().contains("lost"), String.valueOf(span));
    assertEquals(100, t.info().eventsLost());
  }
}
