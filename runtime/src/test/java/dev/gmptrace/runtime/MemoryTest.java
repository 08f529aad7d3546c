package dev.gmptrace.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A million goroutines fit, and what is over is gone. */
@Timeout(value = 150, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class MemoryTest {
  private static final long GIB = 1 << 30;

  @Test
  void aMillionGoroutinesAliveWithinFourGiB() throws IOException, InterruptedException {
    assumeTrue(Files.exists(Path.of("/proc/self/status")), "no /proc here: not measured");
    String classPath =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    Process p =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                "-Xms3g",
                "-Xmx3g",
                "-Xmn1500m", // so that few collections copy a million stacks
                "-XX:+UseSerialGC",
                "-XX:+UseCompactObjectHeaders",
                "-Djdk.trackAllThreads=false",
                "-cp",
                classPath,
                MillionGoroutines.class.getName(),
                "1000000")
            .redirectErrorStream(true)
            .start();
    String out = new String(p.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, p.waitFor(), out);
    List<String> lines = out.lines().toList();
    assertTrue(lines.contains("alive 1000000"), out);
    assertTrue(lines.contains("sum 499999500000"), out);
    long peak =
        lines.stream()
            .filter(l -> l.startsWith("peak "))
            .mapToLong(l -> Long.parseLong(l.substring(5)) * 1024)
            .findFirst()
            .orElseThrow(() -> new AssertionError(out));
    System.out.println("1 000 000 goroutines: peak " + peak / (1 << 20) + " MiB");
    assertTrue(peak < 4 * GIB, out);
  }

  /** Values and tasks of goroutines that ended, in every way a wait can end, are collected. */
  @Test
  void nothingIsRetainedAfterGoroutinesEnd() {
    List<WeakReference<Object>> refs = new ArrayList<>();
    Chan<Object> kept = Chan.make(4);
    Select select = new Select();
    Select.Receive<Object> _ = select.receive(kept);
    Select.Send<Integer> _ = select.send(Chan.<Integer>make(), 1);
    Go.run(() -> {
      for (int i = 0; i < 200; i++) {
        oneRound(refs, kept);
      }
    });
    for (int i = 0; i < 100 && alive(refs) > 0; i++) {
      System.gc();
      Time.sleep(Duration.ofMillis(10));
    }
    assertEquals(0, alive(refs), "of " + refs.size() + " objects");
    assertEquals(0, kept.length());
  }

  private static long alive(List<WeakReference<Object>> refs) {
    return refs.stream().filter(r -> r.get() != null).count();
  }

  private static Object tracked(List<WeakReference<Object>> refs) {
    Object o = new byte[1000];
    refs.add(new WeakReference<>(o));
    return o;
  }

  private static void oneRound(List<WeakReference<Object>> refs, Chan<Object> kept) {
    WaitGroup wg = new WaitGroup();
    Chan<Object> c = Chan.make();
    Object task = tracked(refs);
    wg.go(() -> assertTrue(task.hashCode() != 0.5));
    Object value = tracked(refs);
    wg.go(() -> c.send(value));
    assertEquals(value, c.receive());
    kept.send(tracked(refs));
    Object _ = kept.receive();
    // A send that times out, and selects that lose.
    Object late = tracked(refs);
    boolean sent = c.send(late, Duration.ofNanos(1_000));
    assertEquals(false, sent);
    Select s = new Select();
    Select.Send<Object> _ = s.send(c, tracked(refs));
    Select.Receive<Object> _ = s.receive(kept);
    assertEquals(null, s.await(Duration.ofNanos(1_000)));
    // A timer that is stopped, a context that is cancelled.
    Object captured = tracked(refs);
    boolean stopped =
        Time.afterFunc(Duration.ofHours(1), () -> assertTrue(captured.hashCode() != 0.5)).stop();
    assertTrue(stopped);
    try (CancelContext ctx = Context.background().withTimeout(Duration.ofHours(1))) {
      Object waits = tracked(refs);
      wg.go(() -> {
        assertEquals(null, ctx.done().receive());
        assertTrue(waits.hashCode() != 0.5);
      });
    }
    wg.await();
  }
}
