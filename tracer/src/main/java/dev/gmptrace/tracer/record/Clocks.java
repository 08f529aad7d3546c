package dev.gmptrace.tracer.record;

import dev.gmptrace.tracer.wire.FileFormat;
import dev.gmptrace.tracer.wire.proto.ClockSnapshot;
import dev.gmptrace.tracer.wire.proto.Header;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** What a header says about the machine and its clocks. */
final class Clocks {
  private Clocks() {}

  /** Readings are this close when nothing came between them. */
  private static final long TIGHT_NANOS = 1_000;

  private static final int TRIES = 50;

  /**
   * One moment on both clocks: {@code wallNanos} was read no sooner than {@code nanoTime}, and at
   * most {@code uncertainNanos} later.
   */
  record Anchor(long nanoTime, long wallNanos, long uncertainNanos) {}

  /**
   * Reads both clocks until nothing comes between. A thread that loses its CPU between the two
   * readings, or loads a class there, would shift all times that are counted from them.
   */
  static Anchor anchor() {
    @Nullable Anchor best = null;
    for (int i = 0; i < TRIES; i++) {
      long before = System.nanoTime();
      Instant wall = Instant.now();
      long between = System.nanoTime() - before;
      if (best == null || between < best.uncertainNanos) {
        best = new Anchor(before, wallNanos(wall), between);
      }
      if (between <= TIGHT_NANOS) {
        break;
      }
    }
    return Objects.requireNonNull(best);
  }

  static ClockSnapshot snapshot(int generation) {
    Anchor now = anchor();
    return ClockSnapshot.newBuilder()
        .setGeneration(generation)
        .setTicks(TraceClock.ticks(now.nanoTime))
        .setNanoTime(now.nanoTime)
        .setWallNanos(now.wallNanos)
        .build();
  }

  static long wallNanos(Instant wall) {
    return TimeUnit.SECONDS.toNanos(wall.getEpochSecond()) + wall.getNano();
  }

  static Header header(TraceOptions options, ClockSnapshot start) {
    String program = options.program();
    List<String> arguments = options.arguments();
    if (program.isEmpty()) {
      // The main class or jar, then what it was called with.
      List<String> words = List.of(System.getProperty("sun.java.command", "java").split(" "));
      if (words.size() > 1 && words.getFirst().endsWith(".launcher.SourceLauncher")) {
        // "java Hello.java": the program is the file, not what the JDK compiles it with.
        words = words.subList(1, words.size());
      }
      program = words.getFirst();
      arguments = words.subList(1, words.size());
    }
    return Header.newBuilder()
        .setProgram(program)
        .addAllArguments(arguments)
        .setPid(ProcessHandle.current().pid())
        .setJvm(System.getProperty("java.vm.name", "") + " " + Runtime.version())
        .setOs(
            System.getProperty("os.name", "")
                + " "
                + System.getProperty("os.version", "")
                + " "
                + System.getProperty("os.arch", ""))
        .setCores(Runtime.getRuntime().availableProcessors())
        .setMaxProcs(options.maxProcs())
        .setGmpDebug(options.gmpDebug())
        .setCpuHz(options.cpuHz())
        .setTicksPerSecond(FileFormat.TICKS_PER_SECOND)
        .setStart(start)
        .setRecorder("gmptrace")
        .build();
  }
}
