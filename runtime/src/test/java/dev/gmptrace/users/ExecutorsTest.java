package dev.gmptrace.users;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gmptrace.analyzer.read.EventTypes;
import dev.gmptrace.analyzer.read.TraceReader;
import dev.gmptrace.analyzer.read.TraceTables;
import dev.gmptrace.runtime.Go;
import dev.gmptrace.runtime.Trace;
import dev.gmptrace.runtime.WaitGroup;
import dev.gmptrace.runtime.sched.Sched;
import dev.gmptrace.runtime.sched.SchedOptions;
import dev.gmptrace.tracer.record.Recording;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Goroutines that come by way of Java: what they are called in a trace, and their executor. */
@Timeout(60)
class ExecutorsTest {
  private static final String ME = ExecutorsTest.class.getName();

  /** A task with a class of its own. */
  private record Order(int number) implements Callable<Integer> {
    @Override
    public Integer call() {
      return number;
    }
  }

  @Test
  void goroutinesOfJavaLibrariesAreNamedAfterTheirTasks(@TempDir Path dir) throws IOException {
    Path file = dir.resolve("trace.bin");
    Sched sched = new Sched(SchedOptions.defaults().withProcs(2).withDebug("check=1"));
    try {
      Go.run(
          sched,
          () -> {
            Recording recording = Trace.start(file);
            try (ExecutorService executor = Go.newExecutor()) {
              for (int i = 0; i < 10; i++) {
                var _ = executor.submit(new Order(i));
                executor.execute(() -> {});
              }
            }
            try (ExecutorService named =
                Executors.newThreadPerTaskExecutor(Go.threadFactory().named("mail-"))) {
              for (int i = 0; i < 10; i++) {
                named.execute(() -> {});
              }
            }
            try (ExecutorService plain = Executors.newVirtualThreadPerTaskExecutor()) {
              for (int i = 0; i < 10; i++) {
                plain.execute(() -> {});
              }
            }
            Go.go("stage 2", () -> {});
            recording.stop();
          });
    } finally {
      sched.shutdown();
    }
    Map<String, Integer> names = names(file);
    assertEquals(10, names.get(Order.class.getName() + ".run"), names::toString);
    assertEquals(10, names.get("mail"), names::toString);
    assertEquals(1, names.get("stage 2"), names::toString);
    // A lambda by the line that spawned it: of our executor, and of one that is not ours.
    long lambdas =
        names.entrySet().stream()
            .filter(e -> e.getKey().startsWith(ME + ".lambda$") && e.getValue() == 10)
            .count();
    assertEquals(2, lambdas, names::toString);
    assertTrue(names.keySet().stream().noneMatch(n -> n.startsWith("java.")), names::toString);
  }

  @Test
  void executorRunsAllItWasGivenAndNothingAfterItsEnd() throws Exception {
    Sched sched = new Sched(SchedOptions.defaults().withProcs(2).withDebug("check=1"));
    try {
      for (int round = 0; round < 200; round++) {
        AtomicInteger ran = new AtomicInteger();
        AtomicInteger accepted = new AtomicInteger();
        AtomicInteger atEnd = new AtomicInteger();
        Go.run(
            sched,
            () -> {
              ExecutorService executor = Go.newExecutor();
              WaitGroup givers = new WaitGroup();
              for (int i = 0; i < 4; i++) {
                givers.go(() -> {
                  try {
                    while (true) {
                      executor.execute(ran::incrementAndGet);
                      accepted.incrementAndGet();
                      Go.gosched();
                    }
                  } catch (RejectedExecutionException e) {
                    // as it should be
                  }
                });
              }
              Go.gosched();
              executor.close();
              assertTrue(executor.isTerminated());
              atEnd.set(ran.get());
              givers.await();
            });
        assertEquals(accepted.get(), ran.get());
        assertEquals(atEnd.get(), ran.get(), "a task ran after the end");
      }
    } finally {
      sched.shutdown();
    }
  }

  private static Map<String, Integer> names(Path file) throws IOException {
    Map<String, Integer> names = new HashMap<>();
    try (TraceReader reader = TraceReader.open(file)) {
      TraceTables tables = reader.tables();
      var _ =
          reader.read(e -> {
            if (e.type() == EventTypes.GO_CREATE) {
              names.merge(
                  tables.function(tables.stack(e.transitionStack()).getFirst()), 1, Integer::sum);
            }
          });
    }
    return names;
  }
}
