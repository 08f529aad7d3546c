package dev.gmptrace.runtime.sched;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gmptrace.runtime.config.RuntimeConfig;
import dev.gmptrace.tracer.record.TraceOptions;
import org.junit.jupiter.api.Test;

/** What {@code GMPDEBUG} says about recording reaches the recorder. */
class RecordingOptionsTest {
  private static TraceOptions options(String debug) {
    return Recordings.options(RuntimeConfig.of(debug));
  }

  @Test
  void whatIsAllowedIsTaken() {
    assertEquals(4 << 10, options("tracebuf=4K").bufferBytes());
    assertEquals(4 << 20, options("tracebuf=4M").bufferBytes());
    assertEquals(1, options("tracepool=64K,tracebuf=4M").poolBuffers());
    assertEquals(
        TraceOptions.MAX_POOL_BUFFERS, options("tracepool=8000000000G,tracebuf=4K").poolBuffers());
  }

  @Test
  void thePoolIsWhatBothKindsOfBuffersTakeTogether() {
    TraceOptions o = options("tracepool=10M");
    long bytes =
        (long) o.poolBuffers()
            * (o.bufferBytes() + TraceOptions.THREAD_BUFFERS * o.threadBufferBytes());
    assertTrue(bytes <= 10 << 20 && bytes > 9 << 20, bytes + " bytes");
  }

  @Test
  void collectionsAreToldByWhoWasAsked() {
    assertTrue(options("").jvmEvents());
    assertFalse(options("").exactJvmEvents());
    assertTrue(options("tracegc=1").jvmEvents());
    assertFalse(options("tracegc=0").jvmEvents());
    assertTrue(options("tracegc=jfr").exactJvmEvents());
  }
}
