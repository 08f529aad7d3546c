package dev.gmptrace.runtime;

import dev.gmptrace.runtime.sched.FatalError;
import dev.gmptrace.runtime.sched.Foreign;
import dev.gmptrace.runtime.sched.G;
import dev.gmptrace.runtime.sched.Proc;
import dev.gmptrace.runtime.sched.Sema;
import dev.gmptrace.runtime.sched.WaitReason;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Go's {@code sync.RWMutex}: many readers or one writer. A writer that waits keeps new readers out,
 * so it cannot starve; so a goroutine must not read-lock twice.
 *
 * <p>A writer announces itself by taking {@link #MAX_READERS} off the count of readers: new ones
 * see a negative count and wait, and those inside count down {@code readerWait}, the last one
 * letting the writer in.
 */
public final class RWMutex implements Locker {
  private static final int MAX_READERS = 1 << 30;

  private final Mutex writers = new Mutex();
  private final Sema writerSem = new Sema();
  private final Sema readerSem = new Sema();
  private final AtomicInteger readerCount = new AtomicInteger();
  private final AtomicInteger readerWait = new AtomicInteger();

  /** Unlocked. */
  public RWMutex() {}

  /** Locks for reading. */
  public void rLock() {
    G gp = Proc.enter();
    if (gp == null) {
      if (!tryRLock()) {
        Foreign.call(Go.sched(), this::rLock);
      }
      return;
    }
    if (readerCount.incrementAndGet() < 0) {
      readerSem.acquire(gp, false, WaitReason.SYNC_RWMUTEX_RLOCK);
    }
  }

  /** Locks for reading if no writer holds it or waits. */
  public boolean tryRLock() {
    for (; ; ) {
      int c = readerCount.get();
      if (c < 0) {
        return false;
      }
      if (readerCount.compareAndSet(c, c + 1)) {
        return true;
      }
    }
  }

  /**
   * Undoes one rLock.
   *
   * @throws FatalError "sync: RUnlock of unlocked RWMutex"
   */
  public void rUnlock() {
    int r = readerCount.decrementAndGet();
    if (r >= 0) {
      return;
    }
    if (r + 1 == 0 || r + 1 == -MAX_READERS) {
      readerCount.incrementAndGet();
      throw new FatalError("sync: RUnlock of unlocked RWMutex");
    }
    if (readerWait.decrementAndGet() == 0) {
      writerSem.release(false);
    }
  }

  /** Locks for writing. */
  @Override
  public void lock() {
    G gp = Proc.enter();
    if (gp == null) {
      if (!tryLock()) {
        Foreign.call(Go.sched(), this::lock);
      }
      return;
    }
    writers.lock(WaitReason.SYNC_RWMUTEX_LOCK);
    int readers = readerCount.getAndAdd(-MAX_READERS);
    if (readers != 0 && readerWait.addAndGet(readers) != 0) {
      writerSem.acquire(gp, false, WaitReason.SYNC_RWMUTEX_LOCK);
    }
  }

  /** Locks for writing if nobody holds it. */
  public boolean tryLock() {
    if (!writers.tryLock()) {
      return false;
    }
    if (readerCount.compareAndSet(0, -MAX_READERS)) {
      return true;
    }
    writers.unlock();
    return false;
  }

  /**
   * Undoes lock.
   *
   * @throws FatalError "sync: Unlock of unlocked RWMutex"
   */
  @Override
  public void unlock() {
    int readers = readerCount.addAndGet(MAX_READERS);
    if (readers >= MAX_READERS) {
      readerCount.addAndGet(-MAX_READERS);
      throw new FatalError("sync: Unlock of unlocked RWMutex");
    }
    for (int i = 0; i < readers; i++) {
      readerSem.release(false);
    }
    writers.unlock();
  }

  /** Its reading side as a {@link Locker}. */
  public Locker rLocker() {
    return new Locker() {
      @Override
      public void lock() {
        rLock();
      }

      @Override
      public void unlock() {
        rUnlock();
      }
    };
  }
}
