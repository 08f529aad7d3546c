package dev.gmptrace.tracer.schedtrace;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one schedtrace line says, with names as in the line. Ids that are absent are {@link #NONE}.
 *
 * <p>Statuses are Go's numbers, not the ones of the event stream, which differ: use {@link PStatus}
 * and {@link GStatus}.
 *
 * @param millis since the first line
 * @param gomaxprocs how many Ps there are
 * @param idleprocs Ps without work and without an M
 * @param threads all Ms alive, the monitor's own included
 * @param spinningthreads Ms that look for work
 * @param needspinning 1 when somebody asked for one more spinning M, else 0
 * @param idlethreads parked Ms
 * @param runqueue length of the global queue
 * @param procs P0, P1, … in order; a plain line shows only {@code runqsize} and {@code schedtick}
 * @param detail what {@code scheddetail=1} adds, or null for the plain line
 */
public record SchedSnapshot(
    long millis,
    int gomaxprocs,
    int idleprocs,
    int threads,
    int spinningthreads,
    int needspinning,
    int idlethreads,
    int runqueue,
    List<Proc> procs,
    @Nullable Detail detail) {

  /** An absent id; printed as {@code nil}. */
  public static final long NONE = -1;

  public SchedSnapshot {
    procs = List.copyOf(procs);
  }

  /** The same instant without what {@code scheddetail=1} adds. */
  public SchedSnapshot plain() {
    return detail == null
        ? this
        : new SchedSnapshot(
            millis,
            gomaxprocs,
            idleprocs,
            threads,
            spinningthreads,
            needspinning,
            idlethreads,
            runqueue,
            procs,
            null);
  }

  /**
   * One P.
   *
   * @param runqsize length of the local ring; {@code runnext} is not counted
   * @param schedtick goroutines started from a queue so far
   * @param syscalltick system calls so far
   * @param m the M that holds it, or {@link #NONE}
   * @param gfreecnt dead Gs kept for reuse
   * @param timerslen timers in its heap
   */
  public record Proc(
      int id,
      int status,
      long schedtick,
      long syscalltick,
      long m,
      int runqsize,
      int gfreecnt,
      int timerslen) {
    /** As much of a P as a plain line shows. */
    public static Proc plain(int id, int runqsize, long schedtick) {
      return new Proc(id, PStatus.IDLE, schedtick, 0, NONE, runqsize, 0, 0);
    }
  }

  /**
   * One M.
   *
   * @param p the P it holds, or {@link #NONE}
   * @param curg the G it runs, or {@link #NONE}
   * @param preemptoff why preemption is off, or empty
   * @param blocked parked on its note
   * @param lockedg the G that locked this thread, or {@link #NONE}
   */
  public record Machine(
      long id,
      long p,
      long curg,
      int mallocing,
      int throwing,
      String preemptoff,
      int locks,
      int dying,
      boolean spinning,
      boolean blocked,
      long lockedg) {
    /** An M with the fields that every recording has. */
    public static Machine of(
        long id, long p, long curg, boolean spinning, boolean blocked, long lockedg) {
      return new Machine(id, p, curg, 0, 0, "", 0, 0, spinning, blocked, lockedg);
    }
  }

  /**
   * One G.
   *
   * @param waitReason the last one, empty when there was none
   * @param m the M that runs it, or {@link #NONE}
   * @param lockedm the M it is locked to, or {@link #NONE}
   */
  public record Goroutine(long id, int status, String waitReason, long m, long lockedm) {}

  /**
   * What {@code scheddetail=1} adds.
   *
   * @param gcwaiting the world is being stopped
   * @param nmidlelocked parked Ms that wait for their locked G
   * @param stopwait Ps that have not stopped yet
   * @param sysmonwait the monitor sleeps until somebody wakes it
   * @param machines newest first
   * @param goroutines by the order of their making
   */
  public record Detail(
      boolean gcwaiting,
      int nmidlelocked,
      int stopwait,
      boolean sysmonwait,
      List<Machine> machines,
      List<Goroutine> goroutines) {
    public Detail {
      machines = List.copyOf(machines);
      goroutines = List.copyOf(goroutines);
    }
  }

  /** Status numbers of a P. */
  public static final class PStatus {
    public static final int IDLE = 0;
    public static final int RUNNING = 1;

    /** Unused since Go 1.26: a P in a system call stays {@link #RUNNING}. */
    public static final int SYSCALL = 2;

    public static final int GCSTOP = 3;
    public static final int DEAD = 4;

    private PStatus() {}
  }

  /** Status numbers of a G. */
  public static final class GStatus {
    public static final int IDLE = 0;
    public static final int RUNNABLE = 1;
    public static final int RUNNING = 2;
    public static final int SYSCALL = 3;
    public static final int WAITING = 4;
    public static final int DEAD = 6;
    public static final int COPYSTACK = 8;
    public static final int PREEMPTED = 9;

    /** Added while the collector scans the stack. */
    public static final int SCAN = 0x1000;

    private GStatus() {}
  }
}
