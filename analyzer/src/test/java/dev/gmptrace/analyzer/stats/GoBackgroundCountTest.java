package dev.gmptrace.analyzer.stats;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gmptrace.analyzer.index.GoldenTraces;
import dev.gmptrace.analyzer.index.Trace;
import dev.gmptrace.analyzer.read.EventKind;
import dev.gmptrace.analyzer.read.ResourceKind;
import dev.gmptrace.analyzer.read.TraceEvent;
import dev.gmptrace.analyzer.read.TraceReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Why our curve of background workers is not Go's, shown by counting both ways. Go 1.27 counts a
 * known worker at its start and again at the label that follows, but subtracts once when it stops;
 * the processor stays taken. With that second count the curve is the one Go's page shows, without
 * it the one we show; nothing else differs.
 */
class GoBackgroundCountTest {
  private static final Mmu.Options BACKGROUND = new Mmu.Options(false, false, true, false, false);

  /** The share left to the program from each time on, as Go's MutatorUtilizationV2 finds it. */
  private static final class Count {
    private final boolean asGo;
    final List<Long> time = new ArrayList<>();
    final List<Double> share = new ArrayList<>();
    private final Set<Long> workers = new HashSet<>();
    private int[] taken = new int[0];

    Count(boolean asGo) {
      this.asGo = asGo;
    }

    static Count of(Path file, boolean asGo) {
      Count count = new Count(asGo);
      try (TraceReader reader = TraceReader.open(file)) {
        long[] last = new long[1];
        reader.read(e -> {
          count.event(e, reader.tables().string(e.name()));
          last[0] = e.time();
        });
        count.step(last[0], 0);
      }
      return count;
    }

    private void event(TraceEvent e, String name) {
      if (e.kind() == EventKind.METRIC && name.equals("/sched/gomaxprocs:threads")) {
        taken = taken.length == 0 ? new int[(int) e.value()] : taken;
      }
      if (taken.length == 0) {
        return;
      }
      if (e.kind() == EventKind.STATE_TRANSITION && e.resource() == ResourceKind.GOROUTINE) {
        if (workers.contains(e.resourceId())) {
          int by = (e.goTo().executing() ? 1 : 0) - (e.goFrom().executing() ? 1 : 0);
          if (by != 0) {
            taken[(int) e.proc()] += by;
          }
        }
      } else if (e.kind() == EventKind.LABEL && name.startsWith("GC ")) {
        boolean known = !workers.add(e.goroutine());
        if (!known || asGo) {
          taken[(int) e.proc()]++;
        }
      }
      int busy = 0;
      for (int t : taken) {
        busy += t > 0 ? 1 : 0;
      }
      step(e.time(), 1 - (double) busy / taken.length);
    }

    private void step(long at, double value) {
      int n = share.size();
      if (n == 0 || share.get(n - 1) != value) {
        time.add(at);
        share.add(value);
      }
    }

    long duration() {
      return time.getLast() - time.getFirst();
    }

    double minimum(long window) {
      long w = Math.min(window, duration());
      double least = 1;
      for (long t : time) {
        for (long from : new long[] {t, t - w}) {
          if (from >= time.getFirst() && from + w <= time.getLast()) {
            least = Math.min(least, sum(from, from + w) / w);
          }
        }
      }
      return least;
    }

    private double sum(long from, long to) {
      double sum = 0;
      for (int i = 0; i + 1 < time.size(); i++) {
        long d = Math.min(to, time.get(i + 1)) - Math.max(from, time.get(i));
        sum += d > 0 ? d * share.get(i) : 0;
      }
      return sum;
    }
  }

  private static final Path FILE = Path.of("src/test/resources/go-traces/gc-go1.25.trace");

  @Test
  void withTheSecondCountItIsGosCurve() throws IOException {
    Count go = Count.of(FILE, true);
    List<String> lines =
        Files.readAllLines(Path.of("src/test/resources/go-mmu/gc-go1.25-background.txt"));
    assertEquals(100, lines.size());
    for (String line : lines) {
      String[] w = line.split(" ", -1);
      assertEquals(Double.parseDouble(w[1]), go.minimum(Long.parseLong(w[0])), 1e-6, line);
    }
    Trace trace = GoldenTraces.open("gc-go1.25");
    assertTrue(
        go.duration() < trace.info().durationNs() / 2, "all is taken for good before half of it");
  }

  @Test
  void withoutItItIsOurs() {
    Count once = Count.of(FILE, false);
    Trace trace = GoldenTraces.open("gc-go1.25");
    for (long window = 1000; window < trace.info().durationNs(); window += window / 3) {
      assertEquals(once.minimum(window), Mmu.at(trace, BACKGROUND, window), 1e-6, window + " ns");
    }
  }
}
