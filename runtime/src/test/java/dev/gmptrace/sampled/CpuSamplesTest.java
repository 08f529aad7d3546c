package dev.gmptrace.sampled;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gmptrace.analyzer.index.Trace;
import dev.gmptrace.analyzer.model.Samples;
import dev.gmptrace.analyzer.stats.Profile;
import dev.gmptrace.analyzer.stats.ProfileType;
import dev.gmptrace.analyzer.stats.Validation;
import dev.gmptrace.runtime.Chan;
import dev.gmptrace.runtime.Go;
import dev.gmptrace.runtime.Time;
import dev.gmptrace.runtime.WaitGroup;
import dev.gmptrace.runtime.sched.Sched;
import dev.gmptrace.runtime.sched.SchedOptions;
import dev.gmptrace.tracer.record.Recording;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code GMPDEBUG=tracecpu}: who uses the CPUs. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CpuSamplesTest {
  private static final String SAMPLER = "gmptrace-cpu-sampler";
  private static final com.sun.management.OperatingSystemMXBean PROCESS =
      (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  /** Uses a CPU until the process has used so much of it. */
  private static long burn(Duration cpu) {
    long hash = 0;
    long end = PROCESS.getProcessCpuTime() + cpu.toNanos();
    while (PROCESS.getProcessCpuTime() < end) {
      for (int i = 0; i < 100_000; i++) {
        hash += Integer.toString(i).hashCode();
      }
    }
    return hash;
  }

  private static void run(String debug, Runnable main) {
    Sched s = new Sched(SchedOptions.defaults().withProcs(2).withDebug("check=1," + debug));
    try {
      Go.run(s, main);
    } finally {
      s.shutdown();
    }
  }

  private static List<Thread> samplers() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(t -> t.getName().equals(SAMPLER))
        .toList();
  }

  @Test
  void whoUsesTheCpuIsSampledAndWhoSleepsIsNot(@TempDir Path dir) throws IOException {
    Path file = dir.resolve("trace.bin");
    long[] ids = new long[4];
    run(
        "tracecpu=1000",
        () -> {
          AtomicBoolean done = new AtomicBoolean();
          Chan<Integer> never = Chan.make();
          WaitGroup all = new WaitGroup();
          try (Recording _ = dev.gmptrace.runtime.Trace.start(file)) {
            all.go(() -> {
              ids[0] = Go.goid();
              never.receive();
            });
            all.go(() -> {
              ids[1] = Go.goid();
              while (!done.get()) {
                Time.sleep(Duration.ofMillis(20));
              }
            });
            all.go(() -> {
              ids[2] = Go.goid();
              while (!done.get()) {
                sleepInTheJdk();
              }
            });
            all.go(() -> {
              ids[3] = Go.goid();
              assertTrue(burn(Duration.ofMillis(600)) != 0);
              done.set(true);
              never.close();
            });
            all.await();
          }
        });
    Trace trace = Trace.open(file);
    Samples samples = trace.model().samples();
    int busy = 0;
    int asleep = 0;
    for (int i = 0; i < samples.size(); i++) {
      long g = trace.model().goroutines().id(samples.g(i));
      busy += g == ids[3] ? 1 : 0;
      asleep += g == ids[0] ? 1 : 0;
      assertTrue(samples.p(i) >= 0 && samples.m(i) >= 0, "on a P and an M");
    }
    assertTrue(busy >= 10, busy + " of " + samples.size() + " samples are of the busy one");
    assertTrue(busy * 10 >= samples.size() * 8, busy + " of " + samples.size());
    assertEquals(0, asleep);

    Profile profile = Profile.of(trace, ProfileType.CPU);
    assertEquals(samples.size() * 1_000_000L, profile.total());
    assertTrue(
        profile.top(100).stream()
            .anyMatch(row ->
                row.function().endsWith("CpuSamplesTest.burn")
                    && row.cum() * 10 >= profile.total() * 8),
        profile.text(20));

    Validation v = Validation.check(file);
    assertTrue(v.ok() && v.warnings().isEmpty(), () -> v.text() + v.warnings());
  }

  private static void sleepInTheJdk() {
    try {
      Thread.sleep(20);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void theSamplerEndsWithTheRecording(@TempDir Path dir) {
    awaitEarlierSamplers();
    run(
        "tracecpu=500",
        () -> {
          assertEquals(List.of(), samplers(), "nothing is recorded yet");
          Recording recording = dev.gmptrace.runtime.Trace.start(dir.resolve("a.bin"));
          try (Recording _ = dev.gmptrace.runtime.Trace.start(dir.resolve("b.bin"))) {
            assertEquals(1, samplers().size(), "one for both");
          }
          List<Thread> alive = samplers();
          assertEquals(1, alive.size(), "one recording is left");
          recording.stop();
          for (Thread t : alive) {
            join(t);
          }
        });
  }

  /** A recording that stops does not wait for its sampler. */
  private static void awaitEarlierSamplers() {
    samplers().forEach(CpuSamplesTest::join);
  }

  private static void join(Thread t) {
    try {
      t.join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void thereIsNoSamplerUnlessAskedFor(@TempDir Path dir) throws IOException {
    awaitEarlierSamplers();
    Path file = dir.resolve("trace.bin");
    run(
        "tracestack=8",
        () -> {
          try (Recording _ = dev.gmptrace.runtime.Trace.start(file)) {
            assertEquals(List.of(), samplers());
            assertTrue(burn(Duration.ofMillis(50)) != 0);
          }
        });
    assertEquals(0, Trace.open(file).model().samples().size());
    assertFalse(Trace.open(file).model().info().properties().containsKey("cpuhz"));
  }
}
