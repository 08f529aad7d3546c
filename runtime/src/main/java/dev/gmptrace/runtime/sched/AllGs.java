package dev.gmptrace.runtime.sched;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Every G there is, by slot. Slots are handed out to Ps in batches, so that making a G takes no
 * lock; readers take none either, and see each G that was there before they began and still is.
 *
 * <p>Go keeps all Gs for ever and reuses them. Here only a few are kept: a dead G that waits for
 * reuse is old to the garbage collector, and a store of a young thread into it seems to cost more
 * than a new G. (Spawning was faster so in two noisy experiments; measure before relying on it.)
 */
final class AllGs {
  private static final int CHUNK = 1024;
  private static final VarHandle ELEMENT = MethodHandles.arrayElementVarHandle(G[].class);

  private final RuntimeMutex lock = new RuntimeMutex();
  private volatile G[][] chunks = new G[0][];
  private volatile int size;

  // Free slots, under lock.
  private int[] free = new int[64];
  private int nfree;

  /** Fills the first {@code n} of {@code slots}. */
  void takeSlots(int[] slots, int n) {
    lock.lock();
    try {
      int i = 0;
      while (i < n && nfree > 0) {
        slots[i++] = free[--nfree];
      }
      while (i < n) {
        int next = size;
        if (next / CHUNK == chunks.length) {
          G[][] grown = Arrays.copyOf(chunks, chunks.length + 1);
          grown[chunks.length] = new G[CHUNK];
          chunks = grown;
        }
        slots[i++] = next;
        size = next + 1;
      }
    } finally {
      lock.unlock();
    }
  }

  /** Takes the slots from {@code from} to {@code to} back. */
  void returnSlots(int[] slots, int from, int to) {
    lock.lock();
    int n = to - from;
    if (nfree + n > free.length) {
      free = Arrays.copyOf(free, Math.max(free.length * 2, nfree + n));
    }
    System.arraycopy(slots, from, free, nfree, n);
    nfree += n;
    lock.unlock();
  }

  /** Puts a G into a slot of its own, or with null empties it. */
  void set(int slot, @Nullable G gp) {
    ELEMENT.setRelease(chunks[slot / CHUNK], slot % CHUNK, gp);
  }

  void forEach(Consumer<G> visitor) {
    int n = size;
    G[][] c = chunks;
    for (int i = 0; i < n; i++) {
      G gp = (G) ELEMENT.getAcquire(c[i / CHUNK], i % CHUNK);
      if (gp != null) {
        visitor.accept(gp);
      }
    }
  }
}
