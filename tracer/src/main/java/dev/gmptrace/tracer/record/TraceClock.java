package dev.gmptrace.tracer.record;

import dev.gmptrace.tracer.wire.FileFormat;

/** The clock of the events: ticks since this class was loaded, so that they are small numbers. */
final class TraceClock {
  private static final long ORIGIN = System.nanoTime();

  private TraceClock() {}

  static long ticks(long nanoTime) {
    return (nanoTime - ORIGIN) >> FileFormat.TICK_SHIFT;
  }

  static long now() {
    return ticks(System.nanoTime());
  }
}
