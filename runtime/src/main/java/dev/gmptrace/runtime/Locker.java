package dev.gmptrace.runtime;

/** Something that can be locked and unlocked. Go's {@code sync.Locker}. */
public interface Locker {
  /** Locks, waiting until it is possible. */
  void lock();

  /** Unlocks. */
  void unlock();
}
