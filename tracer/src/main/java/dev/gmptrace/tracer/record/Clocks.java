package dev.gmptrace.tracer.record;

import dev.gmptrace.tracer.wire.FileFormat;
import dev.gmptrace.tracer.wire.proto.ClockSnapshot;
import dev.gmptrace.tracer.wire.proto.Header;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** What a header says about the machine and its clocks. */
final class Clocks {
  private Clocks() {}

  static ClockSnapshot snapshot(int generation) {
    Instant wall = Instant.now();
    long nano = System.nanoTime();
    return ClockSnapshot.newBuilder()
        .setGeneration(generation)
        .setTicks(TraceClock.ticks(nano))
        .setNanoTime(nano)
        .setWallNanos(wallNanos(wall))
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
