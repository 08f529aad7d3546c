package dev.gmptrace.runtime.sched;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gmptrace.analyzer.stats.Validation;
import dev.gmptrace.runtime.Go;
import dev.gmptrace.runtime.WaitGroup;
import dev.gmptrace.tracer.record.Recording;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Generations of a millisecond: something is always just between two of them. */
@Timeout(60)
class GenerationsTest {
  private static final long LONG_ENOUGH = 500_000_000;

  @Test
  void goroutinesThatComeAndGoAtTheEndOfAGenerationAreToldOfOnce(@TempDir Path dir)
      throws Exception {
    Path file = dir.resolve("trace.bin");
    Sched sched =
        new Sched(
            SchedOptions.defaults().withProcs(4).withDebug("check=1,traceadvanceperiod=1000000"));
    Recording recording = sched.tracer().start(file);
    Thread foreign =
        Thread.ofPlatform()
            .start(() -> {
              for (long begin = System.nanoTime(); System.nanoTime() - begin < LONG_ENOUGH; ) {
                G _ = sched.go(Proc::gosched);
                Thread.onSpinWait();
              }
            });
    try {
      Go.run(
          sched,
          () -> {
            for (long begin = System.nanoTime(); System.nanoTime() - begin < LONG_ENOUGH; ) {
              WaitGroup wg = new WaitGroup();
              for (int i = 0; i < 50; i++) {
                wg.go(Proc::gosched);
              }
              wg.await();
            }
          });
      foreign.join();
      assertEquals(0, recording.stop().resyncs());
    } finally {
      sched.shutdown();
    }
    Validation v = Validation.check(file);
    assertTrue(v.ok() && v.warnings().isEmpty(), () -> v.text() + v.warnings());
  }
}
