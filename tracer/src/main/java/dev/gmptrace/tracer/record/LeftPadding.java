package dev.gmptrace.tracer.record;

/** Keeps buffers of different Ps out of each other's cache lines. */
@SuppressWarnings("unused")
abstract class LeftPadding {
  private long p0;
  private long p1;
  private long p2;
  private long p3;
  private long p4;
  private long p5;
  private long p6;
  private long p7;
}
