package dev.gmptrace.tracer.record;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gmptrace.tracer.Seed;
import dev.gmptrace.tracer.wire.FileFormat;
import dev.gmptrace.tracer.wire.PacketReader;
import dev.gmptrace.tracer.wire.PacketWriter;
import dev.gmptrace.tracer.wire.TracePacket;
import dev.gmptrace.tracer.wire.proto.Header;
import java.io.ByteArrayOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class FlightRecorderTest {
  private static final TraceOptions OPTIONS =
      TraceOptions.DEFAULTS
          .withJvmEvents(false)
          .withBufferBytes(4 << 10)
          .withThreadBufferBytes(2 << 10)
          .withGeneration(Duration.ofMillis(20));

  private static SimulatedScheduler scheduler(String test) {
    return new SimulatedScheduler(OPTIONS, 3, 4, 50, Seed.random(test).nextLong());
  }

  @Test
  void keepsToItsBytesAndWhatItDumpsIsWhole(@TempDir Path directory) throws Exception {
    Path dump = directory.resolve("flight.bin");
    // All that can be on the way to the writer is less than the ring, so no generation outgrows it.
    TraceOptions options = OPTIONS.withPoolBuffers(16);
    long maxBytes = 512 << 10;
    long seed = Seed.random("keepsToItsBytesAndWhatItDumpsIsWhole").nextLong();
    try (var scheduler = new SimulatedScheduler(options, 3, 4, 50, seed)) {
      scheduler.start();
      FlightRecorder flight = scheduler.tracer.startFlight(maxBytes, Duration.ofMinutes(1));
      boolean turned = false;
      for (int round = 0; round < 5 || !turned; round++) {
        for (int j = 0; j < 20; j++) {
          Thread.sleep(5);
          assertTrue(flight.bytes() <= maxBytes, () -> flight.bytes() + " bytes");
        }
        TraceTotals totals = flight.snapshot(dump);
        assertTrue(totals.generations() > 0);
        byte[] bytes = Files.readAllBytes(dump);
        checkedUnlessLossy(bytes, totals);
        assertTrue(bytes.length <= maxBytes + 1000);
        turned = firstGeneration(bytes) > 1;
      }
      flight.stop();
      // What is in the ring can still be had.
      assertTrue(flight.snapshot(dump).events() > 0);
    }
  }

  @Test
  void generationsThatOutgrowTheRingAreLetGoWhole() {
    FlightSink ring = new FlightSink(64 << 10, Duration.ofMinutes(1));
    Generation first = ended(1);
    Generation second = ended(2);
    byte[] frame = new byte[10_000];
    ring.start(Header.getDefaultInstance(), new PacketWriter());
    // Both are open at once, as generations are that wait for the JVM's events.
    for (int i = 0; i < 10; i++) {
      ring.frame(first, frame, 0, frame.length);
      assertTrue(ring.size() <= 64 << 10);
    }
    for (int i = 0; i < 10; i++) {
      ring.frame(second, frame, 0, frame.length);
      assertTrue(ring.size() <= 64 << 10);
    }
    Generation third = ended(3);
    ring.frame(third, frame, 0, frame.length);
    ring.generationClosed(first);
    ring.generationClosed(second);
    ring.generationClosed(third);
    TraceTotals totals = ring.writeTo(new ByteArrayOutputStream());
    assertEquals(1, totals.generations());
    assertEquals(2, totals.overgrownGenerations());
    assertEquals(frame.length, ring.size());
  }

  private static Generation ended(int number) {
    Generation generation = new Generation(number, 0);
    generation.endTicks = TraceClock.now();
    return generation;
  }

  @Test
  void theAgeOfAGenerationCountsFromItsEnd() {
    FlightSink ring = new FlightSink(64 << 10, Duration.ofHours(1));
    ring.start(Header.getDefaultInstance(), new PacketWriter());
    byte[] frame = new byte[1000];
    Generation old = ended(1);
    old.endTicks -= Duration.ofHours(1).toSeconds() * FileFormat.TICKS_PER_SECOND;
    ring.frame(old, frame, 0, frame.length);
    // It waited for news of the JVM until now.
    ring.generationClosed(old);
    assertEquals(0, ring.size());
  }

  @Test
  void letsGoOfWhatIsTooOld() throws Exception {
    try (var scheduler = scheduler("letsGoOfWhatIsTooOld")) {
      scheduler.start();
      FlightRecorder flight = scheduler.tracer.startFlight(100 << 20, Duration.ofMillis(50));
      TraceTotals totals;
      byte[] bytes;
      do {
        Thread.sleep(50);
        ByteArrayOutputStream dump = new ByteArrayOutputStream();
        totals = flight.snapshot(dump);
        bytes = dump.toByteArray();
      } while (totals.generations() == 0 || firstGeneration(bytes) == 1);
      checkedUnlessLossy(bytes, totals);
    }
  }

  /** The pool is small, and a writer that gets no CPU empties it too late. */
  private static TraceChecker checkedUnlessLossy(byte[] bytes, TraceTotals totals) {
    TraceChecker trace =
        totals.lostEvents() > 0 ? TraceChecker.read(bytes) : TraceChecker.check(bytes);
    assertTrue(trace.complete, trace.ending);
    assertEquals(totals.events(), trace.events);
    return trace;
  }

  @Test
  void runsBesideAFile(@TempDir Path directory) throws Exception {
    Path file = directory.resolve("trace.bin");
    ByteArrayOutputStream dump = new ByteArrayOutputStream();
    TraceTotals dumped;
    TraceTotals recorded;
    try (var scheduler = scheduler("runsBesideAFile")) {
      scheduler.start();
      FlightRecorder flight = scheduler.tracer.startFlight(100 << 20, Duration.ofMinutes(10));
      Thread.sleep(50);
      Recording recording = scheduler.tracer.start(file);
      Thread.sleep(50);
      dumped = flight.snapshot(dump);
      Thread.sleep(50);
      recorded = recording.stop();
      Thread.sleep(50);
      assertTrue(scheduler.tracer.enabled());
      flight.stop();
      assertTrue(!scheduler.tracer.enabled());
    }
    checkedUnlessLossy(dump.toByteArray(), dumped);
    byte[] trace = Files.readAllBytes(file);
    checkedUnlessLossy(trace, recorded);
    assertEquals(1, firstGeneration(dump.toByteArray()));
    assertTrue(firstGeneration(trace) > 1);
  }

  @Test
  void whatIsStoppedBesideAnotherIsWhole() throws Exception {
    try (var scheduler = scheduler("whatIsStoppedBesideAnotherIsWhole")) {
      scheduler.start();
      try (FlightRecorder flight = scheduler.tracer.startFlight(1 << 20, Duration.ofMinutes(1))) {
        for (int i = 0; i < 100; i++) {
          ByteArrayOutputStream out = new ByteArrayOutputStream();
          Recording recording = scheduler.tracer.start(out);
          Thread.sleep(i % 3);
          TraceTotals totals = recording.stop();
          TraceChecker trace = TraceChecker.read(out.toByteArray());
          assertTrue(trace.complete, trace.ending);
          assertEquals(totals.events(), trace.events);
          assertEquals(totals.generations(), trace.closedGenerations);
          assertEquals(trace.openGenerations(), 0);
          assertTrue(scheduler.tracer.enabled());
        }
        assertTrue(flight.snapshot(new ByteArrayOutputStream()).generations() > 0);
      }
    }
  }

  @Test
  void refusesARingThatCanHoldNothing() {
    try (var scheduler = scheduler("refusesARingThatCanHoldNothing")) {
      assertThrows(
          IllegalArgumentException.class,
          () -> scheduler.tracer.startFlight(100, Duration.ofSeconds(1)));
    }
  }

  private static int firstGeneration(byte[] trace) {
    try (PacketReader in = PacketReader.of(trace)) {
      TracePacket packet = in.next();
      while (!(packet instanceof TracePacket.Clock clock)) {
        assertNotNull(packet);
        packet = in.next();
      }
      return clock.clock().getGeneration();
    }
  }
}
