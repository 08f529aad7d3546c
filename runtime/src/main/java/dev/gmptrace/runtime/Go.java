package dev.gmptrace.runtime;

import dev.gmptrace.runtime.config.ConfigException;
import dev.gmptrace.runtime.sched.Foreign;
import dev.gmptrace.runtime.sched.G;
import dev.gmptrace.runtime.sched.Proc;
import dev.gmptrace.runtime.sched.Sched;
import dev.gmptrace.runtime.sched.SchedOptions;
import dev.gmptrace.runtime.sched.Syscalls;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;

/**
 * Goroutines for Java.
 *
 * <pre>{@code
 * import static dev.gmptrace.runtime.Go.*;
 *
 * run(() -> {
 *   go(() -> System.out.println("hello from " + goid()));
 *   sleep(Duration.ofMillis(10));
 * });
 * }</pre>
 *
 * {@link #run} returns when its main returns. As in Go, other goroutines are not waited for; the
 * scheduler's threads are daemons, so they do not keep the JVM alive.
 *
 * <p>A goroutine is a virtual thread, so all of Java works in it: {@code synchronized}, locks,
 * sockets, ThreadLocals, {@code Thread.sleep}. An exception it does not catch goes to the thread's
 * uncaught-exception handler.
 *
 * <p>Static methods act on the scheduler of the calling goroutine; on other threads on the default
 * one, which is made from {@code GMPDEBUG} and {@code GMPMAXPROCS} at first use.
 */
public final class Go {
  private Go() {}

  private static final class Default {
    static final Sched SCHED = make();

    /** A program that was told something impossible does not start, rather than run otherwise. */
    private static Sched make() {
      Sched s;
      try {
        s = new Sched(SchedOptions.fromEnvironment());
      } catch (ConfigException | UncheckedIOException | IllegalArgumentException e) {
        System.err.println("gmptrace: " + e.getMessage());
        System.exit(2);
        throw e;
      }
      registerInJmx(s);
      return s;
    }
  }

  // ---- goroutines -------------------------------------------------------------------------------

  /** Runs {@code main} as a goroutine, returns when it returns, throws what it throws. */
  public static void run(Runnable main) {
    run(sched(), main);
  }

  /** Runs {@code main} as a goroutine of {@code s}. */
  public static void run(Sched s, Runnable main) {
    s.run(main);
  }

  /** Starts a goroutine: Go's {@code go f()}. */
  public static void go(Runnable fn) {
    G _ = sched().go(fn);
  }

  /** Starts a goroutine under a name, which its thread carries and traces and dumps show. */
  public static void go(String name, Runnable fn) {
    G _ = sched().go(name, fn);
  }

  /** The id of the calling goroutine; 0 when there is none. */
  public static long goid() {
    G gp = Proc.getg();
    return gp == null ? 0 : gp.goid();
  }

  /** Lets other goroutines run: Go's {@code runtime.Gosched}. */
  public static void gosched() {
    Proc.gosched();
  }

  /**
   * Gives way when the time slice is over; for loops that call nothing else of the runtime. With
   * {@code asyncpreemptoff=1} only for a stop of the world.
   */
  public static void checkPreempt() {
    Proc.checkPreempt();
  }

  /** Ties the goroutine to its thread: Go's {@code runtime.LockOSThread}. Counted. */
  public static void lockOSThread() {
    Proc.lockOSThread();
  }

  /** Takes back one {@link #lockOSThread}. */
  public static void unlockOSThread() {
    Proc.unlockOSThread();
  }

  /**
   * Runs {@code task} as a goroutine from a thread that is none, on that very thread when it is a
   * platform thread, and returns when it has ended.
   */
  public static void call(Runnable task) {
    Foreign.call(sched(), task);
  }

  // ---- syscalls ---------------------------------------------------------------------------------

  /**
   * Runs something that blocks its thread (native code, file I/O), so that the P can serve others
   * meanwhile. Code that blocks without this is found by the monitor too, only later.
   *
   * @throws Exception what {@code body} throws
   */
  public static <T> T syscall(Callable<T> body) throws Exception {
    Syscalls.entersyscall();
    try {
      return body.call();
    } finally {
      Syscalls.exitsyscall();
    }
  }

  // ---- time -------------------------------------------------------------------------------------

  /** Sleeps; not interruptible, as in Go. */
  public static void sleep(Duration d) {
    Time.sleep(d);
  }

  /** Runs {@code fn} in its own goroutine after {@code d}: Go's {@code time.AfterFunc}. */
  public static Time.FuncTimer afterFunc(Duration d, Runnable fn) {
    return Time.afterFunc(d, fn);
  }

  // ---- the scheduler ----------------------------------------------------------------------------

  /** The scheduler of the calling goroutine, else the default one. */
  public static Sched sched() {
    Sched s = Proc.currentSched();
    return s != null ? s : Default.SCHED;
  }

  /** How many goroutines run at once; {@code n >= 1} sets it. Returns the number before. */
  public static int gomaxprocs(int n) {
    return sched().gomaxprocs(n);
  }

  /** Goroutines alive. */
  public static int numGoroutine() {
    return sched().numGoroutine();
  }

  /** CPUs of the machine. */
  public static int numCPU() {
    return Runtime.getRuntime().availableProcessors();
  }

  /** The scheduler's numbers, under Go's names. */
  public static Metrics metrics() {
    return Metrics.read(sched());
  }

  /** Shows a scheduler in JMX until it is shut down; see {@link SchedulerMXBean}. */
  public static void registerInJmx(Sched s) {
    SchedulerBean.register(s);
  }

  // ---- for Java libraries -----------------------------------------------------------------------

  /** Makes threads that are goroutines. */
  public static GoThreadFactory threadFactory() {
    return GoThreadFactory.on(sched());
  }

  /**
   * An executor that runs each task in its own goroutine. {@code close} and {@code
   * awaitTermination} wait, {@code shutdownNow} interrupts, as everywhere in Java.
   */
  public static ExecutorService newExecutor() {
    return new GoExecutor(threadFactory());
  }
}
