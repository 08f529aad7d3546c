package dev.gmptrace.cli.demo;

/** Work that keeps a processor busy for a known time, calling nothing of the runtime. */
final class Work {
  /** Keeps the compiler from leaving the work out. */
  static volatile long sink;

  private Work() {}

  /** Computes for about so many microseconds. */
  static void spin(long micros) {
    long end = System.nanoTime() + micros * 1000;
    long x = end;
    while (System.nanoTime() < end) {
      for (int i = 0; i < 64; i++) {
        x = x * 6364136223846793005L + 1442695040888963407L;
      }
    }
    sink = x;
  }
}
