package dev.gmptrace.sampled;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gmptrace.analyzer.read.EventTypes;
import dev.gmptrace.analyzer.read.TraceReader;
import dev.gmptrace.analyzer.read.TraceTables;
import dev.gmptrace.runtime.Chan;
import dev.gmptrace.runtime.Go;
import dev.gmptrace.runtime.Trace;
import dev.gmptrace.runtime.jdk.Jdk;
import dev.gmptrace.runtime.sched.Sched;
import dev.gmptrace.runtime.sched.SchedOptions;
import dev.gmptrace.runtime.sched.Syscalls;
import dev.gmptrace.tracer.record.Recording;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Which events of the scheduler have which stack. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StacksInTracesTest {
  private static final String HERE = StacksInTracesTest.class.getName() + ".";

  private static void waiter(Chan<Integer> c) {
    assertEquals(1, c.take());
  }

  private static void waker(Chan<Integer> c) {
    c.send(1);
  }

  private static void yielder() {
    Go.gosched();
  }

  private static void caller() {
    Syscalls.entersyscall();
    Syscalls.exitsyscall();
  }

  private static void spawner(Chan<Integer> c) {
    Go.go(() -> waiter(c));
  }

  /** The functions at the top of the stacks, by the names of the events. */
  private static Map<String, Set<String>> record(Path file, String debug) throws IOException {
    Sched s =
        new Sched(
            SchedOptions.defaults().withProcs(1).withDebug("check=1,asyncpreemptoff=1," + debug));
    try {
      Go.run(
          s,
          () -> {
            try (Recording _ = Trace.start(file)) {
              Chan<Integer> c = Chan.make();
              spawner(c);
              yielder();
              waker(c);
              caller();
            }
          });
    } finally {
      s.shutdown();
    }
    Map<String, Set<String>> seen = new TreeMap<>();
    try (TraceReader reader = TraceReader.open(file)) {
      TraceTables tables = reader.tables();
      var _ =
          reader.read(e -> {
            int stack = e.stack();
            if (tables.depth(stack) > 0) {
              String top = tables.string(tables.frame(tables.frameId(stack, 0)).function());
              String last =
                  tables.string(
                      tables.frame(tables.frameId(stack, tables.depth(stack) - 1)).function());
              assertTrue(last.startsWith(HERE), "ends with the goroutine's own code: " + last);
              seen.computeIfAbsent(EventTypes.name(e.type()), _ -> new TreeSet<>())
                  .add(top.replace(HERE, ""));
            }
          });
    }
    return seen;
  }

  @Test
  void theJvmShowsItsBacktraces() {
    assertNotNull(Jdk.backtrace(new Throwable()), "or stacks cost three times as much");
  }

  @Test
  void everyEventThatHasAReasonHasTheStackOfIt(@TempDir Path dir) throws IOException {
    Map<String, Set<String>> seen = record(dir.resolve("trace.bin"), "tracestack=16");
    assertEquals(Set.of("spawner"), seen.get("GoCreate"));
    assertEquals(Set.of("waiter"), seen.get("GoBlock"));
    assertEquals(Set.of("waker"), seen.get("GoUnblock"));
    // A slow machine may end a slice in any of them.
    assertTrue(String.valueOf(seen.get("GoStop")).contains("yielder"), seen.toString());
    assertEquals(Set.of("caller"), seen.get("GoSyscallBegin"));
  }

  @Test
  void stacksAreOnlyWithTheEventsAskedFor(@TempDir Path dir) throws IOException {
    Map<String, Set<String>> seen =
        record(dir.resolve("trace.bin"), "tracestack=16,tracestackon=block");
    assertEquals(Map.of("GoBlock", Set.of("waiter")), seen);
    assertEquals(Map.of(), record(dir.resolve("none.bin"), "tracestackon=block"));
  }
}
