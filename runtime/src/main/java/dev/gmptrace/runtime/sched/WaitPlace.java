package dev.gmptrace.runtime.sched;

/**
 * What a goroutine can wait for, as far as the checks of GMPDEBUG=check=1 ask it (invariant G4):
 * given to {@link Proc#gopark} in place of the lock, it is asked whether it knows of the goroutine.
 */
public interface WaitPlace {
  /** Under its lock: whether {@code gp} is in line here, and not yet claimed by anybody. */
  boolean waits(G gp);
}
