package dev.gmptrace.runtime.sched;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import dev.gmptrace.runtime.Go;
import dev.gmptrace.tracer.schedtrace.SchedSnapshot;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** schedtrace lines of a running program: that they come, and that they are whole. */
@Timeout(300)
class SchedtraceLinesTest {
  /** Two goroutines for two Ps, and neither ever calls the runtime again. */
  static final class Spinning {
    private Spinning() {}

    public static void main(String[] args) {
      if (args[0].equals("captured")) {
        System.setErr(new PrintStream(new Forbidden(), true, StandardCharsets.UTF_8));
      }
      Go.run(() -> {
        Go.go(Spinning::spin);
        spin();
      });
    }

    private static void spin() {
      while (true) {
        Thread.onSpinWait();
      }
    }
  }

  /** Whoever of the runtime's threads writes here has run the program's code. */
  private static final class Forbidden extends OutputStream {
    @Override
    public void write(int b) {
      Runtime.getRuntime().halt(9);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"plain", "captured"})
  void comeThoughEveryPIsBusyAndWhateverSystemErrIs(String err) throws IOException {
    var builder =
        new ProcessBuilder(
            Child.java(),
            "--add-opens",
            "java.base/java.lang=ALL-UNNAMED",
            "-cp",
            System.getProperty("java.class.path"),
            Spinning.class.getName(),
            err);
    builder.environment().put("GMPDEBUG", "schedtrace=10");
    builder.environment().put("GMPMAXPROCS", "2");
    Process process = builder.redirectErrorStream(true).start();
    Executor later = CompletableFuture.delayedExecutor(240, TimeUnit.SECONDS);
    later.execute(process::destroyForcibly); // to read a pipe cannot be interrupted
    var seen = new ArrayList<String>();
    try (BufferedReader out = process.inputReader()) {
      for (int busy = 0; busy < 5; ) {
        String line = out.readLine();
        assertNotNull(line, () -> "it ended after " + seen);
        seen.add(line);
        busy += line.matches("SCHED \\d+ms: gomaxprocs=2 idleprocs=0 .*") ? 1 : 0;
      }
    } finally {
      process.destroyForcibly();
    }
  }

  /** In Go {@code threads=} is the number of M lines, and the monitor has one. */
  @Test
  void detailHasALineForEveryThreadNewestFirst() {
    Sched sched = new Sched(SchedOptions.defaults().withProcs(2));
    var snapshots = new ArrayList<SchedSnapshot>();
    try {
      sched.run(() -> {
        for (int i = 0; i < 50; i++) {
          G _ = sched.go(() -> {});
          Proc.gosched();
          snapshots.add(Snapshots.take(sched, 0, true));
        }
      });
    } finally {
      sched.shutdown();
    }
    for (SchedSnapshot s : snapshots) {
      SchedSnapshot.Detail detail = s.detail();
      assertNotNull(detail);
      List<Long> ms = detail.machines().stream().map(SchedSnapshot.Machine::id).toList();
      assertEquals(s.threads(), ms.size(), () -> "M lines of " + s);
      assertEquals(ms.stream().sorted(Comparator.reverseOrder()).distinct().toList(), ms);
      List<Long> gs = detail.goroutines().stream().map(SchedSnapshot.Goroutine::id).toList();
      assertEquals(gs.stream().sorted().toList(), gs);
    }
  }
}
