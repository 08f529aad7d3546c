package dev.gmptrace.analyzer.stats;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gmptrace.analyzer.index.GoldenTraces;
import dev.gmptrace.analyzer.index.Progress;
import dev.gmptrace.analyzer.index.TimeWindow;
import dev.gmptrace.analyzer.index.Trace;
import dev.gmptrace.analyzer.read.Scenario;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MmuTest {
  /** Curves of Go's /mmu page; each line is a window in nanoseconds and the minimum there. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "gc-go1.25-stw",
        "gc-go1.25-assist",
        "gc-go1.25-sweep",
        "web-go1.27-stw",
        "gc-go1.25-perProc_stw",
        "gc-go1.25-perProc_assist",
        "gc-go1.25-perProc_sweep",
        "web-go1.27-perProc_stw",
        "procs-go1.27-perProc_stw"
      })
  void curvesEqualGos(String name) throws IOException {
    int dash = name.lastIndexOf('-');
    String what = name.substring(dash + 1);
    Trace trace = GoldenTraces.open(name.substring(0, dash));
    Mmu.Options options =
        new Mmu.Options(
            what.startsWith("perProc"),
            what.endsWith("stw"),
            what.endsWith("background"),
            what.endsWith("assist"),
            what.endsWith("sweep"));
    int compared = 0;
    for (String line : Files.readAllLines(Path.of("src/test/resources/go-mmu", name + ".txt"))) {
      String[] w = line.split(" ", -1);
      long window = (long) Double.parseDouble(w[0]);
      assertEquals(Double.parseDouble(w[1]), Mmu.at(trace, options, window), 1e-6, line);
      compared++;
    }
    assertTrue(compared > 50);
  }

  @Test
  void aPauseTakesAllOfAShortWindowAndItsShareOfALongOne() {
    Scenario s = Scenario.withProcs(2).procStart(1, 0).sleep(10_000_000);
    s.rangeBegin(-1, "stop-the-world (GC)").sleep(1_000_000).rangeEnd(-1, "stop-the-world (GC)");
    s.sleep(10_000_000).create(1, 1);
    Trace t = Trace.of(s, Progress.NONE);
    assertEquals(0, Mmu.at(t, Mmu.Options.ALL, 500_000), 1e-3);
    assertEquals(0.5, Mmu.at(t, Mmu.Options.ALL, 2_000_000), 1e-3);
    assertEquals(0.9, Mmu.at(t, Mmu.Options.ALL, 10_000_000), 1e-3);
    // The pause is outside of the first part, and takes the last millisecond of the other.
    double[] before = Mmu.of(t, Mmu.Options.ALL, new TimeWindow(0, 9_000_000)).utilisation();
    assertEquals(1, before[0], 1e-3);
    Mmu with = Mmu.of(t, Mmu.Options.ALL, new TimeWindow(1_000_000, 11_000_000));
    assertEquals(0.9, with.utilisation()[with.utilisation().length - 1], 1e-2);
    Mmu mmu = Mmu.of(t);
    assertEquals(0.9, mmu.worst().get(0).utilisation(), 1e-3);
    for (int i = 1; i < mmu.windowNs().length; i++) {
      assertTrue(mmu.windowNs()[i] >= mmu.windowNs()[i - 1]);
    }
  }
}
