package dev.gmptrace.runtime.sched;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * How a spinning M leaves a just-readied runnext alone for a moment.
 *
 * <p>A G in runnext was most likely readied by the G that runs there, which is about to park and
 * let it run. Taking it would send both, and their cache lines, to and fro between two Ps. So the
 * thief waits a moment first, as in Go, and takes the G only if it is still there <em>from the same
 * put</em>. Two Gs that talk to each other fill runnext again and again with the same two pointers,
 * so the pointer says nothing; a count of puts does.
 *
 * <p>While runnext keeps changing the thief stays, asleep but counted as spinning, and naps longer
 * and longer. (Rejected: letting it go. Then each G that is readied finds an idle P and no spinner,
 * and wakes the M again: a system call every few dozen microseconds on the P that has work, for an
 * M that will find nothing to steal.) What it must not do is sleep while there is more than a
 * runnext: whoever puts a G on a ring or on the global queue kicks it. A kick that is missed costs
 * no more than the rest of the nap.
 */
@SuppressWarnings("ReferenceEquality") // threads are identities
final class Nap {
  static final long FIRST = 20_000;
  private static final long LONGEST = 320_000;
  private static final VarHandle NAPPER;

  static {
    try {
      NAPPER = MethodHandles.lookup().findVarHandle(Nap.class, "napper", Thread.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** One of those asleep; when there are more, the others wake by themselves. */
  @SuppressWarnings("UnusedVariable") // through NAPPER
  private @Nullable Thread napper;

  /** By a spinning M that found nothing: sleeps if a runnext somewhere may be its own soon. */
  boolean rest(M m, long pollUntil) {
    if (!moving(m)) {
      m.napNanos = FIRST;
      return false;
    }
    long nanos = m.napNanos;
    m.napNanos = Math.min(2 * nanos, LONGEST);
    if (pollUntil != 0) {
      nanos = Math.min(nanos, pollUntil - Sched.nanotime());
    }
    if (nanos > 0) {
      Thread me = Thread.currentThread();
      NAPPER.setVolatile(this, me);
      if (!workOutside(m)) {
        LockSupport.parkNanos(nanos);
        Thread.interrupted(); // an interrupted thread could not nap again
      }
      NAPPER.compareAndSet(this, me, null);
    }
    return true;
  }

  /** Whether the runnext of {@code victim}, number {@code at}, has waited for a nap. */
  static boolean ripe(M m, P victim, int at) {
    int[] seen = m.nextPutsSeen;
    return victim.status() != P.RUNNING || (at < seen.length && seen[at] == victim.runq.nextPuts());
  }

  /** Whether some runnext is waiting, or was put since this M looked last. Remembers the puts. */
  private static boolean moving(M m) {
    P[] ps = m.sched.allp;
    int n = m.sched.gomaxprocs;
    int[] seen = m.nextPutsSeen;
    if (seen.length < n) {
      m.nextPutsSeen = seen = new int[n];
    }
    boolean moving = false;
    for (int i = 0; i < n; i++) {
      RunQueue q = ps[i].runq;
      int puts = q.nextPuts();
      moving |= puts != seen[i] || q.hasNext();
      seen[i] = puts;
    }
    return moving;
  }

  private static boolean workOutside(M m) {
    Sched s = m.sched;
    if (s.runqsize != 0 || s.gcwaiting || s.shutdown) {
      return true;
    }
    P[] ps = s.allp;
    for (int i = 0; i < s.gomaxprocs; i++) {
      if (ps[i].runq.size() != 0) {
        return true;
      }
    }
    return false;
  }

  /** There is work that anybody may take. */
  void kick() {
    Thread t = (Thread) NAPPER.getVolatile(this);
    if (t != null && NAPPER.compareAndSet(this, t, null)) {
      LockSupport.unpark(t);
    }
  }
}
