package dev.gmptrace.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gmptrace.analyzer.read.EventTypes;
import dev.gmptrace.analyzer.read.TraceEvent;
import dev.gmptrace.analyzer.read.TraceReader;
import dev.gmptrace.analyzer.read.TraceTables;
import dev.gmptrace.analyzer.stats.Validation;
import dev.gmptrace.runtime.jdk.Jdk;
import dev.gmptrace.runtime.net.Conn;
import dev.gmptrace.runtime.net.Listener;
import dev.gmptrace.runtime.net.Net;
import dev.gmptrace.runtime.sched.G;
import dev.gmptrace.runtime.sched.Proc;
import dev.gmptrace.runtime.sched.Syscalls;
import dev.gmptrace.runtime.sched.WaitReason;
import dev.gmptrace.tracer.record.Recording;
import dev.gmptrace.tracer.record.Region;
import dev.gmptrace.tracer.record.Task;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a trace says about the waits: why, and who ended them. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TracedOperationsTest {
  private final Map<String, Long> waiters = new HashMap<>();
  private long main;

  /** Makes a goroutine wait, and remembers which. */
  private void waits(WaitReason reason, Runnable op) {
    waiters.put(reason.text(), ChanTest.parked(reason, op).goid());
  }

  @Test
  void everyWaitHasGosReasonAndItsWaker(@TempDir Path dir) throws IOException {
    Path file = dir.resolve("trace.bin");
    ChanTest.onProcs(
        2,
        () -> {
          Recording recording = Trace.start(file);
          main = Go.goid();
          WaitGroup all = new WaitGroup();
          all.add(6);
          Chan<Integer> in = Chan.make();
          waits(WaitReason.CHAN_RECEIVE, () -> done(all, in::receive));
          in.send(1);
          Chan<Integer> out = Chan.make();
          waits(WaitReason.CHAN_SEND, () -> done(all, () -> out.send(1)));
          assertEquals(1, out.receive());
          Chan<Integer> other = Chan.make();
          waits(
              WaitReason.SELECT,
              () -> done(all, new Select().receive(in, v -> {}).receive(other, v -> {})::run));
          other.send(1);
          Mutex mu = new Mutex();
          mu.lock();
          waits(WaitReason.SYNC_MUTEX_LOCK, () -> done(all, mu::lock));
          mu.unlock();
          WaitGroup one = new WaitGroup();
          one.add(1);
          waits(WaitReason.SYNC_WAITGROUP_WAIT, () -> done(all, one::await));
          one.done();
          Mutex guard = new Mutex();
          Cond cond = new Cond(guard);
          waits(
              WaitReason.SYNC_COND_WAIT,
              () ->
                  done(
                      all,
                      () -> {
                        guard.lock();
                        cond.await();
                        guard.unlock();
                      }));
          cond.signal();
          all.await();
          try (Task task = Trace.task("task");
              Region region = Trace.region("region")) {
            task.log("key", "value");
            Trace.label("label");
            Trace.with("inner " + (region == null), () -> Trace.log("k", "v"));
          }
          Listener l = Net.listen("127.0.0.1:0");
          G me = java.util.Objects.requireNonNull(Proc.getg());
          Go.go(() -> {
            do {
              Time.sleep(Duration.ofMillis(2));
            } while (me.waitReason() != WaitReason.IO_WAIT);
            try (Conn c = Net.dial(l.address())) {
              c.write(new byte[] {1});
            }
          });
          try (Conn c = l.accept()) {
            assertEquals(1, c.read(new byte[8]));
          }
          l.close();
          assertEquals(0, recording.stop().resyncs());
        });

    Validation v = Validation.check(file);
    assertTrue(v.ok() && v.warnings().isEmpty(), () -> v.text() + v.warnings());
    Map<String, Integer> reasons = new HashMap<>();
    Map<Long, String> reasonOf = new HashMap<>();
    Map<String, Long> wakers = new HashMap<>();
    Set<Long> polling = new HashSet<>(); // threads that tell whom the poller found ready
    List<String> wokenFromIo = new ArrayList<>();
    try (TraceReader reader = TraceReader.open(file)) {
      TraceTables tables = reader.tables();
      var _ =
          reader.read(e -> {
            if (e.type() == EventTypes.GO_BLOCK) {
              String reason = tables.string(e.reason());
              reasons.merge(reason, 1, Integer::sum);
              reasonOf.put(e.resourceId(), reason);
            } else if (e.type() == EventTypes.GO_UNBLOCK) {
              long gp = e.resourceId();
              String reason = reasonOf.getOrDefault(gp, "");
              if (waiters.getOrDefault(reason, -1L) == gp) {
                wakers.put(reason, e.goroutine());
              }
              if (reason.equals("IO wait")) {
                boolean byPoller = polling.contains(e.thread());
                wokenFromIo.add(e.goroutine() + (byPoller ? " after" : " without") + " a poll");
              }
            } else if (e.type() == EventTypes.NETPOLL_READY) {
              polling.add(e.thread());
            } else {
              polling.remove(e.thread());
            }
          });
    }
    assertTrue(reasons.containsKey("IO wait"), reasons::toString);
    assertTrue(reasons.containsKey("sleep"), reasons::toString);
    assertEquals(
        Set.of(TraceEvent.NONE + " after a poll"),
        Set.copyOf(wokenFromIo),
        "who woke from IO wait");
    for (String reason : waiters.keySet()) {
      assertTrue(reasons.containsKey(reason), () -> reason + " is not in " + reasons);
      assertEquals(main, wakers.get(reason), reason);
    }
  }

  private static void done(WaitGroup all, Runnable op) {
    op.run();
    all.done();
  }

  /**
   * Annotations of a goroutine that is in a system call, or whose thread slept without having said
   * so, and whose only P was given to another meanwhile.
   */
  @Test
  void annotationsComeAfterASystemCallThatLostItsP(@TempDir Path dir) {
    Path file = dir.resolve("trace.bin");
    ChanTest.onProcs(
        1,
        () -> {
          Recording recording = Trace.start(file);
          WaitGroup wg = new WaitGroup();
          for (int g = 0; g < 3; g++) {
            wg.go(() -> {
              for (int i = 0; i < 10; i++) {
                Syscalls.entersyscall();
                Jdk.sleepCarrier(1_000_000);
                Trace.log("in", "a syscall");
                Syscalls.exitsyscall();
                Jdk.sleepCarrier(3_000_000);
                try (Task task = Trace.task("task")) {
                  task.log("after", "a sleep");
                }
                Go.gosched();
              }
            });
          }
          wg.await();
          assertEquals(0, recording.stop().resyncs());
        });
    Validation v = Validation.check(file);
    assertTrue(v.ok() && v.warnings().isEmpty(), () -> v.text() + v.warnings());
  }

  /** Channels, selects, time-outs and mutexes at once, re-enacted from the recording. */
  @Test
  void stressIsALegalTrace(@TempDir Path dir) {
    Path file = dir.resolve("trace.bin");
    ChanTest.onProcs(
        4,
        () -> {
          Recording recording = Trace.start(file);
          Chan<Integer> c = Chan.make(1);
          Chan<Integer> d = Chan.make();
          Mutex mu = new Mutex();
          int[] sum = new int[1];
          WaitGroup wg = new WaitGroup();
          for (int g = 0; g < 20; g++) {
            wg.go(() -> {
              Select s = new Select();
              Select.Send<Integer> _ = s.send(c, 1);
              Select.Send<Integer> _ = s.send(d, 1);
              for (int i = 0; i < 200; i++) {
                Select.Case _ = s.await();
              }
            });
            wg.go(() -> {
              Select s = new Select();
              Select.Case fromC = s.receive(c);
              Select.Case fromD = s.receive(d);
              for (int got = 0; got < 200; ) {
                Select.Case happened = s.await(Duration.ofNanos(50_000));
                if (happened == fromC || happened == fromD) {
                  got++;
                  mu.with(() -> sum[0]++);
                }
              }
            });
          }
          wg.await();
          assertEquals(4_000, sum[0]);
          assertEquals(0, recording.stop().resyncs());
        });
    Validation v = Validation.check(file);
    assertTrue(v.ok() && v.warnings().isEmpty(), () -> v.text() + v.warnings());
    assertTrue(v.events() > 8_000);
  }
}
