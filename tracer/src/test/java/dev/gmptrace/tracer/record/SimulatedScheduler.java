package dev.gmptrace.tracer.record;

import dev.gmptrace.tracer.wire.GoStatus;
import dev.gmptrace.tracer.wire.HandoffCause;
import dev.gmptrace.tracer.wire.ProcStatus;
import dev.gmptrace.tracer.wire.StealKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Something that behaves as a scheduler does towards a recorder: threads pass Ps around, goroutines
 * are made, run, block, are readied by others, sit in syscalls while their P is stolen, and end.
 * Nothing really runs. It keeps the rules of {@link TraceBuffer}, so every trace of it is legal.
 */
final class SimulatedScheduler implements TraceSubject, AutoCloseable {
  static final TraceString CHAN_RECEIVE = TraceString.constant("chan receive");
  static final TraceString SLEEP = TraceString.constant("sleep");
  static final TraceString GOSCHED = TraceString.constant("runtime.Gosched");
  static final TraceString STW = TraceString.constant("GOMAXPROCS");

  static final class SimG extends TracedG {
    volatile int status;
    volatile int onThread = -1;
    volatile TraceString waitsFor = TraceString.NONE;

    SimG(long id, EntrySite site) {
      initTrace(id, site);
    }

    @Override
    protected int traceStatus() {
      return status;
    }

    @Override
    protected int traceThread() {
      return onThread;
    }

    @Override
    protected TraceString traceWaitReason() {
      return waitsFor;
    }
  }

  static final class SimP extends TracedP {
    final TraceBuffer trace;
    volatile int status = ProcStatus.IDLE;
    volatile int onThread = -1;

    SimP(Tracer tracer, int id) {
      super(id);
      trace = tracer.bufferFor(this);
    }

    @Override
    protected int traceStatus() {
      return status;
    }

    @Override
    protected int traceThread() {
      return onThread;
    }
  }

  /**
   * A thread that is in a syscall with its P, up for theft. The thread that was robbed goes on only
   * when the theft is in the trace; otherwise a generation could end in between, and what it does
   * without its P would come before the theft.
   */
  private record InSyscall(SimP p, int thread, AtomicBoolean told) {}

  final Tracer tracer;
  final Set<SimG> all = ConcurrentHashMap.newKeySet();
  final List<SimP> procs = new ArrayList<>();
  final AtomicLong eventsWanted = new AtomicLong();

  /** While something was recorded. */
  final AtomicLong steals = new AtomicLong();

  private final Queue<SimP> idle = new ConcurrentLinkedQueue<>();
  private final Queue<SimG> runnable = new ConcurrentLinkedQueue<>();
  private final Queue<SimG> waiting = new ConcurrentLinkedQueue<>();
  private final Queue<InSyscall> syscalls = new ConcurrentLinkedQueue<>();
  private final AtomicLong ids = new AtomicLong();
  private final List<SimM> threads = new ArrayList<>();
  private volatile boolean stop;
  private volatile @Nullable Throwable failure;
  private final int maxGs;

  SimulatedScheduler(TraceOptions options, int nprocs, int nthreads, int maxGs, long seed) {
    this.maxGs = maxGs;
    tracer = new Tracer(this, options);
    for (int i = 0; i < nprocs; i++) {
      SimP p = new SimP(tracer, i);
      procs.add(p);
      idle.add(p);
    }
    EntrySite site = EntrySite.named("main");
    for (int i = 0; i < 8; i++) {
      SimG g = new SimG(ids.incrementAndGet(), site);
      g.status = GoStatus.RUNNABLE;
      all.add(g);
      runnable.add(g);
    }
    for (int i = 0; i < nthreads; i++) {
      threads.add(new SimM(i, new Random(seed + i)));
    }
  }

  void start() {
    threads.forEach(Thread::start);
  }

  /** Lets the threads finish what they are at. */
  @Override
  public void close() {
    stop = true;
    for (SimM m : threads) {
      Uninterruptible.join(m);
    }
    tracer.close();
    if (failure != null) {
      throw new AssertionError(failure);
    }
  }

  @Override
  public void forEachG(Consumer<? super TracedG> visitor) {
    all.forEach(visitor);
  }

  @Override
  public void forEachP(Consumer<? super TracedP> visitor) {
    procs.forEach(visitor);
  }

  @Override
  public @Nullable TraceThread currentThread() {
    return Thread.currentThread() instanceof SimM m ? m.trace : null;
  }

  @Override
  public @Nullable TraceBuffer currentBuffer() {
    return Thread.currentThread() instanceof SimM m ? m.buffer() : null;
  }

  @Override
  public @Nullable TracedG hold() {
    return Thread.currentThread() instanceof SimM m ? m.g : null;
  }

  /** Waits for threads without a checked exception in the way. */
  static final class Uninterruptible {
    private Uninterruptible() {}

    static void join(Thread thread) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }

  private final class SimM extends Thread {
    final TraceThread trace;
    final int id;
    final Random random;
    @Nullable SimP p;
    @Nullable SimG g;
    long tick;

    SimM(int id, Random random) {
      this.id = id;
      this.random = random;
      trace = tracer.newThread(id, "M" + id);
      setDaemon(true);
    }

    TraceBuffer buffer() {
      return p != null ? p.trace : trace.buffer();
    }

    /** One section, if anybody listens. */
    void section(Consumer<TraceBuffer> events) {
      section(events, () -> {});
    }

    /** A change of state, inside of a section with its event if anybody listens. */
    void section(Consumer<TraceBuffer> events, Runnable change) {
      if (tracer.enabled()) {
        TraceBuffer b = buffer();
        if (b.begin(trace)) {
          events.accept(b);
          change.run();
          b.end();
          return;
        }
      }
      change.run();
    }

    @Override
    public void run() {
      try {
        section(TraceBuffer::mStart);
        while (!stop) {
          withProc();
        }
        section(TraceBuffer::mStop);
      } catch (Throwable e) {
        failure = e;
        stop = true;
      }
      trace.close();
    }

    void withProc() {
      SimP taken = idle.poll();
      if (taken == null) {
        stealFromSyscall();
        if (p == null) {
          section(TraceBuffer::mPark);
          Thread.yield();
          return;
        }
      } else {
        acquire(taken);
      }
      for (int i = random.nextInt(50); i >= 0 && p != null; i--) {
        runOne();
      }
      if (p != null) {
        release();
      }
    }

    void acquire(SimP taken) {
      p = taken;
      section(
          b -> b.procStart(taken),
          () -> {
            taken.status = ProcStatus.RUNNING;
            taken.onThread = id;
          });
    }

    void release() {
      SimP mine = mine();
      section(
          b -> b.procStop(mine),
          () -> {
            mine.status = ProcStatus.IDLE;
            mine.onThread = -1;
          });
      p = null;
      idle.add(mine);
    }

    SimP mine() {
      SimP mine = p;
      if (mine == null) {
        throw new AssertionError();
      }
      return mine;
    }

    void stealFromSyscall() {
      InSyscall victim = syscalls.poll();
      if (victim != null) {
        section(
            b -> {
              b.procSteal(victim.p, victim.thread);
              steals.incrementAndGet();
              b.procHandoff(victim.p.procId, victim.thread, HandoffCause.SYSMON);
            },
            () -> victim.p.status = ProcStatus.IDLE);
        victim.told.set(true);
        acquire(victim.p);
      }
    }

    void runOne() {
      tick++;
      SimG next = runnable.poll();
      if (next == null) {
        section(TraceBuffer::spinStart);
        wakeOne();
        section(TraceBuffer::spinStop);
        return;
      }
      if (tick % 7 == 0) {
        section(b -> b.workSteal(random.nextInt(procs.size()), 1, StealKind.RING));
      }
      g = next;
      section(
          b -> b.goStart(next),
          () -> {
            next.status = GoStatus.RUNNING;
            next.onThread = id;
          });
      for (int i = random.nextInt(3); i >= 0; i--) {
        step(next);
      }
      leave(next);
      g = null;
    }

    void step(SimG self) {
      switch (random.nextInt(8)) {
        case 0, 1 -> {
          if (all.size() < maxGs) {
            SimG made =
                new SimG(ids.incrementAndGet(), EntrySite.named("worker-" + random.nextInt(4)));
            section(b -> b.goCreate(made, TraceStack.NONE), () -> made.status = GoStatus.RUNNABLE);
            all.add(made);
            runnable.add(made);
          }
        }
        case 2, 3 -> wakeOne();
        case 4 -> {
          try (Task task = tracer.task("request")) {
            try (Region _ = task.region("query")) {
              task.log("row", Integer.toString(random.nextInt(1000)));
            }
          }
        }
        case 5 -> section(b -> b.globalPut(1));
        case 6 ->
            section(b -> {
              b.schedSample(procs.size(), 1, 4, 0, 0, 1, 5);
              b.queueSample(mine().procId, 3, 1, 0, tick);
            });
        default -> tracer.label("label " + random.nextInt(3));
      }
      eventsWanted.incrementAndGet();
      if (self.status != GoStatus.RUNNING) {
        throw new AssertionError("runs on two threads");
      }
    }

    void wakeOne() {
      SimG ready = waiting.poll();
      if (ready != null) {
        section(b -> b.goUnblock(ready, TraceStack.NONE), () -> ready.status = GoStatus.RUNNABLE);
        runnable.add(ready);
      }
    }

    void leave(SimG self) {
      switch (random.nextInt(all.size() > maxGs / 2 ? 6 : 5)) {
        case 0 -> {
          section(
              b -> b.goStop(self, GOSCHED, TraceStack.NONE), () -> self.status = GoStatus.RUNNABLE);
          runnable.add(self);
        }
        case 1 -> syscall(self);
        case 5 -> {
          section(b -> b.goDestroy(self), () -> self.status = 0);
          all.remove(self);
        }
        default -> {
          TraceString reason = random.nextBoolean() ? CHAN_RECEIVE : SLEEP;
          section(
              b -> b.goBlock(self, reason, TraceStack.NONE),
              () -> {
                self.waitsFor = reason;
                self.status = GoStatus.WAITING;
              });
          waiting.add(self);
        }
      }
    }

    void syscall(SimG self) {
      SimP mine = mine();
      section(
          b -> b.goSyscallBegin(self, mine, TraceStack.NONE),
          () -> {
            self.status = GoStatus.SYSCALL;
            mine.status = ProcStatus.SYSCALL;
          });
      InSyscall offer = new InSyscall(mine, id, new AtomicBoolean());
      syscalls.add(offer);
      if (random.nextInt(4) == 0) {
        Thread.yield();
      }
      if (syscalls.remove(offer)) {
        section(
            b -> b.goSyscallEnd(self, mine),
            () -> {
              self.status = GoStatus.RUNNING;
              mine.status = ProcStatus.RUNNING;
            });
        section(
            b -> b.goStop(self, GOSCHED, TraceStack.NONE), () -> self.status = GoStatus.RUNNABLE);
      } else {
        while (!offer.told.get() && failure == null) {
          Thread.yield();
        }
        p = null;
        section(b -> b.goSyscallEndBlocked(self), () -> self.status = GoStatus.RUNNABLE);
      }
      runnable.add(self);
    }
  }
}
