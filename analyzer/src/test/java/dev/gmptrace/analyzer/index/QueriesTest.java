package dev.gmptrace.analyzer.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gmptrace.analyzer.index.ArrowPage.Arrow;
import dev.gmptrace.analyzer.index.ArrowPage.ArrowKind;
import dev.gmptrace.analyzer.index.ArrowPage.ArrowSide;
import dev.gmptrace.analyzer.index.EventPage.EventFilter;
import dev.gmptrace.analyzer.index.Hit.HitKind;
import dev.gmptrace.analyzer.index.SpanDetail.CauseKind;
import dev.gmptrace.analyzer.model.PointKind;
import dev.gmptrace.analyzer.model.SpanState;
import dev.gmptrace.analyzer.read.Scenario;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** One small run, asked in every way. */
class QueriesTest {
  private static final EnumSet<ArrowKind> ARROWS = EnumSet.allOf(ArrowKind.class);

  /** G1 on P0 creates G2, which runs on P1, waits, is woken by G1 and runs again. */
  private final Trace trace =
      Trace.of(
          Scenario.withProcs(2)
              .procStart(1, 0)
              .create(-1, 1, "main.main")
              .start(1, 1)
              .sleep(1000)
              .create(1, 2, "main.worker")
              .procStart(2, 1)
              .steal(2, 0, 1)
              .start(2, 2)
              .sleep(1000)
              .block(2, "chan receive")
              .sleep(5000)
              .unblock(1, 2)
              .sleep(300)
              .start(2, 2)
              .sleep(1000)
              .syscall(2)
              .sleep(50_000)
              .procSteal(3, 2)
              .sleep(1000)
              .syscallEndBlocked(2)
              .procStart(2, 1)
              .start(2, 2)
              .sleep(1000)
              .end(2)
              .sleep(1000)
              .end(1),
          Progress.NONE);

  private final TraceIndex index = trace.index();

  private SpanDetail span(LaneId lane, SpanState state, int nth) {
    LaneInfo info = index.lane(lane);
    assertNotNull(info);
    long t = info.firstNs();
    for (int n = 0; t < info.lastNs(); ) {
      SpanDetail d = index.span(lane, t);
      if (d == null) {
        t++;
        continue;
      }
      if (d.state() == state && n++ == nth) {
        return d;
      }
      t = d.end();
    }
    throw new AssertionError("no " + state + " in " + lane);
  }

  @Test
  void aWaitNamesItsReasonAndARunItsWaker() {
    SpanDetail wait = span(LaneId.g(2), SpanState.WAIT_SYNC, 0);
    assertEquals("chan receive", wait.reason());
    assertEquals("Blocked: chan receive.", wait.why());
    assertEquals("Woken by G1 main.main.", wait.whyEnded());
    assertEquals("main.wait", wait.startStack().get(0).function());
    SpanDetail run = span(LaneId.g(2), SpanState.RUNNING, 1);
    assertNotNull(run.cause());
    assertEquals(CauseKind.WOKEN, run.cause().kind());
    assertEquals(1, run.cause().byG());
    assertEquals(wait.end(), run.cause().atNs());
    assertEquals(1, run.p());
    assertEquals(2, run.m());
    assertTrue(run.why().startsWith("Started on P1 (M2) after being runnable for 30"), run.why());
    SpanDetail first = span(LaneId.g(2), SpanState.RUNNING, 0);
    assertNotNull(first.cause());
    assertEquals(CauseKind.CREATED, first.cause().kind());
  }

  @Test
  void aProcessorShowsWhoRanAndTheSystemCallItLost() {
    SpanDetail run = span(LaneId.p(1), SpanState.RUNNING, 0);
    assertEquals(2, run.g());
    assertEquals("main.worker", run.gName());
    SpanDetail call = span(LaneId.p(1), SpanState.SYSCALL, 0);
    assertEquals(2, call.g());
    SpanDetail without = span(LaneId.g(2), SpanState.SYSCALL_NO_P, 0);
    assertEquals(call.end(), without.start());
    assertEquals(-1, without.p());
    assertEquals(2, without.m());
    assertEquals("Its system call ended, and no processor was free.", without.whyEnded());
    LaneState idle = index.stateAt(LaneId.p(1), without.start() + 1);
    assertNotNull(idle);
    assertEquals(SpanState.IDLE, idle.state());
  }

  @Test
  void arrowsLeadFromCauseToEffect() {
    List<Arrow> arrows = index.arrows(0, trace.info().durationNs(), null, ARROWS, 100).arrows();
    Arrow wake = arrows.stream().filter(a -> a.kind() == ArrowKind.WAKE).findFirst().orElseThrow();
    assertEquals(1, wake.fromG());
    assertEquals(0, wake.fromP());
    assertEquals(2, wake.toG());
    assertEquals(1, wake.toP());
    assertEquals("chan receive", wake.text());
    assertEquals(span(LaneId.g(2), SpanState.RUNNING, 1).start(), wake.toNs());
    assertTrue(arrows.stream().anyMatch(a -> a.kind() == ArrowKind.STEAL && a.fromP() == 0));
    assertTrue(arrows.stream().anyMatch(a -> a.kind() == ArrowKind.HANDOFF && a.fromM() == 2));
    assertTrue(arrows.stream().anyMatch(a -> a.kind() == ArrowKind.CREATE && a.toG() == 2));
    assertTrue(index.arrows(0, Long.MAX_VALUE, null, ARROWS, 1).truncated());
    assertTrue(index.arrows(0, Long.MAX_VALUE, LaneId.g(77), ARROWS, 9).arrows().isEmpty());
  }

  @Test
  void aStealLeadsToWhoRanAndAHandOffToTheNextThread() {
    List<Arrow> arrows = index.arrows(0, trace.info().durationNs(), null, ARROWS, 100).arrows();
    Arrow steal =
        arrows.stream().filter(a -> a.kind() == ArrowKind.STEAL).findFirst().orElseThrow();
    assertEquals(2, steal.toG());
    assertEquals(span(LaneId.g(2), SpanState.RUNNING, 0).start(), steal.toNs());
    assertTrue(steal.fromNs() <= steal.toNs());
    List<Arrow> reaching =
        index.arrows(steal.toNs(), steal.toNs() + 1, LaneId.g(2), ArrowSide.TO, ARROWS, 9).arrows();
    assertTrue(reaching.contains(steal), "it is found from the block that was stolen");
    for (Arrow a : arrows) {
      assertTrue(a.kind() != ArrowKind.HANDOFF || a.fromP() == a.toP(), a::toString);
      assertTrue(a.kind() != ArrowKind.HANDOFF || a.fromM() != a.toM(), a::toString);
    }
  }

  @Test
  void arrowsOfALaneAreCountedBeyondTheLimitAndBySide() {
    ArrowPage all = index.arrows(0, Long.MAX_VALUE, LaneId.g(2), ARROWS, 100);
    assertEquals(all.arrows().size(), all.total());
    ArrowPage one = index.arrows(0, Long.MAX_VALUE, LaneId.g(2), ARROWS, 1);
    assertEquals(1, one.arrows().size());
    assertEquals(all.total(), one.total());
    assertTrue(one.truncated());
    List<Arrow> from =
        index.arrows(0, Long.MAX_VALUE, LaneId.g(2), ArrowSide.FROM, ARROWS, 100).arrows();
    List<Arrow> to =
        index.arrows(0, Long.MAX_VALUE, LaneId.g(2), ArrowSide.TO, ARROWS, 100).arrows();
    assertTrue(from.stream().allMatch(a -> a.fromG() == 2));
    assertTrue(to.stream().allMatch(a -> a.toG() == 2));
    assertEquals(all.total(), from.size() + to.size());
  }

  @Test
  void systemCallsArePoints() {
    PointTile calls =
        index.points(Set.of(PointKind.SYSCALL), 0, trace.info().durationNs() + 1, 10, 100);
    assertEquals(calls.total(), calls.exact().size());
    PointTile.Point call = calls.exact().get(0);
    SpanDetail with = span(LaneId.g(2), SpanState.SYSCALL, 0);
    SpanDetail without = span(LaneId.g(2), SpanState.SYSCALL_NO_P, 0);
    assertEquals(2, call.g());
    assertEquals(with.start(), call.ns());
    assertEquals(without.end() - with.start(), call.a());
    assertEquals(
        0, index.points(Set.of(PointKind.SYSCALL), call.ns() + 1, call.ns() + 2, 1, 9).total());
  }

  @Test
  void utilisationIsTheShareInWhichAGoroutineRanEverywhere() {
    long end = trace.info().durationNs();
    Selection all = index.select(0, end, GoroutineFilter.all());
    for (Selection.ProcSlice p : all.procs()) {
      LaneInfo lane = index.lane(LaneId.p(p.p()));
      assertNotNull(lane);
      assertEquals(p.utilisation(), (double) lane.runningNs() / end, 1e-9);
    }
    Utilisation heat = index.heatmap(1);
    assertEquals(Math.round(255 * all.utilisation()), heat.total()[0] & 0xff);
  }

  @Test
  void searchFindsIdsFunctionsAndReasons() {
    assertEquals(HitKind.GOROUTINE, index.search("2", 5).get(0).kind());
    assertEquals(LaneId.p(1), index.search("p1", 5).get(0).lane());
    Hit f = index.search("WORKER", 5).get(0);
    assertEquals("main.worker", f.title());
    assertEquals(LaneId.g(2), f.lane());
    Hit r = index.search("chan", 5).get(0);
    assertEquals(HitKind.REASON, r.kind());
    assertEquals(span(LaneId.g(2), SpanState.WAIT_SYNC, 0).start(), r.ns());
    assertTrue(index.search("", 5).isEmpty());
  }

  @Test
  void eventsPageAndFilter() {
    EventPage page = index.events(EventFilter.ALL, TimeWindow.ALL, null, 5);
    assertTrue(page.more());
    assertEquals(5, page.rows().size());
    EventFilter woken = new EventFilter(2, -1, -1, "", "WOKEN");
    EventPage g2 = index.events(woken, TimeWindow.ALL, null, 50);
    assertEquals(1, g2.rows().size());
    assertTrue(g2.rows().get(0).text().contains("Woken by G1"));
  }

  @Test
  void selectionCountsWhatIsInside() {
    Selection s = index.select(0, Long.MAX_VALUE, GoroutineFilter.all());
    assertEquals(2, s.created());
    assertEquals(2, s.ended());
    assertEquals(1, s.syscalls());
    assertEquals(1, s.steals());
    assertEquals(1, s.wakes());
    assertEquals(4, s.schedLatency().count());
    Selection none = index.select(0, 1, GoroutineFilter.all());
    assertEquals(0, none.created());
    assertEquals(
        1, index.points(EnumSet.of(PointKind.STEAL), 0, Long.MAX_VALUE, 10, 10).exact().size());
  }

  @Test
  void whatIsNotThereIsAnsweredWithNothing() {
    assertNull(index.lane(LaneId.g(99)));
    assertNull(index.span(LaneId.g(99), 0));
    assertNull(index.stateAt(LaneId.m(99), 0));
    assertEquals(0, index.query(LaneId.g(99), 0, 100, 10).size());
    assertEquals(0, index.counter("no such counter", 0, 100, 3).max()[1]);
    assertThrows(IllegalArgumentException.class, () -> LaneId.parse("x:1"));
    assertEquals(LaneId.g(17), LaneId.parse("g:17"));
    assertEquals("g:17", LaneId.g(17).toString());
  }
}
