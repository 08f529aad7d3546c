package dev.gmptrace.runtime.sched;

import dev.gmptrace.runtime.jdk.Jdk;
import java.io.IOException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The network poller, and the place where the last idle M sleeps until the next timer.
 *
 * <p>There is one Selector a scheduler, and at most one M in it at a time: {@code lastpoll} is 0
 * while an M blocks there and else the time of the last poll; it is taken by exchange with 0.
 * findRunnable polls without blocking when a G waits; the last M to run out of work blocks in it;
 * sysmon polls when nobody did for 10 ms.
 *
 * <p>While no channel was ever opened the M sleeps on a note instead, which costs no Selector and
 * is exact to microseconds, where a Selector counts milliseconds.
 *
 * <p>A Selector takes locks: monitors of its own, and those of channels that it closes at last.
 * Whoever polls is mostly an M that holds a P. So a goroutine that takes one of them must be pinned
 * ({@link #pinned}). Otherwise it would give up its P while it waits; a free lock is handed to who
 * has waited longest, and all others wait for that one; so an M could hold a P, or be trusted as
 * the one that spins, and wait for a lock that waits for a goroutine that waits for a P. Pinned, a
 * goroutine waits as its thread, gets the lock as its thread, and sysmon can take its P meanwhile.
 *
 * <p>{@link #breakPoll} makes the sleeping M come back: for an earlier timer, a new interest, or
 * the end. The flag {@code broken} sees to it that only one breaker signals until the M has taken
 * note.
 */
public final class Netpoll {
  private static final long MILLI = 1_000_000;
  private static final long LOOK_EVERY = 10_000;

  private final Sched sched;
  private final AtomicLong lastpoll = new AtomicLong(1);

  /** Until when the M in the poller sleeps; 0 for ever. */
  private volatile long pollUntil;

  private final Note note = new Note();
  private final AtomicBoolean broken = new AtomicBoolean();
  private volatile @Nullable Selector selector;

  /** How many Gs wait for I/O. */
  final AtomicInteger waiters = new AtomicInteger();

  /** Held by whoever uses the Selector. */
  private final RuntimeMutex polling = new RuntimeMutex();

  // Filled by a poll; under polling.
  private final GQueue ready = new GQueue();
  private final ArrayList<PollDesc> unwanted = new ArrayList<>();
  private final Consumer<SelectionKey> event = this::event;

  /** When somebody last looked without blocking. */
  private volatile long lastLook;

  Netpoll(Sched sched) {
    this.sched = sched;
  }

  /**
   * Makes a non-blocking channel known to the poller.
   *
   * @throws IOException when the channel is closed or the system refuses
   */
  public PollDesc open(SelectableChannel ch) throws IOException {
    Selector sel = selector();
    return pinned(() -> new PollDesc(this, ch.register(sel, 0)));
  }

  /** What is done to a channel that the poller may be closing. */
  public interface ChannelCall<T extends @Nullable Object> {
    /** Does it. */
    T call() throws IOException;
  }

  /**
   * Does something to a channel of the poller that takes locks of the channel or of the Selector:
   * all but reading and writing.
   */
  public static <T extends @Nullable Object> T pinned(ChannelCall<T> call) throws IOException {
    Thread me = Jdk.pin();
    try {
      return call.call();
    } finally {
      Jdk.unpin(me);
    }
  }

  private synchronized Selector selector() throws IOException {
    Selector sel = selector;
    if (sel == null) {
      sel = Selector.open();
      selector = sel;
      breakPoll(); // an M asleep on the note must move over
    }
    return sel;
  }

  /** Somebody waits for {@code ops} from now on. On g0. */
  void arm(SelectionKey key, int ops) {
    if ((key.interestOpsOr(ops) & ops) != ops && lastpoll.get() == 0) {
      breakPoll(); // a blocked Selector does not look at new interests
    }
  }

  /** Polls without blocking if anybody waits; a G to run at once, the others to the queues. */
  @Nullable G pollNow(M m) {
    if (waiters.get() == 0 || selector == null || lastpoll.get() == 0) {
      return null;
    }
    // What another P found a moment ago is still in its queue, to be stolen.
    long now = Sched.nanotime();
    if (now - lastLook < LOOK_EVERY || !polling.tryLock()) {
      return null;
    }
    lastLook = now;
    select(0, false);
    GQueue list = takeReady();
    polling.unlock();
    return runFirst(m, list);
  }

  /** By sysmon, which has no P: everything to the global queue. */
  boolean pollIfStale(long now) {
    long last = lastpoll.get();
    if (selector == null || waiters.get() == 0 || last == 0 || last + 10 * MILLI > now) {
      return false;
    }
    if (!lastpoll.compareAndSet(last, now) || !polling.tryLock()) {
      return false;
    }
    select(0, false);
    GQueue list = takeReady();
    polling.unlock();
    return inject(sched.sysmonM, list);
  }

  /**
   * By an M without a P and with nothing to do: sleeps until I/O, {@code until}, or a break.
   *
   * <p>An M that finds another one here goes to sleep elsewhere, trusting that one. So the one here
   * first says that it is gone ({@code lastpoll}), and only then tries for a P. Whoever trusted it
   * had put its P on the idle list before, so there is one to get. The other way round both could
   * go to sleep with a timer set.
   *
   * @return a G to run, with a P; or null, then maybe with a P and maybe without
   */
  @Nullable G pollBlocking(M m, long until, boolean wasSpinning) {
    if (until == 0 && waiters.get() == 0) {
      return null;
    }
    if (lastpoll.getAndSet(0) == 0) {
      if (until != 0) {
        long polls = pollUntil;
        if (polls == 0 || polls > until) {
          breakPoll();
        }
      }
      return null;
    }
    pollUntil = until;
    polling.lock();
    m.blocked = true;
    if (broken.get()) {
      // Somebody broke a poll that had just ended, and a poll without blocking may have swallowed
      // the Selector's wake-up since.
      select(0, false);
    } else if (!sched.shutdown) {
      sleep(until);
    }
    m.blocked = false;
    if (broken.get()) {
      while (!note.signaled()) {
        Thread.onSpinWait();
      }
      note.clear();
      broken.set(false);
    }
    GQueue list = takeReady();
    polling.unlock();
    pollUntil = 0;
    lastpoll.set(Sched.nanotime());
    sched.lock.lock();
    P pp = sched.shutdown || sched.gcwaiting ? null : sched.pidleget();
    sched.lock.unlock();
    if (pp == null) {
      boolean _ = inject(m, list);
      return null;
    }
    Threads.acquirep(m, pp);
    sched.sysmonWake();
    G gp = runFirst(m, list);
    if (gp == null && wasSpinning) {
      boolean _ = FindRunnable.becomeSpinning(sched, m);
    }
    return gp;
  }

  private void sleep(long until) {
    if (selector == null) {
      if (until == 0) {
        note.sleep();
      } else {
        boolean _ = note.sleep(until - Sched.nanotime());
      }
      return;
    }
    if (until == 0) {
      select(-1, true);
      return;
    }
    long left = until - Sched.nanotime();
    if (left >= MILLI) {
      select(left / MILLI, true);
    } else {
      select(0, false);
      if (ready.isEmpty() && left > 0) {
        boolean _ = note.sleep(Math.min(left, 100_000));
      }
    }
  }

  private void select(long millis, boolean block) {
    Selector sel = selector;
    if (sel == null) {
      return;
    }
    try {
      if (!block) {
        sel.selectNow(event);
      } else if (millis < 0) {
        sel.select(event);
      } else {
        sel.select(event, millis);
      }
      if (block && ready.isEmpty()) {
        // We were kept from sleeping by bytes that their reader, though awake, has not read yet.
        unwanted.forEach(PollDesc::dropUnwanted);
      }
      unwanted.clear();
    } catch (ClosedSelectorException e) {
      selector = null;
    } catch (IOException e) {
      throw new FatalError("netpoll: " + e.getMessage());
    }
  }

  private void event(SelectionKey key) {
    if (key.attachment() instanceof PollDesc pd && pd.ready(key, ready)) {
      unwanted.add(pd);
    }
  }

  private GQueue takeReady() {
    GQueue list = new GQueue();
    list.pushBackAll(ready);
    return list;
  }

  private @Nullable G runFirst(M m, GQueue list) {
    G gp = list.pop();
    if (gp != null) {
      Trace.netpollReady(m, list.size() + 1);
      gp.readied();
      Trace.goUnblock(m, gp);
      boolean _ = inject(m, list);
    }
    return gp;
  }

  private boolean inject(@Nullable M m, GQueue list) {
    if (list.isEmpty()) {
      return false;
    }
    GQueue runnable = new GQueue();
    Trace.netpollReady(m, list.size());
    for (G gp = list.pop(); gp != null; gp = list.pop()) {
      gp.readied();
      if (m != null) {
        Trace.goUnblock(m, gp);
      }
      runnable.pushBack(gp);
    }
    Proc.injectglist(sched, m, runnable, runnable.size());
    return true;
  }

  /** A timer is due at {@code when}: somebody must be awake by then. */
  void wakeFor(long when) {
    if (lastpoll.get() == 0) {
      long until = pollUntil;
      if (until == 0 || until > when) {
        Thread me = Jdk.pin(); // the caller, who may be a goroutine, holds the timer's lock
        breakPoll();
        Jdk.unpin(me);
      }
    } else {
      Threads.wakep(sched, M.current());
    }
  }

  void breakPoll() {
    if (broken.compareAndSet(false, true)) {
      Selector sel = selector;
      if (sel != null) {
        sel.wakeup();
      }
      note.wakeup();
    }
  }

  void close() {
    breakPoll();
    Selector sel = selector;
    if (sel != null) {
      try {
        sel.close();
      } catch (IOException e) {
        System.getLogger("dev.gmptrace.runtime").log(System.Logger.Level.DEBUG, "selector", e);
      }
    }
  }

  /**
   * A key was cancelled. The JDK really closes its socket when the Selector looks next; so if
   * nobody is going to look soon, look.
   */
  void flush() {
    if (lastpoll.get() == 0) {
      breakPoll();
    } else if (waiters.get() == 0 && polling.tryLock()) {
      select(0, false);
      GQueue list = takeReady();
      polling.unlock();
      boolean _ = inject(null, list);
    }
  }

  /** Whether somebody waits for I/O and no M sleeps here to hear of it. */
  boolean isUnattended() {
    return waiters.get() != 0 && lastpoll.get() != 0;
  }

  /** Whether a deadline or close may still wake somebody; part of the search for deadlocks. */
  boolean anyWaiters() {
    return waiters.get() != 0;
  }

  Sched sched() {
    return sched;
  }
}
