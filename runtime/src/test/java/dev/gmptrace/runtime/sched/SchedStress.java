package dev.gmptrace.runtime.sched;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.NullUnmarked;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/**
 * The protocols of the scheduler under jcstress. {@link SchedStressTest} runs them on the real
 * classes, where they must pass, and on twins of these with one instruction changed ({@link
 * Mutant}), where each must be seen to fail.
 */
@NullUnmarked
@SuppressWarnings("ReferenceEquality")
public final class SchedStress {
  private static final long PATIENCE =
      1_000_000L * Integer.getInteger("gmptrace.stress.patience", 1000);

  private static final SchedOptions OPTIONS = SchedOptions.defaults().withProcs(2);

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
  public static class Ring {
    final RunQueue owner = new RunQueue();
    final RunQueue thief = new RunQueue();
    final G a = g();
    final G b = g();
    G byOwner;
    final G[] stolen = new G[1];

    public Ring() {
      owner.put(a, false, NO_OVERFLOW);
    }

    @Actor
    public void owner() {
      owner.put(b, false, NO_OVERFLOW);
      byOwner = owner.getRing();
    }

    @Actor
    public void thief() {
      thief.stealFrom(owner, stolen);
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

  /** Two thieves at one ring, which nobody else touches: what makes the CAS of grab necessary. */
  @JCStressTest
  @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "Each exactly once.")
  @Outcome(expect = FORBIDDEN, desc = "Lost or doubled.")
  @State
  public static class Thieves {
    final RunQueue owner = new RunQueue();
    final RunQueue one = new RunQueue();
    final RunQueue other = new RunQueue();
    final G a = g();
    final G b = g();
    final G[] byOne = new G[1];
    final G[] byOther = new G[1];

    public Thieves() {
      owner.put(a, false, NO_OVERFLOW);
      owner.put(b, false, NO_OVERFLOW);
    }

    @Actor
    public void one() {
      one.stealFrom(owner, byOne);
    }

    @Actor
    public void other() {
      other.stealFrom(owner, byOther);
    }

    @Arbiter
    public void count(II_Result r) {
      Seen seen = new Seen(a, b);
      seen.see(byOne[0]);
      seen.see(byOther[0]);
      for (G g = owner.getRing(); g != null; g = owner.getRing()) {
        seen.see(g);
      }
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
  public static class Runnext {
    final RunQueue owner = new RunQueue();
    final RunQueue thief = new RunQueue();
    final G a = g();
    final G b = g();
    G byOwner;
    final G[] stolen = new G[1];

    public Runnext() {
      owner.put(a, true, NO_OVERFLOW);
    }

    @Actor
    public void owner() {
      owner.put(b, true, NO_OVERFLOW);
      byOwner = owner.getNext();
    }

    @Actor
    public void thief() {
      if (thief.stealFrom(owner, stolen) == 0) {
        stolen[0] = owner.stealNext();
      }
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

  // ---- the park note ----------------------------------------------------------------------------

  /** One sleeps, one wakes; the sleeper hears of it, whoever comes first. */
  @JCStressTest
  @Outcome(id = "true, true", expect = ACCEPTABLE, desc = "Woken.")
  @Outcome(expect = FORBIDDEN, desc = "The wake-up was lost.")
  @State
  public static class ParkNote {
    final Note note = new Note();

    @Actor
    public void sleeper(ZZ_Result r) {
      r.r1 = note.sleep(PATIENCE);
    }

    @Actor
    public void waker(ZZ_Result r) {
      note.wakeup();
      r.r2 = true;
    }
  }

  // ---- going idle -------------------------------------------------------------------------------

  /** The same on a scheduler's own code, with Ms that have no thread. */
  @JCStressTest
  @Outcome(id = "false, false", expect = FORBIDDEN, desc = "Nobody runs the G.")
  @Outcome(expect = ACCEPTABLE, desc = "Woken or found.")
  @State
  public static class IdleList {
    final Sched s = new Sched(OPTIONS);
    final M busy = holding(new M(s, 1, false));
    final M spinner = holding(new M(s, 2, false));
    final M asleep = new M(s, 3, false);
    final G a = g();

    public IdleList() {
      s.nmspinning.set(1);
      spinner.spinning = true;
      s.lock.lock();
      s.mput(asleep);
      s.lock.unlock();
    }

    private M holding(M m) {
      s.lock.lock();
      P pp = s.pidleget();
      s.lock.unlock();
      Threads.acquirep(m, pp);
      return m;
    }

    @Actor
    public void producer(ZZ_Result r) {
      P pp = busy.p();
      pp.runq.put(a, true, NO_OVERFLOW);
      Threads.wakep(s, busy, pp);
      r.r1 = asleep.nextp != null;
    }

    @Actor
    public void idler(ZZ_Result r) {
      s.lock.lock();
      r.r2 = FindRunnable.giveUp(s, spinner, spinner.p());
    }
  }

  /**
   * A producer queues a G and looks for idle Ps; the last spinning M goes idle and looks at the
   * queues once more. One of them must see the other, or the G waits for ever.
   */
  @JCStressTest
  @Outcome(id = "false, false", expect = FORBIDDEN, desc = "Nobody runs the G.")
  @Outcome(expect = ACCEPTABLE, desc = "Woken or found.")
  @State
  public static class Idle {
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
}
