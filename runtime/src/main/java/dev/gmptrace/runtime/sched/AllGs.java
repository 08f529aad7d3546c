package dev.gmptrace.runtime.sched;

import java.util.function.Consumer;

/**
 * Every G ever made, dead ones included: they are reused. Grows by chunks under its own lock, so a
 * reader needs no lock and never sees a G move.
 */
final class AllGs {
  private static final int CHUNK = 1024;

  private final RuntimeMutex lock = new RuntimeMutex();
  private volatile G[][] chunks = new G[0][];
  private volatile int size;

  void add(G[] gs) {
    lock.lock();
    try {
      int n = size;
      for (G gp : gs) {
        if (n / CHUNK == chunks.length) {
          G[][] grown = java.util.Arrays.copyOf(chunks, chunks.length + 1);
          grown[chunks.length] = new G[CHUNK];
          chunks = grown;
        }
        chunks[n / CHUNK][n % CHUNK] = gp;
        n++;
      }
      size = n; // publishes the slots
    } finally {
      lock.unlock();
    }
  }

  int size() {
    return size;
  }

  void forEach(Consumer<G> visitor) {
    int n = size;
    G[][] c = chunks;
    for (int i = 0; i < n; i++) {
      visitor.accept(c[i / CHUNK][i % CHUNK]);
    }
  }
}
