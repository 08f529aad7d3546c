package dev.gmptrace.runtime.sched;

import org.jspecify.annotations.Nullable;

/**
 * What a parking G wants done once it is off its M: typically to release the lock under which it
 * queued itself. Runs on g0, so it must not park, block or throw.
 */
@FunctionalInterface
public interface UnlockFunction {
  /** Releases a {@link RuntimeMutex} given as the lock. */
  UnlockFunction UNLOCK =
      (gp, lock) -> {
        if (lock != null) {
          ((RuntimeMutex) lock).unlock();
        }
        return true;
      };

  /**
   * Called after {@code gp} is WAITING and unmounted. As soon as it lets go of the lock, {@code gp}
   * may be readied and run elsewhere.
   *
   * @return true to stay parked; false to let {@code gp} run on at once, and then nobody else may
   *     ready it
   */
  boolean unlock(G gp, @Nullable Object lock);
}
