package dev.gmptrace.runtime.sched;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A P's local run queue: a ring of 256 Gs plus {@code runnext}.
 *
 * <pre>
 *     head (thieves and owner: CAS)          tail (owner only: release store)
 *       v                                      v
 *   ..[G][G][G][G][G][G][G][G][G][G][G][G][G][ ]..      t - h &lt;= 256, modulo 2^32
 *   runnext: the G that runs before the ring; owner and thieves exchange it by CAS
 * </pre>
 *
 * <p>The order of memory, and what it is for:
 *
 * <ol>
 *   <li>put: slot (plain), then tail (release). Whoever reads tail (acquire) sees the slot and
 *       everything the G's waker wrote before.
 *   <li>get and grab: read head (acquire), tail (acquire), the slots, then CAS head. A CAS that
 *       succeeds proves that nobody took those slots meanwhile; and since put refuses to run past
 *       head + 256, that the owner did not overwrite them while they were read. A CAS that fails
 *       throws the (maybe torn) batch away.
 *   <li>head is read with acquire in put, so that the slot is overwritten only after the consumer's
 *       reads of it.
 *   <li>runnext is exchanged by CAS with full order, so that "put, then look for idle Ps" in the
 *       producer and "go idle, then look at the queues" in an idle M cannot both miss (see
 *       FindRunnable).
 * </ol>
 *
 * <p>Consumed slots are not cleared. They keep at most 256 dead Gs reachable, and dead Gs are kept
 * for reuse anyway.
 */
final class RunQueue {
  static final int SIZE = 256;
  private static final int MASK = SIZE - 1;

  private static final VarHandle HEAD;
  private static final VarHandle TAIL;
  private static final VarHandle NEXT;
  private static final VarHandle NEXT_PUTS;

  static {
    try {
      MethodHandles.Lookup l = MethodHandles.lookup();
      HEAD = l.findVarHandle(RunQueue.class, "head", int.class);
      TAIL = l.findVarHandle(RunQueue.class, "tail", int.class);
      NEXT = l.findVarHandle(RunQueue.class, "runnext", G.class);
      NEXT_PUTS = l.findVarHandle(RunQueue.class, "nextPuts", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  @SuppressWarnings("UnusedVariable") // through HEAD
  private int head;

  private int tail;

  @SuppressWarnings("UnusedVariable") // through NEXT
  private @Nullable G runnext;

  /** How often runnext was set; written by the owner before it sets it. */
  private int nextPuts;

  private final G[] ring = new G[SIZE];

  /** Receives what does not fit. */
  interface Overflow {
    /** Takes {@code batch}, oldest first, out of the local queue's hands. */
    void take(GQueue batch);
  }

  /**
   * Owner only. Puts {@code gp} in; with {@code next} it becomes runnext and the G it displaces
   * goes to the ring's tail. A full ring gives away its older half plus the new G.
   */
  void put(G gp, boolean next, Overflow overflow) {
    G in = gp;
    if (next) {
      NEXT_PUTS.setOpaque(this, nextPuts + 1);
      G old = (G) NEXT.getAndSet(this, gp);
      if (old == null) {
        return;
      }
      in = old;
    }
    for (; ; ) {
      int h = (int) HEAD.getAcquire(this);
      int t = tail;
      if (t - h < SIZE) {
        ring[t & MASK] = in;
        TAIL.setRelease(this, t + 1);
        return;
      }
      if (putSlow(in, h, t, overflow)) {
        return;
      }
      // Somebody stole: there is room now.
    }
  }

  private boolean putSlow(G gp, int h, int t, Overflow overflow) {
    int n = (t - h) / 2;
    G[] batch = new G[n + 1];
    for (int i = 0; i < n; i++) {
      batch[i] = ring[(h + i) & MASK];
    }
    if (!HEAD.compareAndSet(this, h, h + n)) {
      return false;
    }
    batch[n] = gp;
    GQueue q = new GQueue();
    for (G g : batch) {
      q.pushBack(g);
    }
    overflow.take(q);
    return true;
  }

  /** Owner only. Takes runnext, or null. It runs on in the time slice of the G before it. */
  @Nullable G getNext() {
    G next = (G) NEXT.getOpaque(this);
    // Only the owner sets it, so when the CAS fails a thief has it.
    if (next != null && NEXT.compareAndSet(this, next, null)) {
      return next;
    }
    return null;
  }

  /** Owner only. Takes the oldest G of the ring, or null. */
  @Nullable G getRing() {
    for (; ; ) {
      int h = (int) HEAD.getAcquire(this);
      int t = tail;
      if (t == h) {
        return null;
      }
      G gp = ring[h & MASK];
      if (HEAD.compareAndSet(this, h, h + 1)) {
        return gp;
      }
    }
  }

  /** Owner only. Everything that is in, runnext first; for a P that is being taken down. */
  GQueue drain() {
    GQueue q = new GQueue();
    G gp = getNext();
    if (gp != null) {
      q.pushBack(gp);
    }
    while ((gp = getRing()) != null) {
      q.pushBack(gp);
    }
    return q;
  }

  /**
   * The owner of this queue steals half of the victim's ring.
   *
   * @return how many Gs moved; all but the last are in this ring, the last is in {@code first[0]}
   */
  int stealFrom(RunQueue victim, G[] first) {
    int t = tail;
    int n = victim.grab(ring, t);
    if (n == 0) {
      return 0;
    }
    int rest = n - 1;
    first[0] = ring[(t + rest) & MASK];
    if (rest > 0) {
      int h = (int) HEAD.getAcquire(this);
      if (t - h + rest >= SIZE) {
        throw new FatalError("runqsteal: runq overflow");
      }
      TAIL.setRelease(this, t + rest);
    }
    return n;
  }

  private int grab(G[] batch, int batchHead) {
    for (; ; ) {
      int h = (int) HEAD.getAcquire(this);
      int t = (int) TAIL.getAcquire(this);
      int n = t - h;
      n -= n / 2;
      if (n == 0) {
        return 0;
      }
      if (n > SIZE / 2) { // head and tail were not read at one moment
        continue;
      }
      for (int i = 0; i < n; i++) {
        batch[(batchHead + i) & MASK] = ring[(h + i) & MASK];
      }
      if (HEAD.compareAndSet(this, h, h + n)) {
        return n;
      }
    }
  }

  /** A thief takes runnext, or null. Whether it should is for {@link Nap} to say. */
  @Nullable G stealNext() {
    G next = (G) NEXT.getAcquire(this);
    return next != null && NEXT.compareAndSet(this, next, null) ? next : null;
  }

  /** How often runnext was set; tells a thief whether it is still the same wait. */
  int nextPuts() {
    return (int) NEXT_PUTS.getOpaque(this);
  }

  /** How many Gs are in the ring; runnext is not counted, as in schedtrace. */
  int size() {
    for (; ; ) {
      int h = (int) HEAD.getAcquire(this);
      int t = (int) TAIL.getAcquire(this);
      if (h == (int) HEAD.getAcquire(this)) {
        return t - h;
      }
    }
  }

  /** Whether there is nothing, not even a runnext, at one moment. */
  boolean isEmpty() {
    // put(next) moves a G from runnext to the ring: a reader that saw the ring empty before and
    // runnext empty after would miss it. So the tail must not have moved around the look at
    // runnext.
    for (; ; ) {
      int h = (int) HEAD.getVolatile(this);
      int t = (int) TAIL.getVolatile(this);
      G next = (G) NEXT.getVolatile(this);
      if (t == (int) TAIL.getVolatile(this)) {
        return h == t && next == null;
      }
    }
  }

  /** Owner only, for checks. Whether {@code gp} is in, as runnext or in the ring. */
  boolean contains(G gp) {
    int h = (int) HEAD.getAcquire(this);
    for (int i = h; i != tail; i++) {
      if (ring[i & MASK] == gp) {
        return true;
      }
    }
    return NEXT.getAcquire(this) == gp;
  }

  /** Owner only. Whether nothing but runnext is in. */
  boolean ringIsEmpty() {
    return tail == (int) HEAD.getOpaque(this);
  }

  /** Whether runnext is set; racy. */
  boolean hasNext() {
    return NEXT.getOpaque(this) != null;
  }
}
