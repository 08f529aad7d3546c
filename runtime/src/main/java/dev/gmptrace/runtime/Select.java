package dev.gmptrace.runtime;

import dev.gmptrace.runtime.sched.Foreign;
import dev.gmptrace.runtime.sched.G;
import dev.gmptrace.runtime.sched.Proc;
import dev.gmptrace.runtime.sched.Sudog;
import dev.gmptrace.runtime.sched.UnlockFunction;
import dev.gmptrace.runtime.sched.WaitPlace;
import dev.gmptrace.runtime.sched.WaitReason;
import dev.gmptrace.runtime.sched.Waiter;
import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Go's {@code select}: waits for whichever of several sends and receives can happen first, and does
 * exactly one. When several can, each is equally likely.
 *
 * <p>For once, with handlers:
 *
 * <pre>{@code
 * new Select()
 *     .receive(results, r -> use(r))       // r is null when the channel is closed and empty
 *     .send(jobs, next, () -> sent++)
 *     .run(Duration.ofSeconds(1));         // run() waits for ever; tryRun() not at all
 * }</pre>
 *
 * In a loop, built once and then used without any allocation:
 *
 * <pre>{@code
 * Select select = new Select();
 * var msg = select.receive(messages);
 * var quit = select.receive(done);
 * while (select.await() == msg) {
 *   use(msg.value());
 * }
 * }</pre>
 *
 * A case whose channel is null or {@link Chan#nil} never happens; {@code case.channel(null)}
 * switches it off and another call on again. One goroutine at a time may use a Select.
 *
 * <h2>How</h2>
 *
 * <ol>
 *   <li>Lock all channels, in an order that is the same for every select, so two cannot block each
 *       other.
 *   <li>Of the cases that can happen now, pick one: the k-th that is found replaces the choice with
 *       probability 1/k. (Go shuffles the cases first; this needs no random number when there is
 *       nothing to choose.) Do it, unlock all.
 *   <li>Else put a node in the queue of each channel, all with one {@link Waiter}, and park. All is
 *       unlocked only when the goroutine is off its thread.
 *   <li>Who wants to pair with one of the nodes must claim the Waiter first, and only one can: so
 *       no value is delivered twice and none to two cases.
 *   <li>Awake again, take the other nodes off their queues, lock by lock. Until that is done no
 *       channel can hold a node of an older wait.
 * </ol>
 */
@SuppressWarnings("ReferenceEquality") // channels and cases are identities
public final class Select implements WaitPlace {
  /** For selects of threads that are no goroutine; those of a goroutine obey {@code seed=N}. */
  private static final AtomicLong SEEDS = new AtomicLong(System.nanoTime());

  private static final Case[] NONE = {};
  private static final long FOREVER = -1;

  private static final UnlockFunction SELPARKCOMMIT =
      (gp, arg) -> {
        if (arg instanceof Select s) {
          // Read before the timer runs: without a channel to lock nothing keeps gp from using the
          // Select again as soon as it is woken.
          Case[] in = s.order;
          int n = s.active;
          if (s.timed) {
            Waiter.of(gp).arm();
          }
          unlockAll(in, n);
        }
        return true;
      };

  private Case[] cases = NONE;
  private int count;

  /** The cases that can happen, in lock order; the first {@link #active} of it. */
  private Case[] order = NONE;

  private int active;
  private boolean changed;
  private boolean busy;
  private boolean timed;
  private long random;

  /** Without cases; that is a select that waits for ever. */
  public Select() {
    // Two selects made in a row must not make the same choices.
    G gp = Proc.getg();
    long z = (gp == null ? SEEDS : gp.sched().selectSeeds()).getAndAdd(0x9E3779B97F4A7C15L);
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    random = (z ^ (z >>> 31)) | 1;
  }

  /** One of the things that may happen. */
  public abstract static sealed class Case permits Receive, Send {
    final Select select;
    final Sudog sg = new Sudog();
    @Nullable HChan<?> ch;

    Case(Select select, @Nullable HChan<?> ch) {
      this.select = select;
      this.ch = ch;
    }

    /** Never called when the case is off. */
    final HChan<?> chan() {
      HChan<?> c = ch;
      if (c == null) {
        throw new AssertionError("a case that is off");
      }
      return c;
    }

    /** Under the lock: whether it looks possible now. */
    abstract boolean looksReady();

    /** Under all locks, which it releases if it returns true or throws. */
    abstract boolean doNow();

    abstract void enqueue();

    abstract void dequeue();

    /** The node was chosen by a partner or by a close. */
    abstract void awoke();

    abstract void handle();
  }

  /** A receive. */
  public static final class Receive<T> extends Case {
    private final @Nullable Consumer<? super T> then;
    private @Nullable T value;

    Receive(Select s, @Nullable HChan<T> ch, @Nullable Consumer<? super T> then) {
      super(s, ch);
      this.then = then;
    }

    /** What was received; null when the channel was closed and empty. */
    public @Nullable T value() {
      return value;
    }

    /** Whether a value was received, as against a closed channel. */
    public boolean ok() {
      return value != null;
    }

    /** Receives from {@code channel} from now on; null switches the case off. */
    public void channel(@Nullable ReceiveChan<T> channel) {
      select.idle();
      ch = on(channel);
      select.changed = true;
    }

    @Override
    boolean looksReady() {
      HChan<?> c = chan();
      return c.hasBuffered() || !c.sendq.isEmpty() || c.closedLocked();
    }

    @Override
    @SuppressWarnings("unchecked") // only Ts get in
    boolean doNow() {
      HChan<?> c = chan();
      Sudog sender = c.sendq.dequeue();
      if (sender != null) {
        value = (T) c.takeFrom(sender);
        select.unlockAll();
        Proc.goready(sender.waitingG());
        return true;
      }
      if (c.hasBuffered()) {
        value = (T) c.takeFromBuffer();
      } else if (c.closedLocked()) {
        value = null;
      } else {
        return false;
      }
      select.unlockAll();
      return true;
    }

    @Override
    void enqueue() {
      chan().recvq.enqueue(sg);
    }

    @Override
    void dequeue() {
      HChan<?> c = chan();
      c.lock();
      c.recvq.remove(sg);
      c.unlock();
    }

    @Override
    @SuppressWarnings("unchecked") // only Ts get in
    void awoke() {
      value = (T) sg.elem;
    }

    @Override
    void handle() {
      Consumer<? super T> h = then;
      if (h != null) {
        T v = value;
        value = null;
        h.accept(v);
      }
    }
  }

  /** A send. */
  public static final class Send<T> extends Case {
    private final @Nullable Runnable then;
    private @Nullable T value;

    Send(Select s, @Nullable HChan<T> ch, @Nullable T value, @Nullable Runnable then) {
      super(s, ch);
      this.value = value;
      this.then = then;
    }

    /** What to send next. */
    public void value(T v) {
      select.idle();
      value = Objects.requireNonNull(v, "null cannot be sent on a channel");
    }

    /** Sends to {@code channel} from now on; null switches the case off. */
    public void channel(@Nullable SendChan<T> channel) {
      select.idle();
      ch = on(channel);
      select.changed = true;
    }

    private Object toSend() {
      return Objects.requireNonNull(value, "null cannot be sent on a channel");
    }

    @Override
    boolean looksReady() {
      HChan<?> c = chan();
      return c.hasRoom() || !c.recvq.isEmpty() || c.closedLocked();
    }

    @Override
    boolean doNow() {
      HChan<?> c = chan();
      if (c.closedLocked()) {
        select.unlockAll();
        select.busy = false;
        throw HChan.sendOnClosed();
      }
      Sudog receiver = c.recvq.dequeue();
      if (receiver != null) {
        c.handTo(receiver, toSend());
        select.unlockAll();
        Proc.goready(receiver.waitingG());
        return true;
      }
      if (!c.hasRoom()) {
        return false;
      }
      c.putInBuffer(toSend());
      select.unlockAll();
      return true;
    }

    @Override
    void enqueue() {
      sg.elem = toSend();
      chan().sendq.enqueue(sg);
    }

    @Override
    void dequeue() {
      HChan<?> c = chan();
      c.lock();
      c.sendq.remove(sg);
      c.unlock();
    }

    @Override
    void awoke() {
      if (!sg.success) {
        select.busy = false;
        throw HChan.sendOnClosed();
      }
    }

    @Override
    void handle() {
      if (then != null) {
        then.run();
      }
    }
  }

  // ---- building ---------------------------------------------------------------------------------

  /** Adds a receive; the case object tells what came. */
  public <T> Receive<T> receive(@Nullable ReceiveChan<T> ch) {
    return add(new Receive<>(this, on(ch), null));
  }

  /** Adds a receive with what to do with the value, which is null when the channel is closed. */
  public <T> Select receive(@Nullable ReceiveChan<T> ch, Consumer<? super T> then) {
    Receive<T> _ = add(new Receive<>(this, on(ch), then));
    return this;
  }

  /** Adds a send. The value may be null as long as the case is off. */
  public <T> Send<T> send(@Nullable SendChan<T> ch, @Nullable T value) {
    return add(new Send<>(this, on(ch), value, null));
  }

  /** Adds a send with what to do after it. */
  public <T> Select send(@Nullable SendChan<T> ch, T value, Runnable then) {
    Objects.requireNonNull(value, "null cannot be sent on a channel");
    Send<T> _ = add(new Send<>(this, on(ch), value, then));
    return this;
  }

  /** The nil channel is as good as none. */
  private static <T> @Nullable HChan<T> on(@Nullable ReceiveChan<T> ch) {
    return ch instanceof HChan<T> c ? c : null;
  }

  private static <T> @Nullable HChan<T> on(@Nullable SendChan<T> ch) {
    return ch instanceof HChan<T> c ? c : null;
  }

  private <C extends Case> C add(C c) {
    idle();
    if (count == cases.length) {
      cases = Arrays.copyOf(cases, Math.max(4, count * 2));
    }
    c.sg.count = count;
    cases[count++] = c;
    changed = true;
    return c;
  }

  private void idle() {
    if (busy) {
      throw new IllegalStateException("a Select serves one goroutine at a time");
    }
  }

  // ---- choosing ---------------------------------------------------------------------------------

  /**
   * Waits until one of the cases happens.
   *
   * @return the case that happened
   * @throws Panic "send on closed channel"
   */
  public Case await() {
    Case c = choose(FOREVER);
    if (c == null) {
      throw new AssertionError("select ended without a case");
    }
    return c;
  }

  /**
   * Lets one of the cases happen if that is possible without waiting: a select with default.
   *
   * @return null when none was possible
   */
  public @Nullable Case tryNow() {
    return choose(0);
  }

  /**
   * Waits until one of the cases happens, at most {@code timeout}.
   *
   * @return null when the time was over
   */
  public @Nullable Case await(Duration timeout) {
    return choose(Time.nanos(timeout));
  }

  /** {@link #await()}, and calls the handler of the case. */
  public void run() {
    await().handle();
  }

  /** {@link #tryNow}, and calls the handler of the case if one happened. */
  public boolean tryRun() {
    Case c = tryNow();
    if (c != null) {
      c.handle();
    }
    return c != null;
  }

  /** {@link #await(Duration)}, and calls the handler of the case if one happened. */
  public boolean run(Duration timeout) {
    Case c = await(timeout);
    if (c != null) {
      c.handle();
    }
    return c != null;
  }

  private @Nullable Case choose(long nanos) {
    idle();
    G gp = Proc.enter();
    if (changed) {
      arrange();
    }
    busy = true;
    lockAll();
    Case c = chooseNow();
    if (c != null || nanos == 0) {
      if (c == null) {
        unlockAll();
      }
      busy = false;
      return c;
    }
    if (gp == null) {
      unlockAll();
      busy = false;
      Case[] chosen = new Case[1];
      Foreign.call(Go.sched(), () -> chosen[0] = choose(nanos));
      return chosen[0];
    }
    c = park(gp, nanos);
    busy = false;
    return c;
  }

  /** Under all locks, which it releases when it returns a case or throws. */
  private @Nullable Case chooseNow() {
    for (; ; ) {
      Case pick = null;
      int ready = 0;
      for (int i = 0; i < active; i++) {
        Case c = order[i];
        if (c.looksReady() && (++ready == 1 || nextInt(ready) == 0)) {
          pick = c;
        }
      }
      if (pick == null || pick.doNow()) {
        return pick;
      }
      // All who waited there have been woken by something else, and are off the queue now.
    }
  }

  private @Nullable Case park(G gp, long nanos) {
    timed = nanos != FOREVER;
    Waiter w = Waiter.of(gp);
    long ticket = timed ? w.beginTimed(nanos) : w.begin();
    for (int i = 0; i < active; i++) {
      Case c = order[i];
      Sudog sg = c.sg;
      sg.g = gp;
      sg.success = false;
      sg.bind(w, ticket);
      c.enqueue();
    }
    Proc.gopark(
        gp, SELPARKCOMMIT, this, count == 0 ? WaitReason.SELECT_NO_CASES : WaitReason.SELECT);
    Sudog won = w.chosen();
    for (int i = 0; i < active; i++) {
      Case c = order[i];
      if (c.sg != won) {
        c.dequeue();
        c.sg.elem = null;
      }
      c.sg.g = null;
    }
    if (won == null) {
      return null;
    }
    if (timed) {
      w.disarm();
    }
    Case c = cases[(int) won.count];
    try {
      c.awoke();
    } finally {
      won.elem = null;
    }
    return c;
  }

  /** Not for users: whether {@code gp} is in line at each channel. Under all locks. */
  @Override
  public boolean waits(G gp) {
    for (int i = 0; i < active; i++) {
      Case c = order[i];
      HChan<?> ch = c.chan();
      if (!(c instanceof Send<?> ? ch.sendq : ch.recvq).holds(gp)) {
        return false;
      }
    }
    return true;
  }

  /** Sorts out which cases can happen, in lock order. */
  private void arrange() {
    if (order.length < count) {
      order = new Case[cases.length];
    }
    int n = 0;
    for (int i = 0; i < count; i++) {
      Case c = cases[i];
      HChan<?> ch = c.ch;
      if (ch == null) {
        continue;
      }
      if (c instanceof Send<?> send) {
        Object _ = send.toSend(); // refuse null here, where no lock is held
      }
      int at = n++;
      while (at > 0 && order[at - 1].chan().lockOrder() > ch.lockOrder()) {
        order[at] = order[at - 1];
        at--;
      }
      order[at] = c;
    }
    Arrays.fill(order, n, order.length, null);
    active = n;
    changed = false;
  }

  private void lockAll() {
    HChan<?> last = null;
    for (int i = 0; i < active; i++) {
      HChan<?> c = order[i].chan();
      if (c != last) {
        c.lock();
        last = c;
      }
    }
  }

  private void unlockAll() {
    unlockAll(order, active);
  }

  /**
   * Runs on g0 too. After the last unlock it must not touch anything: the goroutine may be awake
   * and use this Select again.
   */
  private static void unlockAll(Case[] in, int n) {
    for (int i = n - 1; i >= 0; i--) {
      HChan<?> c = in[i].chan();
      if (i == 0 || in[i - 1].chan() != c) {
        c.unlock();
      }
    }
  }

  private int nextInt(int bound) {
    long x = random;
    x ^= x << 13;
    x ^= x >>> 7;
    x ^= x << 17;
    random = x;
    return (int) (((x >>> 33) * bound) >>> 31);
  }

  @Override
  public String toString() {
    return "Select(" + count + (count == 1 ? " case)" : " cases)");
  }
}
