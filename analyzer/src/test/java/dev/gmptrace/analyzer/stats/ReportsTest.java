package dev.gmptrace.analyzer.stats;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gmptrace.analyzer.index.GoldenTraces;
import dev.gmptrace.analyzer.index.GoroutineFilter;
import dev.gmptrace.analyzer.index.LaneId;
import dev.gmptrace.analyzer.index.LaneInfo;
import dev.gmptrace.analyzer.index.LaneKind;
import dev.gmptrace.analyzer.index.Progress;
import dev.gmptrace.analyzer.index.SpanDetail;
import dev.gmptrace.analyzer.index.TimeWindow;
import dev.gmptrace.analyzer.index.Trace;
import dev.gmptrace.analyzer.model.SpanState;
import dev.gmptrace.analyzer.read.Scenario;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ReportsTest {
  static List<String> traces() {
    return GoldenTraces.go();
  }

  @Test
  void aHandOffIsCountedOnceWhetherItsReasonIsTraced() {
    Scenario s = Scenario.withProcs(2).procStart(1, 0).create(1, 1).start(1, 1).syscall(1);
    Stats said = Stats.of(Trace.of(s.handOff(9, 1).sleep(10).syscallEndBlocked(1), Progress.NONE));
    assertEquals(1, said.handoffs());
    assertEquals(1, said.syscallsLostP());
    // Go's traces only show that it was taken.
    Stats go = Stats.of(GoldenTraces.open("web-go1.27"));
    assertEquals(3, go.handoffs());
    assertEquals(3, go.syscallsLostP());
  }

  @Test
  void processorsThatAreTakenAwayAreNoRoomLeftUnused() {
    // Two of two processors busy for a millisecond, then one of one for another.
    Scenario s = Scenario.withProcs(2).procStart(1, 0).create(1, 1).start(1, 1);
    s.procStart(2, 1).create(2, 2).start(2, 2).sleep(1_000_000).end(2).procStop(2).gomaxprocs(1);
    Trace t = Trace.of(s.sleep(1_000_000).end(1), Progress.NONE);
    assertEquals(1, Stats.of(t).utilisation(), 1e-3);
    assertEquals(255, t.index().heatmap(4).total()[3] & 255, 1);
    SpanDetail gone = t.index().span(LaneId.p(1), 1_500_000);
    assertTrue(gone == null || gone.state() == SpanState.NONE, String.valueOf(gone));
  }

  @ParameterizedTest
  @MethodSource("traces")
  void groupsAddUpToTheWholeTrace(String name) {
    Trace trace = GoldenTraces.open(name);
    long running = 0;
    for (LaneInfo lane : trace.index().lanes(LaneKind.GOROUTINE)) {
      running += trace.index().durations(lane.id(), 0, Long.MAX_VALUE)[SpanState.RUNNING.code()];
    }
    GoroutineReport report = GoroutineReport.of(trace, GoroutineFilter.all());
    long groups = 0;
    int count = 0;
    for (GoroutineReport.Group g : report.groups()) {
      GoroutineReport.Dimension d = g.dimension("execution");
      groups += d == null ? 0 : d.total();
      count += g.count();
    }
    assertEquals(running, groups);
    assertEquals(trace.index().lanes(LaneKind.GOROUTINE).size(), count);
    Stats stats = Stats.of(trace);
    assertEquals(
        running, stats.procs().stream().mapToLong(Stats.ProcStat::runningNs).sum(), "processors");
    assertEquals(running, stats.goroutineTimeByState()[SpanState.RUNNING.code()]);
  }

  @ParameterizedTest
  @MethodSource("traces")
  void everyRowAddsUpToItsLife(String name) {
    Trace trace = GoldenTraces.open(name);
    for (GoroutineReport.Row r : GoroutineReport.rows(trace, GoroutineFilter.all())) {
      // Go reuses the id of a goroutine that a C thread was: it may be away in between.
      long away = trace.index().durations(LaneId.g(r.id()), 0, Long.MAX_VALUE)[0];
      assertEquals(
          r.end() - r.start() - away,
          r.executionNs() + r.runnableNs() + r.syscallNs() + r.waitingNs() + r.unknownNs(),
          r.toString());
    }
  }

  @Test
  void tasksAndRegionsOfTheWebServer() {
    Trace trace = GoldenTraces.open("web-go1.27");
    TaskReport tasks = TaskReport.of(trace);
    assertEquals(1, tasks.types().size(), tasks.types().toString());
    TaskReport.Type type = tasks.types().get(0);
    assertEquals(tasks.tasks().size(), type.count());
    assertTrue(type.latency().p50() > 0 && type.latency().p50() <= type.latency().max());
    assertTrue(tasks.tasks().stream().anyMatch(t -> !t.logs().isEmpty()));
    assertTrue(tasks.tasks().stream().anyMatch(t -> !t.regions().isEmpty()));
    RegionReport regions = RegionReport.of(trace);
    assertTrue(regions.types().stream().mapToLong(RegionReport.Type::count).sum() > 0);
  }

  @Test
  void typesCountTheTasksAndRegionsOfTheWindow() {
    Trace trace = GoldenTraces.open("web-go1.27");
    TimeWindow part = new TimeWindow(10_000_000, 20_000_000);
    List<TaskReport.Task> tasks =
        TaskReport.of(trace).tasks().stream()
            .filter(t -> part.touches(t.start(), t.end()))
            .toList();
    assertTrue(!tasks.isEmpty() && tasks.size() < TaskReport.of(trace).tasks().size());
    TaskReport inPart =
        TaskReport.of(
            trace, new TaskReport.Filter("", 0, Long.MAX_VALUE, "", part, Integer.MAX_VALUE));
    assertEquals(tasks, inPart.tasks());
    assertEquals(tasks.size(), inPart.types().get(0).count());
    List<RegionReport.Region> regions =
        RegionReport.of(trace).regions().stream()
            .filter(r -> part.touches(r.start(), r.end()))
            .toList();
    RegionReport regionsInPart =
        RegionReport.of(
            trace, new RegionReport.Filter("", 0, Long.MAX_VALUE, part, Integer.MAX_VALUE));
    assertEquals(regions, regionsInPart.regions());
    assertEquals(
        regions.size(), regionsInPart.types().stream().mapToLong(RegionReport.Type::count).sum());
  }

  @Test
  void whatTakesNoTimeIsInTheWindowItHappenedIn() {
    TimeWindow part = new TimeWindow(10, 20);
    assertTrue(part.touches(10, 10) && part.touches(5, 11) && part.touches(19, 30));
    assertFalse(part.touches(20, 20) || part.touches(5, 10) || part.touches(5, 5));
  }

  /** Cut anywhere, the parts of a goroutine's life add up to the whole. */
  @ParameterizedTest
  @MethodSource("traces")
  void windowsOfAGoroutineAddUp(String name) {
    Trace trace = GoldenTraces.open(name);
    long cut = trace.info().durationNs() / 3;
    for (GoroutineReport.Row r : GoroutineReport.rows(trace, GoroutineFilter.all())) {
      GoroutineReport.Detail a = GoroutineReport.goroutine(trace, r.id(), new TimeWindow(0, cut));
      GoroutineReport.Detail b =
          GoroutineReport.goroutine(trace, r.id(), new TimeWindow(cut, Long.MAX_VALUE));
      assertNotNull(a);
      assertNotNull(b);
      assertEquals(r.executionNs(), a.row().executionNs() + b.row().executionNs());
      assertEquals(r.waitingNs(), a.row().waitingNs() + b.row().waitingNs());
      assertEquals(r.runnableNs(), a.schedLatency().total() + b.schedLatency().total());
    }
  }

  @Test
  void oneGoroutineInDetail() {
    Trace trace = GoldenTraces.open("fanout-go1.22");
    GoroutineReport.Detail d = GoroutineReport.goroutine(trace, 1);
    assertNotNull(d);
    assertEquals("main.main", d.row().name());
    assertTrue(d.childCount() > 100);
    assertNull(GoroutineReport.goroutine(trace, 123_456));
  }

  @Test
  void filtersChooseByFunctionIdStateAndReason() {
    Trace trace = GoldenTraces.open("web-go1.27");
    GoroutineFilter all = GoroutineFilter.all();
    int total = trace.index().matching(all).length;
    assertEquals(1, trace.index().matching(all.withIds(1)).length);
    assertEquals(1, trace.index().matching(all.withGroup("main.main")).length);
    int net = trace.index().matching(all.withReason("network")).length;
    assertTrue(net > 0 && net < total);
    assertEquals(0, trace.index().matching(all.withReason("no such reason")).length);
    int text = trace.index().matching(all.withText("NET/HTTP")).length;
    assertTrue(text > 0 && text < total);
  }
}
