package dev.gmptrace.analyzer.stats;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gmptrace.analyzer.index.GoldenTraces;
import dev.gmptrace.analyzer.index.Progress;
import dev.gmptrace.analyzer.index.Trace;
import dev.gmptrace.analyzer.read.Scenario;
import dev.gmptrace.tracer.schedtrace.SchedSnapshot;
import dev.gmptrace.tracer.schedtrace.SchedSnapshot.GStatus;
import dev.gmptrace.tracer.schedtrace.SchedSnapshot.PStatus;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SchedTimelineTest {
  @Test
  void aMomentIsWhatTheEventsSay() {
    Scenario s =
        Scenario.withProcs(2)
            .procStart(2, 1)
            .procStop(2)
            .procStart(1, 0)
            .create(1, 1)
            .start(1, 1)
            .create(1, 2)
            .block(1, "chan receive")
            .start(1, 2)
            .sleep(5_000_000);
    s.create(1, 3);
    SchedSnapshot snap = SchedTimeline.of(Trace.of(s, Progress.NONE)).at(3_000_000, true);
    assertEquals(3, snap.millis());
    assertEquals(2, snap.gomaxprocs());
    assertEquals(1, snap.idleprocs());
    assertEquals(PStatus.RUNNING, snap.procs().get(0).status());
    assertEquals(1, snap.procs().get(0).m());
    assertEquals(2, snap.procs().get(0).schedtick());
    assertEquals(PStatus.IDLE, snap.procs().get(1).status());
    assertEquals(SchedSnapshot.NONE, snap.procs().get(1).m());
    SchedSnapshot.Detail d = snap.detail();
    assertNotNull(d);
    assertEquals(2, d.goroutines().size());
    assertEquals(GStatus.WAITING, d.goroutines().get(0).status());
    assertEquals("chan receive", d.goroutines().get(0).waitReason());
    assertEquals(GStatus.RUNNING, d.goroutines().get(1).status());
    assertEquals(1, d.goroutines().get(1).m());
  }

  @Test
  void momentsOneByOneAndAllAtOnceAgree() {
    Trace trace = GoldenTraces.open("web-go1.27");
    SchedTimeline t = SchedTimeline.of(trace);
    List<SchedSnapshot> all = new ArrayList<>();
    t.every(10_000_000, 0, Long.MAX_VALUE, false).forEach(all::add);
    assertEquals(trace.info().durationNs() / 10_000_000 + 1, all.size());
    for (int i = 0; i < all.size(); i++) {
      assertEquals(t.at(i * 10_000_000L, false), all.get(i));
      assertTrue(all.get(i).idleprocs() <= all.get(i).gomaxprocs());
    }
    assertThrows(IllegalArgumentException.class, () -> t.every(0, 0, 1, false));
  }
}
