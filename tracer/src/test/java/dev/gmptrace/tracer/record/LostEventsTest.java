package dev.gmptrace.tracer.record;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gmptrace.tracer.wire.EventType;
import dev.gmptrace.tracer.wire.GoStatus;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** With a sink that hangs and a small pool, events are dropped, and not one is unaccounted for. */
@Timeout(60)
class LostEventsTest {
  /** A disk that stops taking anything after a while. */
  private static final class Hanging extends ByteArrayOutputStream {
    private final int from;
    final CountDownLatch hangs = new CountDownLatch(1);
    final CountDownLatch released = new CountDownLatch(1);

    Hanging(int from) {
      this.from = from;
    }

    @Override
    public synchronized void write(byte[] b, int off, int len) {
      if (size() > from) {
        hangs.countDown();
        try {
          released.await();
        } catch (InterruptedException e) {
          throw new AssertionError(e);
        }
      }
      super.write(b, off, len);
    }
  }

  private static final TraceOptions SMALL =
      TraceOptions.DEFAULTS
          .withJvmEvents(false)
          .withBufferBytes(8 << 10)
          .withPoolBuffers(4)
          .withGeneration(Duration.ofMinutes(1));

  @Test
  void everyEventIsEitherInTheTraceOrCounted() throws Exception {
    Hanging disk = new Hanging(20_000);
    long asked = 0;
    long before;
    TraceTotals totals;
    try (var scheduler = new SimulatedScheduler(SMALL, 1, 1, 1, 1)) {
      TraceThread m = scheduler.tracer.newThread(77, "M77");
      var p = scheduler.procs.getFirst();
      Recording recording = scheduler.tracer.start(disk);
      before = System.nanoTime();
      var g = new SimulatedScheduler.SimG(42, EntrySite.named("g"));
      // Until the disk hangs, then until the pool is long empty.
      for (int i = 0; i < 200_000; i++) {
        assertTrue(p.trace.begin(m));
        if (i == 0) {
          p.trace.procStart(p);
          p.trace.goCreate(g, TraceStack.NONE);
          asked += 2;
        }
        p.trace.goStart(g);
        p.trace.globalGet(i);
        p.trace.goBlock(g, SimulatedScheduler.SLEEP, TraceStack.NONE);
        p.trace.goUnblock(g, TraceStack.NONE);
        asked += 4;
        p.trace.end();
      }
      disk.hangs.await();
      disk.released.countDown();
      // With the disk back, events are recorded again.
      long lastAsked = asked;
      while (asked < lastAsked + 100_000) {
        assertTrue(p.trace.begin(m));
        p.trace.netpollReady(1);
        asked++;
        p.trace.end();
        if (asked % 1000 == 0) {
          Thread.sleep(1);
        }
      }
      totals = recording.stop();
    }
    TraceChecker trace = TraceChecker.read(disk.toByteArray());
    assertTrue(trace.complete, trace.ending);
    assertTrue(totals.lostEvents() > 100_000, totals.toString());
    assertEquals(asked, trace.asked() + totals.lostEvents());
    assertEquals(totals.lostEvents(), trace.lostTold());
    assertTrue(trace.counts.getOrDefault(EventType.NETPOLL_READY, 0) > 1000);
    long from = TraceClock.ticks(before);
    for (TraceChecker.Event e : trace.lostRecords()) {
      assertTrue(e.args()[2] >= from && e.args()[2] <= e.args()[3] && e.args()[3] <= e.time());
    }
  }

  @Test
  void whatWasDroppedIsFollowedByAStatusAgain() throws Exception {
    Hanging disk = new Hanging(0);
    TraceTotals totals;
    try (var scheduler = new SimulatedScheduler(SMALL, 1, 1, 1, 1)) {
      TraceThread m = scheduler.tracer.newThread(77, "M77");
      var p = scheduler.procs.getFirst();
      disk.released.countDown();
      Recording recording = scheduler.tracer.start(disk);
      var g = new SimulatedScheduler.SimG(42, EntrySite.named("g"));
      g.status = GoStatus.RUNNABLE;
      p.trace.begin(m);
      p.trace.procStart(p);
      p.trace.goCreate(g, TraceStack.NONE);
      p.trace.end();
      // As if there had been no chunk for one section.
      p.trace.begin(m);
      p.trace.drop(g);
      p.trace.end();
      p.trace.begin(m);
      p.trace.goBlock(g, SimulatedScheduler.SLEEP, TraceStack.NONE);
      p.trace.end();
      totals = recording.stop();
    }
    TraceChecker trace = TraceChecker.check(disk.toByteArray());
    assertEquals(1, totals.lostEvents());
    assertEquals(2, totals.resyncs());
    assertEquals(1, trace.lost);
    assertEquals(2, trace.resyncs);
  }

  /** Goroutines that block in the kernel: each has a thread without a P, with an event or two. */
  @Test
  void manyThreadsWithLittleToSayLoseNothing() throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    int events = 0;
    try (var scheduler = new SimulatedScheduler(SMALL, 1, 1, 1, 1)) {
      Recording recording = scheduler.tracer.start(out);
      for (int i = 0; i < 500; i++) {
        TraceThread m = scheduler.tracer.newThread(1000 + i, "M" + (1000 + i));
        assertTrue(m.buffer().begin(m));
        m.buffer().globalGet(1);
        m.buffer().end();
        events++;
      }
      TraceTotals totals = recording.stop();
      assertEquals(0, totals.lostEvents());
    }
    assertEquals(events, TraceChecker.read(out.toByteArray()).asked());
  }

  /** While the disk hangs, several Ps and threads use up both pools. */
  @Test
  void everyEventOfSeveralPsAndThreadsIsEitherInTheTraceOrCounted() throws Exception {
    Hanging disk = new Hanging(20_000);
    int writers = 4;
    long[] asked = new long[2 * writers];
    List<Thread> running = new ArrayList<>();
    TraceTotals totals;
    try (var scheduler = new SimulatedScheduler(SMALL, writers, 1, 1, 1)) {
      Recording recording = scheduler.tracer.start(disk);
      for (int i = 0; i < 2 * writers; i++) {
        int number = i;
        TraceThread m = scheduler.tracer.newThread(100 + i, "M" + (100 + i));
        TraceBuffer buffer = i < writers ? scheduler.procs.get(i).trace : m.buffer();
        running.add(
            Thread.ofPlatform()
                .start(() -> {
                  for (int k = 0; k < 100_000; k++) {
                    buffer.begin(m);
                    buffer.queueSample(k, k, k, k, k);
                    buffer.end();
                    asked[number]++;
                  }
                }));
      }
      for (Thread t : running) {
        t.join();
      }
      disk.released.countDown();
      totals = recording.stop();
    }
    TraceChecker trace = TraceChecker.read(disk.toByteArray());
    assertTrue(trace.complete, trace.ending);
    assertTrue(totals.lostEvents() > 0, totals.toString());
    assertEquals(LongStream.of(asked).sum(), trace.asked() + totals.lostEvents());
    assertEquals(totals.lostEvents(), trace.lostTold());
  }

  /** A thread that ends while the recording does: what it wrote is in it. */
  @Test
  void aThreadThatEndsWithTheRecordingLosesNothing() throws Exception {
    for (int i = 0; i < 300; i++) {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      try (var scheduler = new SimulatedScheduler(SMALL, 1, 1, 1, 1)) {
        Recording recording = scheduler.tracer.start(out);
        TraceThread m = scheduler.tracer.newThread(77, "M77");
        boolean recorded = m.buffer().begin(m);
        assertTrue(recorded);
        m.buffer().globalGet(1);
        m.buffer().end();
        Thread closing = Thread.ofPlatform().start(m::close);
        recording.stop();
        closing.join();
      }
      assertEquals(1, TraceChecker.read(out.toByteArray()).asked());
    }
  }
}
