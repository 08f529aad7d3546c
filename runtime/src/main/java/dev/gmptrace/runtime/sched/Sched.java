package dev.gmptrace.runtime.sched;

import dev.gmptrace.runtime.config.RuntimeConfig;
import dev.gmptrace.runtime.jdk.Jdk;
import dev.gmptrace.tracer.record.EntrySite;
import dev.gmptrace.tracer.record.FlightRecorder;
import dev.gmptrace.tracer.record.TraceThread;
import dev.gmptrace.tracer.record.Tracer;
import dev.gmptrace.tracer.wire.FileFormat;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;

/**
 * One scheduler: the global run queue, the lists of idle Ms and Ps, the counts that the spinning
 * protocol reads, and all the Gs, Ms and Ps there are. Go's {@code sched}, as an instance.
 *
 * <p>What it says "under lock" is touched only with {@link #lock} held. The counts are atomics that
 * are written under the lock and read without it.
 */
@SuppressWarnings("ReferenceEquality") // Gs, Ms and Ps are identities
public final class Sched {
  /** The most Ps a scheduler can have. */
  public static final int MAX_PROCS = 1024;

  static final long CLOCK_ZERO = System.nanoTime() - 1;

  final String name;
  final RuntimeConfig config;
  final long seed;
  private final AtomicLong selectSeeds;
  final boolean check;
  final Tracer tracer;

  /** The stream of all threads that are no M; under its lock. */
  final TraceThread outside;

  final Recordings recordings;
  final RuntimeMutex outsideLock = new RuntimeMutex();
  final RuntimeMutex lock = new RuntimeMutex();

  // Global run queue, under lock; the size may be read without.
  final GQueue runq = new GQueue();
  volatile int runqsize;
  private final RunQueue.Overflow backToGlobal = this::globrunqputbatch;

  // Idle Ms, under lock.
  private @Nullable M midle;
  int nmidle;
  int nmidlelocked;

  // Idle Ps, list under lock.
  private @Nullable P pidle;
  final AtomicInteger npidle = new AtomicInteger();
  private final AtomicLongArray idlepMask = new AtomicLongArray(MAX_PROCS / 64);

  final AtomicInteger nmspinning = new AtomicInteger();
  final AtomicInteger needspinning = new AtomicInteger();

  /**
   * All Ps ever made; the first {@link #gomaxprocs} are alive. Replaced when the world is stopped.
   */
  volatile P[] allp = new P[0];

  volatile int gomaxprocs;

  // All Ms, newest first; under lock for writing.
  volatile @Nullable M allm;
  long mnext;
  int nmfreed;
  int nmextra;
  volatile int maxmcount;

  final AtomicLong goidgen = new AtomicLong();
  final AllGs allgs = new AllGs();

  /** Goroutines that began and ended where no P was held. */
  final AtomicLong foreignBorn = new AtomicLong();

  final AtomicLong foreignDied = new AtomicLong();
  final RuntimeMutex gfreeLock = new RuntimeMutex();
  @Nullable G gfree;
  volatile int gfreeCount;
  final ConcurrentHashMap<Thread, G> adopted = new ConcurrentHashMap<>();

  final Netpoll netpoll = new Netpoll(this);
  final Nap nap = new Nap();
  final Latency latency = new Latency();

  // Stop-the-world; stopwait under lock.
  final AtomicBoolean worldStopping = new AtomicBoolean();
  volatile boolean gcwaiting;
  int stopwait;
  int newprocs;
  final StopNote stopnote = new StopNote();

  volatile boolean shutdown;

  final Ending ending = new Ending(this);

  /** Why it was shut down, if not by request. */
  volatile @Nullable Throwable failure;

  /** Threads that wait for a main goroutine to return. */
  final ConcurrentHashMap<Thread, MainRun> mainRuns = new ConcurrentHashMap<>();

  // sysmon, under lock.
  final long startTime = nanotime();
  private @Nullable Sysmon sysmon;
  @Nullable M sysmonM;
  final SysmonSleep sysmonSleep = new SysmonSleep(this);

  /** Makes a scheduler; its threads start with the first goroutine. */
  public Sched(SchedOptions options) {
    Jdk.require();
    this.name = options.name();
    this.config = options.config();
    Long fixed = config.seed();
    this.seed = fixed != null ? fixed : System.nanoTime();
    this.selectSeeds = new AtomicLong(seed);
    this.check = config.check();
    this.maxmcount = config.maxThreads();
    int n = config.maxProcs();
    this.tracer = new Tracer(new TraceView(this), Recordings.options(config));
    this.outside = tracer.newThread(FileFormat.OUTSIDE_STREAM, name + "-outside");
    P[] ps = new P[n];
    for (int i = 0; i < n; i++) {
      ps[i] = new P(i, this);
    }
    allp = ps;
    gomaxprocs = n;
    lock.lock();
    for (int i = n - 1; i >= 0; i--) {
      pidleput(ps[i]);
    }
    lock.unlock();
    recordings = Recordings.start(config, tracer, this::gomaxprocs);
  }

  // ---- global run queue -------------------------------------------------------------------------

  /** Under lock. */
  void globrunqput(G gp) {
    if (check) {
      Check.global(this, gp);
    }
    runq.pushBack(gp);
    runqsize = runq.size();
  }

  /** Under lock. */
  void globrunqputbatch(GQueue batch) {
    if (check) {
      Check.global(this, null);
    }
    runq.pushBackAll(batch);
    runqsize = runq.size();
  }

  /** Puts a runnable G at the end of the global queue, from anywhere. */
  void globrunqputLocked(G gp) {
    lock.lock();
    globrunqput(gp);
    lock.unlock();
  }

  /**
   * Under lock. Takes one G to run and moves a fair share of the queue to {@code pp}'s ring.
   *
   * @param max how many at most, 0 for a fair share
   */
  @Nullable G globrunqget(P pp, int max) {
    if (check) {
      Check.global(this, null);
    }
    int size = runq.size();
    if (size == 0) {
      return null;
    }
    int n = Math.min(size, size / gomaxprocs + 1);
    if (max > 0) {
      n = Math.min(n, max);
    }
    n = Math.min(n, RunQueue.SIZE / 2);
    G gp = runq.pop();
    for (int i = 1; i < n; i++) {
      G next = runq.pop();
      if (next != null) {
        pp.runq.put(next, false, backToGlobal);
      }
    }
    runqsize = runq.size();
    return gp;
  }

  // ---- idle lists -------------------------------------------------------------------------------

  /** Under lock. */
  void mput(M mp) {
    if (check) {
      Check.idle(mp);
    }
    mp.schedlink = midle;
    midle = mp;
    nmidle++;
  }

  /** Under lock. */
  @Nullable M mget() {
    M mp = midle;
    if (mp != null) {
      midle = mp.schedlink;
      mp.schedlink = null;
      nmidle--;
    }
    return mp;
  }

  /** Under lock. */
  void pidleput(P pp) {
    if (!pp.runq.isEmpty()) {
      throw new FatalError("pidleput: P has non-empty run queue");
    }
    pp.setStatus(P.IDLE);
    idlepMask.accumulateAndGet(pp.id >> 6, 1L << pp.id, (a, b) -> a | b);
    pp.link = pidle;
    pidle = pp;
    npidle.incrementAndGet();
    if (check) {
      Check.idle(pp);
    }
  }

  /** Under lock. */
  @Nullable P pidleget() {
    P pp = pidle;
    if (pp != null) {
      pidle = pp.link;
      pp.link = null;
      idlepMask.accumulateAndGet(pp.id >> 6, ~(1L << pp.id), (a, b) -> a & b);
      npidle.decrementAndGet();
    }
    return pp;
  }

  /** Under lock. Like pidleget; when there is none, asks the next M to drop its P to spin first. */
  @Nullable P pidlegetSpinning() {
    P pp = pidleget();
    if (pp == null) {
      needspinning.set(1);
    }
    return pp;
  }

  /** Under lock. Takes exactly {@code want} off the idle list, if it is there. */
  boolean pidleremove(P want) {
    P prev = null;
    for (P pp = pidle; pp != null; prev = pp, pp = pp.link) {
      if (pp == want) {
        if (prev == null) {
          pidle = pp.link;
        } else {
          prev.link = pp.link;
        }
        pp.link = null;
        idlepMask.accumulateAndGet(pp.id >> 6, ~(1L << pp.id), (a, b) -> a & b);
        npidle.decrementAndGet();
        return true;
      }
    }
    return false;
  }

  boolean isIdle(int p) {
    return (idlepMask.get(p >> 6) & (1L << p)) != 0;
  }

  /** The runtime's clock: nanoseconds, always positive. */
  public static long nanotime() {
    return System.nanoTime() - CLOCK_ZERO;
  }

  // ---- sysmon -----------------------------------------------------------------------------------

  /** Under lock. The monitor's thread if it is to be started now, by the caller. */
  @Nullable Thread sysmonNew() {
    if (sysmon != null) {
      return null;
    }
    M mp = new M(this, mnext++, false);
    sysmonM = mp;
    sysmon = new Sysmon(this, mp);
    return sysmon;
  }

  /** Whether no P runs. While the world is being stopped, sysmon may be needed for that. */
  boolean allIdle() {
    return npidle.get() == gomaxprocs || (gcwaiting && stopwait == 0);
  }

  /** A P may run from now on. Not under lock. */
  void sysmonWake() {
    sysmonSleep.wake();
  }

  /**
   * Where selects get their random choices from: a sequence that {@code seed=N} makes repeatable.
   */
  public AtomicLong selectSeeds() {
    return selectSeeds;
  }

  // ---- counts -----------------------------------------------------------------------------------

  /** Ms alive, sysmon's among them. */
  int mcount() {
    return (int) (mnext - nmfreed);
  }

  /** Goroutines alive. */
  public int numGoroutine() {
    long n = foreignBorn.get() - foreignDied.get();
    for (P pp : allp) {
      n += pp.gborn - pp.gdied;
    }
    return (int) Math.max(n, 0);
  }

  /** Live goroutines that are runnable, running, waiting, in a syscall. */
  public int[] countStates() {
    int[] n = new int[4];
    allgs.forEach(gp -> {
      switch (gp.status()) {
        case G.RUNNABLE, G.PREEMPTED -> n[0]++;
        case G.RUNNING -> n[1]++;
        case G.WAITING -> n[2]++;
        case G.SYSCALL -> n[3]++;
        default -> {}
      }
    });
    return n;
  }

  /** Goroutines made so far; ids are handed out to Ps in blocks, so this may be ahead by some. */
  public long goroutinesCreated() {
    long n = goidgen.get();
    for (P pp : allp) {
      n -= pp.goidcacheend - pp.goidcache;
    }
    return n;
  }

  /** Ms alive, with the monitor's thread. */
  public int threadCount() {
    return mcount();
  }

  /** Ps without work. */
  public int idleProcs() {
    return npidle.get();
  }

  /** Ms looking for work. */
  public int spinningThreads() {
    return nmspinning.get();
  }

  /** How many Gs may run at once. */
  public int gomaxprocs() {
    return gomaxprocs;
  }

  /**
   * Sets how many Gs may run at once, by stopping the world.
   *
   * @return the number before; {@code n < 1} only asks
   */
  public int gomaxprocs(int n) {
    if (n > MAX_PROCS) {
      throw new IllegalArgumentException("GOMAXPROCS is " + n + ", at most " + MAX_PROCS);
    }
    int old = gomaxprocs;
    if (n >= 1 && n != old) {
      World.setProcs(this, n);
    }
    return old;
  }

  /** Its name, the first part of its threads' names. */
  public String name() {
    return name;
  }

  // ---- life -------------------------------------------------------------------------------------

  /**
   * Starts a goroutine, from a goroutine or from any other thread.
   *
   * @throws IllegalStateException when the scheduler is shut down
   */
  public G go(Runnable fn) {
    return NewProc.newproc(this, fn);
  }

  /** Starts a goroutine with a name. */
  public G go(String goroutineName, Runnable fn) {
    return NewProc.newproc(this, fn, goroutineName);
  }

  /**
   * Runs {@code main} as a goroutine and returns when it returns, or throws what it throws.
   *
   * @throws IllegalStateException when the scheduler is shut down, now or before {@code main} ends
   */
  public void run(Runnable main) {
    MainRun.run(this, main, "main");
  }

  /** Every goroutine with its state, wait reason and stack, in Go's form. */
  public String dump() {
    return Deadlock.dump(this);
  }

  /** The network poller, for channels of this scheduler's goroutines. */
  public Netpoll netpoll() {
    return netpoll;
  }

  /** How long goroutines wait between runnable and running. */
  public Latency latency() {
    return latency;
  }

  /**
   * Sets the most Ms there may be; Go's debug.SetMaxThreads.
   *
   * @return the number before
   */
  public int setMaxThreads(int n) {
    int old = maxmcount;
    maxmcount = n;
    return old;
  }

  /**
   * Ends the scheduler: its threads stop when they are next idle or between two Gs. Gs that have
   * not ended are abandoned where they are; who waits in {@link #run} for one of them gets an
   * IllegalStateException. A main that shuts its own scheduler down may still return.
   */
  public void shutdown() {
    ending.end(Thread.currentThread());
  }

  /** Throws when the scheduler is shut down. */
  void requireOpen() {
    if (shutdown) {
      throw new IllegalStateException("the scheduler " + name + " is shut down", failure);
    }
  }

  /**
   * A timer that starts {@code fn} as a goroutine, which goes by the place where this is called: by
   * the time the timer fires nobody knows any more.
   */
  public Timer funcTimer(Runnable fn) {
    if (fn == null) {
      throw new FatalError("go of nil func value");
    }
    EntrySite site = G.siteOf(fn);
    return new Timer(this, (arg, seq, now) -> NewProc.newproc(this, fn, null, site), null);
  }

  /** Has {@code then} run when the scheduler is shut down, or now if it is already. */
  public void atShutdown(Runnable then) {
    ending.add(then);
  }

  // ---- for the tracer ---------------------------------------------------------------------------

  /** Records what this scheduler does; see there. */
  public Tracer tracer() {
    return tracer;
  }

  /** The flight recorder that GMPDEBUG=traceflight=… started, or null. */
  public @Nullable FlightRecorder flightRecorder() {
    return recordings.flight();
  }

  @Override
  public String toString() {
    return "Sched[" + name + ", gomaxprocs=" + gomaxprocs + "]";
  }
}
