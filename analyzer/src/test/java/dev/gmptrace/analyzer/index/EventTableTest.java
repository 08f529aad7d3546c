package dev.gmptrace.analyzer.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gmptrace.analyzer.index.EventPage.EventFilter;
import dev.gmptrace.analyzer.index.EventPage.EventRow;
import dev.gmptrace.analyzer.read.EventKind;
import dev.gmptrace.analyzer.read.TraceReader;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The event table against the events themselves. */
class EventTableTest {
  private static final int ALL = Integer.MAX_VALUE;

  static List<String> traces() {
    return GoldenTraces.go();
  }

  private static List<EventRow> rows(Trace trace, EventFilter filter) {
    EventPage page = trace.index().events(filter, TimeWindow.ALL, null, ALL);
    assertFalse(page.more());
    return page.rows();
  }

  private static EventFilter kind(String kind) {
    return new EventFilter(-1, -1, -1, kind, "");
  }

  /** All but changes of state, of which the first of a generation only repeat what is known. */
  @ParameterizedTest
  @MethodSource("traces")
  void everyEventHasARow(String name) {
    Map<EventKind, Integer> expected = new EnumMap<>(EventKind.class);
    try (TraceReader reader = TraceReader.open(GoldenTraces.path(name))) {
      reader.read(e -> expected.merge(e.kind(), 1, Integer::sum));
    }
    Trace trace = GoldenTraces.open(name);
    for (EventKind kind : EnumSet.complementOf(EnumSet.of(EventKind.STATE_TRANSITION))) {
      long rows =
          rows(trace, kind(kind.text())).stream().filter(r -> r.kind().equals(kind.text())).count();
      assertEquals(expected.getOrDefault(kind, 0).longValue(), rows, kind.text());
    }
    List<EventRow> all = rows(trace, EventFilter.ALL);
    assertEquals(all.stream().sorted(Comparator.comparingLong(EventRow::ns)).toList(), all);
  }

  @ParameterizedTest
  @MethodSource("traces")
  void pagesTogetherAreTheWholeTableHoweverSmall(String name) {
    Trace trace = GoldenTraces.open(name);
    EventFilter filter = new EventFilter(-1, -1, -1, "transition", "g1");
    List<EventRow> all = rows(trace, filter);
    EventTable table = trace.index().eventTable();
    for (long budget : new long[] {1, 1000, Long.MAX_VALUE}) {
      List<EventRow> paged = new ArrayList<>();
      EventPage page = table.page(filter, TimeWindow.ALL, null, 7, budget);
      paged.addAll(page.rows());
      while (page.more()) {
        assertTrue(page.rows().size() <= 7);
        EventCursor after = EventCursor.parse(page.next().toString());
        page = table.page(filter, TimeWindow.ALL, after, 7, budget);
        paged.addAll(page.rows());
      }
      assertEquals(all, paged);
    }
  }

  @Test
  void aFilterThatNothingPassesStopsAndSaysHowFarItCame() {
    Trace trace = GoldenTraces.open("web-go1.27");
    EventFilter filter = new EventFilter(-1, -1, -1, "", "no event says this");
    EventTable table = trace.index().eventTable();
    EventPage page = table.page(filter, TimeWindow.ALL, null, 10, 500);
    assertTrue(page.more() && page.rows().isEmpty());
    assertTrue(page.untilNs() > 0 && page.untilNs() < trace.info().durationNs());
  }

  @Test
  void kindsAreTheCommandLinesInAnyCaseAndChangesSayToWhat() {
    Trace trace = GoldenTraces.open("gc-go1.25");
    assertFalse(rows(trace, kind("rangebegin")).isEmpty());
    assertEquals(rows(trace, kind("METRIC")), rows(trace, kind("metric")));
    List<EventRow> waits = rows(trace, kind("g waiting"));
    assertFalse(waits.isEmpty());
    assertTrue(waits.stream().allMatch(r -> r.text().contains("→ waiting")));
    assertTrue(TraceIndex.eventKinds().containsAll(List.of("Metric", "TaskEnd", "Steal")));
  }

  @Test
  void aWindowHoldsWhatHappensInside() {
    Trace trace = GoldenTraces.open("gc-go1.25");
    List<EventRow> all = rows(trace, EventFilter.ALL);
    TimeWindow part = new TimeWindow(all.get(40).ns(), all.get(90).ns());
    List<EventRow> inside =
        all.stream().filter(r -> r.ns() >= part.from() && r.ns() < part.to()).toList();
    assertEquals(inside, trace.index().events(EventFilter.ALL, part, null, ALL).rows());
  }

  @Test
  void aPlaceThatIsNoneIsRefused() {
    assertThrows(IllegalArgumentException.class, () -> EventCursor.parse("1-2-3"));
  }
}
