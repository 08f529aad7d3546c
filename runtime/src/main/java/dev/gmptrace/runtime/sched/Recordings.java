package dev.gmptrace.runtime.sched;

import dev.gmptrace.runtime.config.ConfigException;
import dev.gmptrace.runtime.config.RuntimeConfig;
import dev.gmptrace.runtime.config.TraceGc;
import dev.gmptrace.runtime.gctrace.GcTrace;
import dev.gmptrace.tracer.record.FlightRecorder;
import dev.gmptrace.tracer.record.Recording;
import dev.gmptrace.tracer.record.TraceOptions;
import dev.gmptrace.tracer.record.Tracer;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What GMPDEBUG asks to be recorded or printed from the start: trace=, traceflight=, gctrace=. */
final class Recordings {
  /** GMPDEBUG names a size, so nothing but the size ends what is kept. */
  private static final Duration ANY_AGE = Duration.ofDays(36_500);

  private final @Nullable Recording recording;
  private final @Nullable FlightRecorder flight;
  private final @Nullable Path flightFile;
  private final @Nullable GcTrace gcTrace;
  private boolean stopped;

  private Recordings(
      @Nullable Recording recording,
      @Nullable FlightRecorder flight,
      @Nullable Path flightFile,
      @Nullable GcTrace gcTrace) {
    this.recording = recording;
    this.flight = flight;
    this.flightFile = flightFile;
    this.gcTrace = gcTrace;
  }

  static TraceOptions options(RuntimeConfig config) {
    TraceOptions o =
        TraceOptions.DEFAULTS
            .withStackDepth(config.traceStackDepth())
            .withStackOn(config.traceStackOn())
            .withCpuHz(config.traceCpuHz())
            .withJvmEvents(config.traceGc() != TraceGc.OFF)
            .withExactJvmEvents(config.traceGc() == TraceGc.JFR);
    if (config.traceAdvanceNanos() > 0) {
      o = o.withGeneration(Duration.ofNanos(config.traceAdvanceNanos()));
    }
    if (config.traceBufferBytes() > 0) {
      o = o.withBufferBytes(config.traceBufferBytes());
    }
    if (config.tracePoolBytes() > 0) {
      long each = o.bufferBytes() + (long) TraceOptions.THREAD_BUFFERS * o.threadBufferBytes();
      long n = config.tracePoolBytes() / each;
      o = o.withPoolBuffers(Math.clamp(n, 1, TraceOptions.MAX_POOL_BUFFERS));
    }
    return o.withProgram("", List.of(), config.source(), config.maxProcs());
  }

  /**
   * Starts what the configuration wants; a trace also ends properly when the JVM does. With a
   * flight recorder the file gets what that holds at the end.
   */
  static Recordings start(
      RuntimeConfig config, Tracer tracer, java.util.function.IntSupplier procs) {
    Path file = config.traceFile();
    if (file != null) {
      requireWritable(file);
    }
    boolean flying = config.traceFlightBytes() > 0;
    Recording recording = file == null || flying ? null : tracer.start(file);
    FlightRecorder flight = flying ? tracer.startFlight(config.traceFlightBytes(), ANY_AGE) : null;
    GcTrace gc = config.gcTrace() ? GcTrace.start(StandardError.STREAM, procs) : null;
    Recordings all = new Recordings(recording, flight, flying ? file : null, gc);
    if (file != null) {
      Runtime.getRuntime().addShutdownHook(new Thread(all::stopAtExit, "gmptrace-end-of-trace"));
    }
    return all;
  }

  /** Before the program starts: a flight recorder would find out only at its end. */
  private static void requireWritable(Path file) {
    Path folder = file.toAbsolutePath().getParent();
    String why =
        Files.isDirectory(file) || folder == null
            ? "is a directory"
            : !Files.isDirectory(folder)
                ? folder + " is no directory"
                : Files.isWritable(Files.exists(file) ? file : folder) ? "" : "permission denied";
    if (!why.isEmpty()) {
      throw new ConfigException("GMPDEBUG: trace=" + file + ": " + why);
    }
  }

  /** The flight recorder that GMPDEBUG asked for. */
  @Nullable FlightRecorder flight() {
    return flight;
  }

  /** Nobody is left to catch what went wrong, and where in here is nobody's concern. */
  private void stopAtExit() {
    try {
      stop();
    } catch (UncheckedIOException e) {
      System.err.println("gmptrace: " + e.getMessage());
    }
  }

  synchronized void stop() {
    if (stopped) {
      return;
    }
    stopped = true;
    if (recording != null) {
      recording.close();
    }
    if (flight != null) {
      if (flightFile != null) {
        flight.snapshot(flightFile);
      }
      flight.stop();
    }
    if (gcTrace != null) {
      gcTrace.close();
    }
  }
}
