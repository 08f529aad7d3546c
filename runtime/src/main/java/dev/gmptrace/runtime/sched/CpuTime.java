package dev.gmptrace.runtime.sched;

import dev.gmptrace.runtime.jdk.Jdk;
import dev.gmptrace.tracer.record.TraceSubject;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.IdentityHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Which Gs use the CPUs, for the tracer's sampler and on its thread.
 *
 * <p>A sample is paid for with CPU time: an M has an account, into which the kernel's count of its
 * CPU time goes, and a look at it that finds a G running and a whole period in the account takes a
 * sample and a period off. So an M that waits for a CPU, or whose G blocks it in the kernel, gives
 * no samples, and samples times the period is CPU time. A look that finds no G empties the account:
 * that time was the scheduler's. A look that comes late finds more than a period; no more than one
 * is kept, because samples in a row would all show what runs now.
 *
 * <p>Nothing here stops anybody but for the stack, which the JVM takes when the thread comes to a
 * safepoint; that is where samples are biased to. The fields of the M are read as they are, and
 * looked at again behind the stack: if its G is another by then, the sample is void.
 */
@SuppressWarnings("ReferenceEquality") // Gs, Ms and Ps are identities
final class CpuTime implements TraceSubject.CpuSamples {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  /** What an M has used. */
  private static final class Account {
    long seen;
    long balance;
    boolean alive;
  }

  private final Sched sched;
  private final long period;
  private final boolean known =
      THREADS.isThreadCpuTimeSupported() && THREADS.isThreadCpuTimeEnabled();
  private final IdentityHashMap<M, Account> accounts = new IdentityHashMap<>();

  CpuTime(Sched sched, long periodNanos) {
    this.sched = sched;
    this.period = periodNanos;
  }

  @Override
  public void take(TraceSubject.CpuSample to) {
    for (M m = sched.allm; m != null; m = m.alllink) {
      Thread t = m.thread;
      if (t != null) {
        look(m, t, to);
      }
    }
    accounts.values().removeIf(a -> !a.alive);
    accounts.values().forEach(a -> a.alive = false);
  }

  private void look(M m, Thread t, TraceSubject.CpuSample to) {
    Account a = accounts.get(m);
    long cpu = known ? THREADS.getThreadCpuTime(t.threadId()) : 0;
    if (a == null) {
      a = new Account();
      a.seen = cpu;
      accounts.put(m, a);
    }
    a.alive = true;
    // Where the system does not tell, running on a P has to do.
    a.balance += known ? Math.max(0, cpu - a.seen) : period;
    a.seen = cpu;
    G gp = m.curg;
    P pp = m.p;
    Thread running = gp == null ? null : gp.thread;
    if (gp == null || pp == null || running == null) {
      a.balance = 0;
      return;
    }
    if (a.balance < period) {
      return;
    }
    long goid = gp.goid();
    StackTraceElement @Nullable [] stack = Jdk.stackIfMounted(running);
    a.balance = Math.min(a.balance - period, period);
    if (stack != null && stack.length > 0 && m.curg == gp && m.p == pp && gp.goid() == goid) {
      to.sample(goid, pp.id, (int) m.id, stack);
    }
  }
}
