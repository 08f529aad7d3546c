package dev.gmptrace.runtime.sched;

import dev.gmptrace.runtime.jdk.Jdk;
import dev.gmptrace.tracer.record.EntrySite;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * The Executor of a virtual thread that becomes a goroutine when it is started; until then it is
 * nothing but a thread, and may never be started at all.
 */
public final class ThreadStarter implements Executor {
  private final Sched sched;
  private final EntrySite site;
  private volatile @Nullable G gp;

  private ThreadStarter(Sched sched, EntrySite site) {
    this.sched = sched;
    this.site = site;
  }

  /**
   * A new, unstarted virtual thread that will run as a goroutine of {@code s}. In traces it goes by
   * its name without a number at the end, or by its task when {@code name} is empty.
   */
  public static Thread newThread(Sched s, String name, Runnable task) {
    if (task == null) {
      throw new FatalError("go of nil func value");
    }
    EntrySite site = name.isEmpty() ? G.siteOf(task) : EntrySite.ofThreadNamed(name);
    return Jdk.newVirtualThread(new ThreadStarter(s, site), name, task);
  }

  @Override
  public void execute(Runnable r) {
    G g = gp;
    if (g == null) {
      if (sched.shutdown) {
        throw NewProc.rejected(sched);
      }
      g = NewProc.prepare(sched, r, site);
      g.fn = null;
      g.thread = Jdk.threadOf(r);
      g.cont = r;
      gp = g;
      NewProc.started(g);
      return;
    }
    // Late submissions of a thread that has ended find a G that may be somebody else's by now; the
    // G compares continuations.
    g.execute(r);
  }
}
