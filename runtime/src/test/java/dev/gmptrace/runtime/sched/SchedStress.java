package dev.gmptrace.runtime.sched;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.NullUnmarked;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/**
 * The protocols of the scheduler under jcstress, each with a twin that has one step wrong and must
 * be seen to fail. {@link SchedStressTest} runs them.
 */
@NullUnmarked
@SuppressWarnings({"ReferenceEquality", "NonAtomicVolatileUpdate", "ThreadJoinLoop"})
public final class SchedStress {
  private static final RunQueue.Overflow NO_OVERFLOW =
      batch -> {
        throw new AssertionError("overflow of " + batch.size());
      };

  private SchedStress() {}

  static G g() {
    return new G(null);
  }

  /** Which of two Gs were seen, and how often at most. */
  static final class Seen {
    private final G a;
    private final G b;
    int ofA;
    int ofB;

    Seen(G a, G b) {
      this.a = a;
      this.b = b;
    }

    void see(G g) {
      if (g == a) {
        ofA++;
      } else if (g == b) {
        ofB++;
      }
    }
  }

  // ---- the ring ---------------------------------------------------------------------------------

  /** The owner puts one and takes one, a thief steals half: each G comes out exactly once. */
  @JCStressTest
  @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "Each exactly once.")
  @Outcome(expect = FORBIDDEN, desc = "Lost or doubled.")
  @State
  public static class RightRing {
    final RunQueue owner = new RunQueue();
    final RunQueue thief = new RunQueue();
    final G a = g();
    final G b = g();
    G byOwner;
    final G[] stolen = new G[1];

    public RightRing() {
      owner.put(a, false, NO_OVERFLOW);
    }

    @Actor
    public void owner() {
      owner.put(b, false, NO_OVERFLOW);
      byOwner = owner.getRing();
    }

    @Actor
    public void thief() {
      thief.stealFrom(owner, false, false, stolen);
    }

    @Arbiter
    public void count(II_Result r) {
      Seen seen = new Seen(a, b);
      seen.see(byOwner);
      seen.see(stolen[0]);
      for (G g = owner.getRing(); g != null; g = owner.getRing()) {
        seen.see(g);
      }
      for (G g = thief.getRing(); g != null; g = thief.getRing()) {
        seen.see(g);
      }
      r.r1 = seen.ofA;
      r.r2 = seen.ofB;
    }
  }

  /** Takes from the head by a store instead of a CAS. */
  @JCStressTest
  @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "Each exactly once.")
  @Outcome(expect = FORBIDDEN, desc = "Lost or doubled.")
  @State
  public static class BrokenRing {
    final G a = g();
    final G b = g();
    final G[] ring = {a, b};
    volatile int head;
    G byOwner;
    G byThief;

    private G take() {
      int h = head;
      G g = h < 2 ? ring[h] : null;
      head = h + 1;
      return g;
    }

    @Actor
    public void owner() {
      byOwner = take();
    }

    @Actor
    public void thief() {
      byThief = take();
    }

    @Arbiter
    public void count(II_Result r) {
      Seen seen = new Seen(a, b);
      seen.see(byOwner);
      seen.see(byThief);
      r.r1 = seen.ofA;
      r.r2 = seen.ofB;
    }
  }

  // ---- runnext ----------------------------------------------------------------------------------

  /** The owner replaces runnext and takes it, a thief wants it too. */
  @JCStressTest
  @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "Each exactly once.")
  @Outcome(expect = FORBIDDEN, desc = "Lost or doubled.")
  @State
  public static class RightRunnext {
    final RunQueue owner = new RunQueue();
    final RunQueue thief = new RunQueue();
    final G a = g();
    final G b = g();
    G byOwner;
    final G[] stolen = new G[1];

    public RightRunnext() {
      owner.put(a, true, NO_OVERFLOW);
    }

    @Actor
    public void owner() {
      owner.put(b, true, NO_OVERFLOW);
      byOwner = owner.getNext();
    }

    @Actor
    public void thief() {
      thief.stealFrom(owner, true, false, stolen);
    }

    @Arbiter
    public void count(II_Result r) {
      Seen seen = new Seen(a, b);
      seen.see(byOwner);
      seen.see(stolen[0]);
      seen.see(owner.getNext());
      for (G g = owner.getRing(); g != null; g = owner.getRing()) {
        seen.see(g);
      }
      r.r1 = seen.ofA;
      r.r2 = seen.ofB;
    }
  }

  /** Reads runnext and clears it in two steps. */
  @JCStressTest
  @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "Exactly once.")
  @Outcome(expect = FORBIDDEN, desc = "Lost or doubled.")
  @State
  public static class BrokenRunnext {
    final G a = g();
    volatile G runnext = a;
    G byOwner;
    G byThief;

    @Actor
    public void owner() {
      byOwner = runnext;
      runnext = null;
    }

    @Actor
    public void thief() {
      byThief = runnext;
      runnext = null;
    }

    @Arbiter
    public void count(II_Result r) {
      Seen seen = new Seen(a, null);
      if (byOwner != null) {
        seen.see(byOwner);
      }
      if (byThief != null) {
        seen.see(byThief);
      }
      r.r1 = seen.ofA;
    }
  }

  // ---- the park note ----------------------------------------------------------------------------

  /** One sleeps, one wakes; the sleeper hears of it, whoever comes first. */
  @JCStressTest
  @Outcome(id = "true, true", expect = ACCEPTABLE, desc = "Woken.")
  @Outcome(expect = FORBIDDEN, desc = "The wake-up was lost.")
  @State
  public static class RightNote {
    final Note note = new Note();

    @Actor
    public void sleeper(ZZ_Result r) {
      r.r1 = note.sleep(2_000_000_000L);
    }

    @Actor
    public void waker(ZZ_Result r) {
      note.wakeup();
      r.r2 = true;
    }
  }

  /** Looks for the signal and then announces itself, in two steps. */
  @JCStressTest
  @Outcome(id = "true, true", expect = ACCEPTABLE, desc = "Woken.")
  @Outcome(expect = FORBIDDEN, desc = "The wake-up was lost.")
  @State
  public static class BrokenNote {
    volatile boolean signal;
    volatile Thread waiting;

    @Actor
    public void sleeper(ZZ_Result r) {
      boolean woken = signal;
      if (!woken) {
        waiting = Thread.currentThread();
        long until = System.nanoTime() + 1_000_000;
        while (waiting != null && System.nanoTime() < until) {
          LockSupport.parkNanos(100_000);
        }
        woken = waiting == null;
      }
      r.r1 = woken;
    }

    @Actor
    public void waker(ZZ_Result r) {
      signal = true;
      Thread t = waiting;
      if (t != null) {
        waiting = null;
        LockSupport.unpark(t);
      }
      r.r2 = true;
    }
  }

  // ---- going idle -------------------------------------------------------------------------------

  /**
   * A producer queues a G and looks for idle Ps; the last spinning M goes idle and looks at the
   * queues once more. One of them must see the other, or the G waits for ever.
   */
  @JCStressTest
  @Outcome(id = "false, false", expect = FORBIDDEN, desc = "Nobody runs the G.")
  @Outcome(expect = ACCEPTABLE, desc = "Woken or found.")
  @State
  public static class RightIdle {
    final RunQueue queue = new RunQueue();
    final AtomicInteger npidle = new AtomicInteger();
    final AtomicInteger nmspinning = new AtomicInteger(1);
    final G a = g();

    @Actor
    public void producer(ZZ_Result r) {
      queue.put(a, true, NO_OVERFLOW);
      r.r1 = npidle.get() != 0 && nmspinning.get() == 0; // wakes an M
    }

    @Actor
    public void idler(ZZ_Result r) {
      npidle.incrementAndGet();
      nmspinning.decrementAndGet();
      r.r2 = !queue.isEmpty(); // takes its P back
    }
  }

  /** Looks at the queues before it has said that it stops spinning, and not after. */
  @JCStressTest
  @Outcome(id = "false, false", expect = FORBIDDEN, desc = "Nobody runs the G.")
  @Outcome(expect = ACCEPTABLE, desc = "Woken or found.")
  @State
  public static class BrokenIdle {
    final RunQueue queue = new RunQueue();
    final AtomicInteger npidle = new AtomicInteger();
    final AtomicInteger nmspinning = new AtomicInteger(1);
    final G a = g();

    @Actor
    public void producer(ZZ_Result r) {
      queue.put(a, true, NO_OVERFLOW);
      r.r1 = npidle.get() != 0 && nmspinning.get() == 0;
    }

    @Actor
    public void idler(ZZ_Result r) {
      r.r2 = !queue.isEmpty();
      npidle.incrementAndGet();
      nmspinning.decrementAndGet();
    }
  }
}
