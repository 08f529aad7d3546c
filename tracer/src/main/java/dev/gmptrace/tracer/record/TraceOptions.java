package dev.gmptrace.tracer.record;

import java.time.Duration;
import java.util.List;

/**
 * How to record. Start from {@link #DEFAULTS} and change what you need.
 *
 * @param bufferBytes size of a P's buffer
 * @param threadBufferBytes size of the buffer of a thread without a P
 * @param poolBuffers how many buffers of Ps there may be, in use and on the way to the writer; with
 *     none left, events are dropped and counted. The buffers of threads have a pool of four times
 *     that number
 * @param stackDepth frames to record of each stack; 0 records no stacks
 * @param generation how long a generation lasts
 * @param jvmEvents whether to record garbage collections, pauses and the heap
 * @param exactJvmEvents whether to ask JFR for them, which knows them to the nanosecond, and not
 *     the JVM's management notifications, which know them to the millisecond and cost nothing. JFR
 *     once started makes every mount and unmount of a virtual thread about 50 ns slower, for the
 *     rest of the process
 * @param program what runs, for the header
 * @param arguments its arguments
 * @param gmpDebug {@code GMPDEBUG} as given
 * @param maxProcs the number of Ps at the start
 */
public record TraceOptions(
    int bufferBytes,
    int threadBufferBytes,
    int poolBuffers,
    int stackDepth,
    Duration generation,
    boolean jvmEvents,
    boolean exactJvmEvents,
    String program,
    List<String> arguments,
    String gmpDebug,
    int maxProcs) {

  public static final TraceOptions DEFAULTS =
      new TraceOptions(
          64 << 10,
          4 << 10,
          256,
          0,
          Duration.ofSeconds(1),
          true,
          false,
          "",
          List.of(),
          "",
          Runtime.getRuntime().availableProcessors());

  public TraceOptions {
    if (bufferBytes < 2048 || bufferBytes > 4 << 20) {
      throw new IllegalArgumentException(
          "trace buffer of " + bufferBytes + " bytes: allowed are 2 KiB to 4 MiB");
    }
    if (threadBufferBytes < 2048 || threadBufferBytes >= bufferBytes) {
      throw new IllegalArgumentException(
          "trace buffer of "
              + threadBufferBytes
              + " bytes for threads: allowed are 2 KiB up to less than that of a P ("
              + bufferBytes
              + ")");
    }
    if (poolBuffers < 1 || stackDepth < 0 || stackDepth > 128) {
      throw new IllegalArgumentException(
          "poolBuffers=" + poolBuffers + " (1 or more), stackDepth=" + stackDepth + " (0 to 128)");
    }
    if (generation.compareTo(Duration.ofMillis(1)) < 0) {
      throw new IllegalArgumentException("generation of " + generation + ": 1 ms or more");
    }
    arguments = List.copyOf(arguments);
  }

  public TraceOptions withBufferBytes(int bytes) {
    return new TraceOptions(
        bytes,
        Math.min(threadBufferBytes, bytes / 2),
        poolBuffers,
        stackDepth,
        generation,
        jvmEvents,
        exactJvmEvents,
        program,
        arguments,
        gmpDebug,
        maxProcs);
  }

  public TraceOptions withThreadBufferBytes(int bytes) {
    return new TraceOptions(
        bufferBytes,
        bytes,
        poolBuffers,
        stackDepth,
        generation,
        jvmEvents,
        exactJvmEvents,
        program,
        arguments,
        gmpDebug,
        maxProcs);
  }

  public TraceOptions withPoolBuffers(int buffers) {
    return new TraceOptions(
        bufferBytes,
        threadBufferBytes,
        buffers,
        stackDepth,
        generation,
        jvmEvents,
        exactJvmEvents,
        program,
        arguments,
        gmpDebug,
        maxProcs);
  }

  public TraceOptions withStackDepth(int depth) {
    return new TraceOptions(
        bufferBytes,
        threadBufferBytes,
        poolBuffers,
        depth,
        generation,
        jvmEvents,
        exactJvmEvents,
        program,
        arguments,
        gmpDebug,
        maxProcs);
  }

  public TraceOptions withGeneration(Duration length) {
    return new TraceOptions(
        bufferBytes,
        threadBufferBytes,
        poolBuffers,
        stackDepth,
        length,
        jvmEvents,
        exactJvmEvents,
        program,
        arguments,
        gmpDebug,
        maxProcs);
  }

  public TraceOptions withJvmEvents(boolean on) {
    return new TraceOptions(
        bufferBytes,
        threadBufferBytes,
        poolBuffers,
        stackDepth,
        generation,
        on,
        exactJvmEvents,
        program,
        arguments,
        gmpDebug,
        maxProcs);
  }

  public TraceOptions withExactJvmEvents(boolean on) {
    return new TraceOptions(
        bufferBytes,
        threadBufferBytes,
        poolBuffers,
        stackDepth,
        generation,
        jvmEvents,
        on,
        program,
        arguments,
        gmpDebug,
        maxProcs);
  }

  /** Says what is being recorded. */
  public TraceOptions withProgram(
      String program, List<String> arguments, String gmpDebug, int maxProcs) {
    return new TraceOptions(
        bufferBytes,
        threadBufferBytes,
        poolBuffers,
        stackDepth,
        generation,
        jvmEvents,
        exactJvmEvents,
        program,
        arguments,
        gmpDebug,
        maxProcs);
  }
}
