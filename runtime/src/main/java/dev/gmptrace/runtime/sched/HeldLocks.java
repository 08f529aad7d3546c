package dev.gmptrace.runtime.sched;

/**
 * How many runtime locks each M holds, for invariant G5. Only in a JVM that was started with
 * GMPDEBUG=check=1 or {@code -Dgmptrace.check=true}: a constant of the JVM, because the locks are
 * in everybody's way and must not cost a branch when nobody checks.
 */
final class HeldLocks {
  static final boolean ON = Boolean.getBoolean("gmptrace.check") || inEnvironment();

  private HeldLocks() {}

  private static boolean inEnvironment() {
    String debug = System.getenv("GMPDEBUG");
    if (debug == null || debug.isEmpty()) {
      debug = System.getenv("GODEBUG");
    }
    return debug != null && ("," + debug.replace(" ", "") + ",").contains(",check=1,");
  }

  static void took(RuntimeMutex lock) {
    M m = M.current();
    if (m != null) {
      m.heldLocks++;
      m.lastLock = lock;
    }
  }

  static void letGo() {
    M m = M.current();
    if (m != null) {
      m.heldLocks--;
    }
  }

  static String nameOfLast(M m) {
    RuntimeMutex last = m.lastLock;
    return last == null ? "lock" : last.getClass().getSimpleName();
  }
}
