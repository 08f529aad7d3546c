package dev.gmptrace.runtime;

import dev.gmptrace.runtime.sched.Foreign;
import dev.gmptrace.runtime.sched.G;
import dev.gmptrace.runtime.sched.Proc;
import dev.gmptrace.runtime.sched.Sudog;
import dev.gmptrace.runtime.sched.UnlockFunction;
import dev.gmptrace.runtime.sched.WaitQ;
import dev.gmptrace.runtime.sched.WaitReason;
import org.jspecify.annotations.Nullable;

/**
 * A weighted semaphore, Go's {@code golang.org/x/sync/semaphore}. Those who wait are served in
 * order: a small request does not pass a big one that came first.
 */
public final class Semaphore {
  private final long size;
  private final WaitQ waiters = new WaitQ();
  private final WaitQ.Lock lock = new WaitQ.Lock(waiters);
  private long held;

  /** With {@code size} to give. */
  public Semaphore(long size) {
    if (size < 0) {
      throw new IllegalArgumentException("semaphore of size " + size);
    }
    this.size = size;
  }

  /** Takes 1. */
  public void acquire() {
    acquire(1);
  }

  /**
   * Takes {@code n}, waiting until they are free. To ask for more than there are is to wait for
   * ever, in nobody's way.
   */
  public void acquire(long n) {
    positive(n);
    if (n > size) {
      Void _ = Chan.<Void>nil().receive();
    }
    G gp = Proc.enter();
    lock.lock();
    if (takeNow(n)) {
      lock.unlock();
      return;
    }
    if (gp == null) {
      lock.unlock();
      Foreign.call(Go.sched(), () -> acquire(n));
      return;
    }
    Sudog sg = Sudog.acquire(gp);
    sg.count = n;
    waiters.enqueue(sg);
    Proc.gopark(gp, UnlockFunction.UNLOCK, lock, WaitReason.SEMACQUIRE);
    Sudog.release(sg);
  }

  /**
   * Takes {@code n}, waiting until they are free or {@code ctx} is done. If both are so at once,
   * nothing is taken.
   *
   * @throws CancelledException when {@code ctx} is done; then nothing was taken
   */
  public void acquire(Context ctx, long n) {
    positive(n);
    ctx.check();
    if (n > size) {
      // Not in line: who can never be served must not keep the others from it.
      Void _ = ctx.done().receive();
      ctx.check();
    }
    lock.lock();
    if (takeNow(n)) {
      lock.unlock();
      return;
    }
    // This waiter is told by a channel, so that a select can wait for the context too.
    Chan<Void> granted = Chan.make();
    Sudog sg = new Sudog();
    sg.count = n;
    sg.elem = granted;
    waiters.enqueue(sg);
    lock.unlock();
    Select select = new Select();
    Select.Case mine = select.receive(granted);
    Select.Case _ = select.receive(ctx.done());
    if (select.await() == mine && ctx.err() == null) {
      return;
    }
    lock.lock();
    if (sg.success) {
      held -= n; // granted at the same moment: back, as if it had never been
    } else {
      waiters.remove(sg);
    }
    Sudog woken = grant();
    lock.unlock();
    wake(woken);
    ctx.check();
  }

  /** Takes {@code n} if they are free and nobody waits. */
  public boolean tryAcquire(long n) {
    positive(n);
    lock.lock();
    boolean taken = takeNow(n);
    lock.unlock();
    return taken;
  }

  /** Gives 1 back. */
  public void release() {
    release(1);
  }

  /**
   * Gives {@code n} back.
   *
   * @throws Panic "semaphore: released more than held"
   */
  public void release(long n) {
    positive(n);
    lock.lock();
    if (n > held) {
      lock.unlock();
      throw new Panic("semaphore: released more than held");
    }
    held -= n;
    Sudog woken = grant();
    lock.unlock();
    wake(woken);
  }

  private static void positive(long n) {
    if (n < 0) {
      throw new IllegalArgumentException("semaphore: " + n + " permits");
    }
  }

  private boolean takeNow(long n) {
    if (size - held < n || !waiters.isEmpty()) {
      return false;
    }
    held += n;
    return true;
  }

  /** Under the lock: those who can have what they want now, as a chain. */
  private @Nullable Sudog grant() {
    Sudog woken = null;
    Sudog last = null;
    for (Sudog sg; (sg = waiters.peek()) != null && size - held >= sg.count; last = sg) {
      waiters.remove(sg);
      held += sg.count;
      sg.success = true;
      if (last == null) {
        woken = sg;
      } else {
        Sudog _ = last.chain(sg);
      }
    }
    return woken;
  }

  private static void wake(@Nullable Sudog chain) {
    for (Sudog sg = chain; sg != null; ) {
      Sudog rest = sg.unchain();
      if (sg.elem instanceof Chan<?> granted) {
        granted.close();
      } else {
        Proc.goready(sg.waitingG());
      }
      sg = rest;
    }
  }
}
