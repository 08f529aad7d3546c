package dev.gmptrace.runtime.sched;

import dev.gmptrace.runtime.jdk.Jdk;
import java.util.Set;

/**
 * Who besides a scheduler's own goroutines may wake one of them: other threads, goroutines of other
 * schedulers, hooks of the JVM's end, handlers of signals. Whoever is not known to be harmless
 * counts.
 *
 * <p>The JDK's own threads are known by name, because some of those in its thread groups run what a
 * program gave them: the reaper of processes ends a {@code Process.onExit()}, a {@code Cleaner}
 * runs its actions, the pollers of sockets and the timers of virtual threads wake virtual threads
 * that are none of ours. A virtual thread of the JDK's scheduler that waits for another thread is
 * no thread here; that other thread is, or it waits as we do.
 */
@SuppressWarnings("ReferenceEquality") // schedulers are identities
final class Others {
  /** They run nothing of a program's, or only what another thread has set going. */
  private static final Set<String> OF_THE_JVM =
      Set.of(
          "Reference Handler",
          "Finalizer",
          "Signal Dispatcher",
          "Attach Listener",
          "Notification Thread",
          "Service Thread",
          "Common-Cleaner",
          "JFR Recorder Thread",
          "JFR Periodic Tasks",
          "VirtualThread-unblocker");

  private static final String UNPARKER = "VirtualThread-unparker";
  private static final String OURS = "gmptrace-";

  private final Sched sched;

  Others(Sched sched) {
    this.sched = sched;
  }

  /** Whether anybody is there, except handlers of signals. */
  boolean mayCome() {
    return hooks() || threads();
  }

  /** A program that ends by Ctrl-C may wait for a hook to say so. */
  private static boolean hooks() {
    Set<Thread> hooks = Jdk.shutdownHooks();
    if (hooks == null) {
      return true; // the JVM is ending, or does not tell
    }
    for (Thread hook : hooks) {
      boolean jdks = hook.getClass() != Thread.class && hook.getClass().getClassLoader() == null;
      if (!jdks && !hook.getName().startsWith(OURS)) {
        return true;
      }
    }
    return false;
  }

  private boolean threads() {
    ThreadGroup root = Thread.currentThread().getThreadGroup();
    while (root.getParent() != null) {
      root = root.getParent();
    }
    Thread[] all = new Thread[root.activeCount() + 64];
    int n = root.enumerate(all, true);
    if (n == all.length) {
      return true;
    }
    for (int i = 0; i < n; i++) {
      if (!harmless(all[i])) {
        return true;
      }
    }
    return false;
  }

  boolean harmless(Thread t) {
    if (t instanceof MThread mt) {
      return harmless(mt.m.sched);
    }
    if (t instanceof Sysmon sysmon) {
      return harmless(sysmon.sched());
    }
    if (sched.mainRuns.containsKey(t)) {
      return true;
    }
    ThreadGroup group = t.getThreadGroup();
    if (group == null) {
      return true; // it has ended
    }
    String name = t.getName();
    boolean jdks = group.getParent() == null || group.getName().equals("InnocuousThreadGroup");
    if (jdks && name.equals(UNPARKER)) {
      return t.getState() == Thread.State.WAITING; // else it waits for somebody's time to come
    }
    return (jdks && OF_THE_JVM.contains(name))
        || name.startsWith(OURS)
        || name.equals("DestroyJavaVM");
  }

  /** Another scheduler is, when it has nothing left that could run. */
  private boolean harmless(Sched s) {
    if (s == sched) {
      return true;
    }
    for (P pp : s.allp) {
      if (pp.timers.hasAny()) {
        return false;
      }
    }
    return s.numGoroutine() == 0;
  }

  /**
   * Whether the program has handlers of signals. The JDK has no question for that: a handler is
   * changed for a moment, and put back. So this is asked last, when all else is asleep.
   */
  boolean handleSignals() {
    return Jdk.handlesSignals();
  }
}
