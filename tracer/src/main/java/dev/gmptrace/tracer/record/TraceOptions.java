package dev.gmptrace.tracer.record;

import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * How to record. Start from {@link #DEFAULTS} and change what you need.
 *
 * @param bufferBytes size of a P's buffer
 * @param threadBufferBytes size of the buffer of a thread without a P
 * @param poolBuffers how many full buffers of Ps may be on the way to the writer, up to {@value
 *     #MAX_POOL_BUFFERS}; with none left, events are dropped and counted. The buffers of threads
 *     have a pool of {@value #THREAD_BUFFERS} times that number. On top comes what is being filled:
 *     one buffer for each P, and for each thread that has written without a P, and a second while a
 *     generation ends
 * @param stackDepth frames to record of each stack; 0 records no stacks
 * @param stackOn the events that get a stack
 * @param cpuHz how often in a second to sample what runs, up to {@value #MAX_CPU_HZ}; 0 takes no
 *     samples
 * @param generation how long a generation lasts
 * @param jvmEvents whether to record garbage collections, pauses and the heap
 * @param exactJvmEvents whether to ask JFR for them, which knows them to the nanosecond, and not
 *     the JVM's management notifications, which know them to the millisecond and cost nothing. JFR
 *     once started makes every switch of goroutines about 60 ns slower, for the rest of the process
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
    Set<StackOn> stackOn,
    int cpuHz,
    Duration generation,
    boolean jvmEvents,
    boolean exactJvmEvents,
    String program,
    List<String> arguments,
    String gmpDebug,
    int maxProcs) {

  /** A sample makes the thread that it is of stop for some microseconds. */
  public static final int MAX_CPU_HZ = 1000;

  /** For each buffer of a P, so many smaller ones for threads. */
  public static final int THREAD_BUFFERS = 4;

  public static final int MAX_POOL_BUFFERS = 1 << 20;

  public static final int MAX_BUFFER_BYTES = 4 << 20;

  public static final TraceOptions DEFAULTS =
      new TraceOptions(
          64 << 10,
          4 << 10,
          256,
          0,
          Set.of(StackOn.values()),
          0,
          Duration.ofSeconds(1),
          true,
          false,
          "",
          List.of(),
          "",
          Runtime.getRuntime().availableProcessors());

  public TraceOptions {
    if (bufferBytes < 2048 || bufferBytes > MAX_BUFFER_BYTES) {
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
    if (poolBuffers < 1 || poolBuffers > MAX_POOL_BUFFERS) {
      throw new IllegalArgumentException(
          "poolBuffers=" + poolBuffers + ": allowed are 1 to " + MAX_POOL_BUFFERS);
    }
    if (stackDepth < 0 || stackDepth > 128) {
      throw new IllegalArgumentException("stackDepth=" + stackDepth + ": allowed are 0 to 128");
    }
    if (cpuHz < 0 || cpuHz > MAX_CPU_HZ) {
      throw new IllegalArgumentException("cpuHz=" + cpuHz + ": allowed are 0 to " + MAX_CPU_HZ);
    }
    if (generation.compareTo(Duration.ofMillis(1)) < 0) {
      throw new IllegalArgumentException("generation of " + generation + ": 1 ms or more");
    }
    arguments = List.copyOf(arguments);
    stackOn = Set.copyOf(stackOn);
  }

  public TraceOptions withBufferBytes(int bytes) {
    return new TraceOptions(
        bytes,
        Math.min(threadBufferBytes, bytes / 2),
        poolBuffers,
        stackDepth,
        stackOn,
        cpuHz,
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
        stackOn,
        cpuHz,
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
        stackOn,
        cpuHz,
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
        stackOn,
        cpuHz,
        generation,
        jvmEvents,
        exactJvmEvents,
        program,
        arguments,
        gmpDebug,
        maxProcs);
  }

  /** Which events get a stack, if stacks are recorded at all. */
  public TraceOptions withStackOn(Set<StackOn> events) {
    return new TraceOptions(
        bufferBytes,
        threadBufferBytes,
        poolBuffers,
        stackDepth,
        events,
        cpuHz,
        generation,
        jvmEvents,
        exactJvmEvents,
        program,
        arguments,
        gmpDebug,
        maxProcs);
  }

  public TraceOptions withCpuHz(int hz) {
    return new TraceOptions(
        bufferBytes,
        threadBufferBytes,
        poolBuffers,
        stackDepth,
        stackOn,
        hz,
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
        stackOn,
        cpuHz,
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
        stackOn,
        cpuHz,
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
        stackOn,
        cpuHz,
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
        stackOn,
        cpuHz,
        generation,
        jvmEvents,
        exactJvmEvents,
        program,
        arguments,
        gmpDebug,
        maxProcs);
  }
}
