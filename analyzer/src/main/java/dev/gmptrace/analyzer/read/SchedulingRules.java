package dev.gmptrace.analyzer.read;

import org.jspecify.annotations.Nullable;

/**
 * The rules of the scheduler, re-enacted: may this event of a G or a P happen now?
 *
 * <p>Three answers. <b>Yes</b>: the state changes and the event is written out. <b>Not yet</b>:
 * another thread's event must come first, told by a sequence number or by a state that this thread
 * cannot bring about itself. <b>Never</b>: the thread's own events contradict each other, so the
 * trace is broken, and the {@link DamageException} says how.
 *
 * <p>Only events at a distance can get "not yet": GoStart, GoUnblock, GoSwitch, ProcStart and
 * ProcSteal, which name a G or P that other threads also touch, and GoSyscallEndBlocked, which must
 * see its P taken away first. All others are about what the thread itself holds.
 */
final class SchedulingRules {
  private static final int GO_RUNNABLE = GoState.RUNNABLE.code();
  private static final int GO_RUNNING = GoState.RUNNING.code();
  private static final int GO_WAITING = GoState.WAITING.code();
  private static final int GO_SYSCALL = GoState.SYSCALL.code();
  private static final int GO_NOT_EXIST = GoState.NOT_EXIST.code();
  private static final int GO_UNDETERMINED = GoState.UNDETERMINED.code();
  private static final int P_RUNNING = ProcState.RUNNING.code();
  private static final int P_IDLE = ProcState.IDLE.code();

  private final OrderContext ctx;

  /**
   * Whether sequence number 0 stands for "directly after the last one, which is in this very
   * stream" (gmp), rather than being a number that no event has (Go).
   */
  private final boolean zeroFollows;

  SchedulingRules(OrderContext ctx, boolean zeroFollows) {
    this.ctx = ctx;
    this.zeroFollows = zeroFollows;
  }

  private boolean follows(GoRecord g, long seq) {
    return g.precedes(ctx.generation, seq) || (seq == 0 && zeroFollows);
  }

  private boolean follows(ProcRecord p, long seq) {
    return p.precedes(ctx.generation, seq) || (seq == 0 && zeroFollows);
  }

  // Procs.

  boolean procStatus(EventStream s) throws DamageException {
    long id = s.args[0];
    long status = s.args[1];
    if (status < 0 || status > ProcRecord.ABANDONED) {
      throw ctx.impossible(s, "proc " + id + " cannot have status " + status);
    }
    ThreadState t = s.thread;
    int reported = (int) status;
    int from = ProcRecord.publicState(reported);
    ProcRecord p = ctx.procs.get(id);
    ThreadState holder = t;
    if (p == null) {
      p = new ProcRecord(id, reported, ctx.generation);
      ctx.procs.put(id, p);
      from = ctx.firstGeneration() ? ProcState.UNDETERMINED.code() : ProcState.NOT_EXIST.code();
    } else {
      if (reported == ProcRecord.ABANDONED && p.status == ProcRecord.SYSCALL) {
        // Nothing was lost after all: the P is known to sit in a system call. It is about to be
        // taken by this thread, but the status belongs to the thread that holds it.
        reported = ProcRecord.SYSCALL;
        from = P_RUNNING;
        holder = holderOf(s, id);
      } else if (p.status != reported) {
        throw ctx.impossible(
            s,
            "proc "
                + id
                + " is "
                + ProcRecord.name(p.status)
                + " but is reported as "
                + ProcRecord.name(reported));
      }
      p.restart(ctx.generation);
    }
    int row = ctx.row(s.time, s.offset, s.type, holder.id, holder.p, holder.g);
    ctx.transition(row, ResourceKind.PROC, id, from, ProcRecord.publicState(reported));
    if ((status == ProcRecord.RUNNING || status == ProcRecord.SYSCALL) && t.id != TraceEvent.NONE) {
      t.bindP(p);
    }
    return true;
  }

  private static String change(ProcRecord p, int becomes) {
    String is = "P " + p.id + " is " + ProcRecord.name(p.status);
    return is + ", would become " + ProcRecord.name(becomes);
  }

  private ThreadState holderOf(EventStream s, long proc) throws DamageException {
    ThreadState holder = null;
    for (ThreadState t : ctx.threads.values()) {
      // Should more than one say so, it is the same one every time.
      if (t.p == proc && (holder == null || t.id < holder.id)) {
        holder = t;
      }
    }
    if (holder != null) {
      return holder;
    }
    throw ctx.impossible(s, "no thread holds proc " + proc + ", which is about to be stolen");
  }

  boolean procStart(EventStream s) throws DamageException {
    ThreadState t = s.thread;
    ProcRecord p = ctx.procs.get(s.args[0]);
    // A thread that comes out of a system call may still hold a P here, until its theft is seen.
    if (p == null
        || p.status != ProcRecord.IDLE
        || !follows(p, s.args[1])
        || t.p != TraceEvent.NONE) {
      return false;
    }
    ctx.needThread(s);
    int row = ctx.row(s, s.type);
    ctx.transition(row, ResourceKind.PROC, p.id, P_IDLE, P_RUNNING);
    p.status = ProcRecord.RUNNING;
    p.advance(ctx.generation);
    ctx.set(row, TraceEvent.VALUE, p.seq);
    t.bindP(p);
    return true;
  }

  boolean procStop(EventStream s) throws DamageException {
    ThreadState t = s.thread;
    ProcRecord p = t.proc;
    if (p == null) {
      ctx.needProc(s);
      throw ctx.impossible(s, "nothing is known of proc " + t.p);
    }
    if (p.status != ProcRecord.RUNNING && p.status != ProcRecord.SYSCALL) {
      throw ctx.impossible(s, change(p, ProcRecord.IDLE));
    }
    int row = ctx.row(s, s.type);
    ctx.transition(row, ResourceKind.PROC, p.id, P_RUNNING, P_IDLE);
    p.status = ProcRecord.IDLE;
    t.dropP();
    return true;
  }

  boolean procSteal(EventStream s) throws DamageException {
    ProcRecord p = ctx.procs.get(s.args[0]);
    if (p == null
        || (p.status != ProcRecord.SYSCALL && p.status != ProcRecord.ABANDONED)
        || !follows(p, s.args[1])) {
      return false;
    }
    ctx.needThread(s);
    ThreadState t = s.thread;
    boolean abandoned = p.status == ProcRecord.ABANDONED;
    ThreadState victim = null;
    if (!abandoned) {
      victim = s.args[2] == t.id ? t : ctx.threads.get(s.args[2]);
      if (victim == null || (victim != t && !victim.seen)) {
        throw ctx.impossible(s, "proc " + p.id + " is stolen from a thread never seen");
      }
      if (victim.p != p.id) {
        throw ctx.impossible(s, "thread " + victim.id + " holds proc " + victim.p);
      }
    }
    p.status = ProcRecord.IDLE;
    p.advance(ctx.generation);
    int row = ctx.row(s, s.type);
    // Where the thread of an abandoned P has gone is not known, so it was shown as idle before.
    ctx.transition(row, ResourceKind.PROC, p.id, abandoned ? P_IDLE : P_RUNNING, P_IDLE);
    ctx.set(row, TraceEvent.VALUE, p.seq);
    ctx.set(row, TraceEvent.TASK, s.args[2]);
    if (victim != null) {
      victim.dropP();
    }
    return true;
  }

  // Goroutines.

  boolean goStatus(EventStream s) throws DamageException {
    long id = s.args[0];
    long onThread = s.args[1];
    long status = s.args[2];
    if (status < 0 || status > GoRecord.WAITING) {
      throw ctx.impossible(s, "goroutine " + id + " cannot have status " + status);
    }
    int from = GoRecord.publicState((int) status);
    GoRecord g = ctx.goroutines.get(id);
    if (g != null) {
      if (g.status != status) {
        throw ctx.impossible(
            s,
            "goroutine "
                + id
                + " is "
                + GoRecord.name(g.status)
                + " but is reported as "
                + GoRecord.name((int) status));
      }
      g.restart(ctx.generation);
    } else if (ctx.firstGeneration()) {
      g = new GoRecord(id, (int) status, ctx.generation);
      ctx.goroutines.put(id, g);
      from = GO_UNDETERMINED;
    } else {
      throw ctx.impossible(
          s, "goroutine " + id + " was never created, and this is not the first generation");
    }
    int stack = s.type == EventTypes.GO_STATUS_STACK ? ctx.stack(s, s.args[3]) : 0;

    ThreadState t = s.thread;
    long m = t.id;
    long currentG = t.g;
    ThreadState binds = null;
    if (status == GoRecord.RUNNING) {
      binds = t;
    } else if (status == GoRecord.SYSCALL) {
      if (onThread == TraceEvent.NONE) {
        throw ctx.impossible(s, "goroutine " + id + " is in a syscall without a thread");
      }
      if (onThread == t.id) {
        if (!ctx.firstGeneration() && t.g != id) {
          throw ctx.impossible(s, "thread " + t.id + " has goroutine " + t.g);
        }
        binds = t;
      } else {
        // It has sat in that call on another thread for all of the generation, without a P.
        ThreadState other = ctx.thread(onThread);
        if (other.seen) {
          if (other.g != id) {
            throw ctx.impossible(s, "thread " + onThread + " has goroutine " + other.g);
          }
          currentG = id;
        } else {
          other.seen = true;
          other.bindG(g);
        }
        m = onThread;
      }
    }
    int row = ctx.row(s.time, s.offset, s.type, m, t.p, currentG);
    ctx.transition(row, ResourceKind.GOROUTINE, id, from, GoRecord.publicState((int) status));
    ctx.stacks(row, stack, stack);
    if (binds != null && binds.id != TraceEvent.NONE) {
      binds.bindG(g);
    }
    return true;
  }

  boolean goCreate(EventStream s) throws DamageException {
    ctx.needProc(s);
    return goCreateAnywhere(s);
  }

  /** A gmp goroutine may also be started by a thread that has no P, such as main. */
  boolean goCreateAnywhere(EventStream s) throws DamageException {
    GoRecord creator = ctx.current(s.thread);
    if (creator != null && creator.status != GoRecord.RUNNING) {
      throw ctx.impossible(s, "goroutine " + creator.id + " is " + GoRecord.name(creator.status));
    }
    long id = s.args[0];
    if (ctx.goroutines.get(id) != null) {
      throw ctx.impossible(s, "goroutine " + id + " already exists");
    }
    boolean blocked = s.type == EventTypes.GO_CREATE_BLOCKED;
    int newStack = ctx.stack(s, s.args[1]);
    int stack = ctx.stack(s, s.args[2]);
    int status = blocked ? GoRecord.WAITING : GoRecord.RUNNABLE;
    ctx.goroutines.put(id, new GoRecord(id, status, ctx.generation));
    int row = ctx.row(s, s.type);
    ctx.transition(
        row, ResourceKind.GOROUTINE, id, GO_NOT_EXIST, blocked ? GO_WAITING : GO_RUNNABLE);
    ctx.stacks(row, stack, newStack);
    return true;
  }

  boolean goCreateSyscall(EventStream s) throws DamageException {
    ctx.needThread(s);
    ctx.needNoGoroutine(s);
    long id = s.args[0];
    if (ctx.goroutines.get(id) != null) {
      throw ctx.impossible(s, "goroutine " + id + " already exists");
    }
    GoRecord g = new GoRecord(id, GoRecord.SYSCALL, ctx.generation);
    ctx.goroutines.put(id, g);
    int row = ctx.row(s, s.type);
    ctx.transition(row, ResourceKind.GOROUTINE, id, GO_NOT_EXIST, GO_SYSCALL);
    s.thread.bindG(g);
    return true;
  }

  boolean goStart(EventStream s) throws DamageException {
    GoRecord g = ctx.goroutines.get(s.args[0]);
    if (g == null || g.status != GoRecord.RUNNABLE || !follows(g, s.args[1])) {
      return false;
    }
    ctx.needProc(s);
    ctx.needNoGoroutine(s);
    g.status = GoRecord.RUNNING;
    g.advance(ctx.generation);
    int row = ctx.row(s, s.type);
    ctx.transition(row, ResourceKind.GOROUTINE, g.id, GO_RUNNABLE, GO_RUNNING);
    ctx.set(row, TraceEvent.VALUE, g.seq);
    s.thread.bindG(g);
    return true;
  }

  boolean goStop(EventStream s) throws DamageException {
    ctx.needGoroutine(s);
    GoRecord g = ctx.need(s, GoRecord.RUNNING);
    int reason = ctx.string(s, s.args[0]);
    int stack = ctx.stack(s, s.args[1]);
    boolean blocks = s.type == EventTypes.GO_BLOCK;
    g.status = blocks ? GoRecord.WAITING : GoRecord.RUNNABLE;
    int row = ctx.row(s, s.type);
    ctx.transition(
        row, ResourceKind.GOROUTINE, g.id, GO_RUNNING, blocks ? GO_WAITING : GO_RUNNABLE);
    ctx.names(row, reason, 0);
    ctx.stacks(row, stack, stack);
    s.thread.dropG();
    return true;
  }

  boolean goDestroy(EventStream s) throws DamageException {
    ctx.needGoroutine(s);
    GoRecord g = ctx.need(s, GoRecord.RUNNING);
    end(g);
    int row = ctx.row(s, s.type);
    ctx.transition(row, ResourceKind.GOROUTINE, g.id, GO_RUNNING, GO_NOT_EXIST);
    s.thread.dropG();
    return true;
  }

  private void end(GoRecord g) {
    g.live = false;
    ctx.goroutines.remove(g.id);
  }

  boolean goUnblock(EventStream s) throws DamageException {
    GoRecord g = ctx.goroutines.get(s.args[0]);
    if (g == null || g.status != GoRecord.WAITING || !follows(g, s.args[1])) {
      return false;
    }
    // Anything may wake a goroutine: another one, a P without one, a thread without a P.
    int stack = ctx.stack(s, s.args[2]);
    g.status = GoRecord.RUNNABLE;
    g.advance(ctx.generation);
    int row = ctx.row(s, s.type);
    ctx.transition(row, ResourceKind.GOROUTINE, g.id, GO_WAITING, GO_RUNNABLE);
    ctx.stacks(row, stack, 0);
    ctx.set(row, TraceEvent.VALUE, g.seq);
    return true;
  }

  /** The current goroutine hands its thread to another: three transitions in one event. */
  boolean goSwitch(EventStream s) throws DamageException {
    ctx.needGoroutine(s);
    GoRecord from = ctx.need(s, GoRecord.RUNNING);
    GoRecord next = ctx.goroutines.get(s.args[0]);
    if (next == null || next.status != GoRecord.WAITING || !follows(next, s.args[1])) {
      return false;
    }
    ThreadState t = s.thread;
    int row = ctx.row(s, s.type);
    ctx.transition(row, ResourceKind.GOROUTINE, next.id, GO_WAITING, GO_RUNNABLE);
    ctx.set(row, TraceEvent.VALUE, next.seq + 1);
    if (s.type == EventTypes.GO_SWITCH) {
      from.status = GoRecord.WAITING;
      row = ctx.row(s, EventTypes.GO_BLOCK);
      ctx.transition(row, ResourceKind.GOROUTINE, from.id, GO_RUNNING, GO_WAITING);
    } else {
      end(from);
      row = ctx.row(s, EventTypes.GO_DESTROY);
      ctx.transition(row, ResourceKind.GOROUTINE, from.id, GO_RUNNING, GO_NOT_EXIST);
    }
    t.dropG();
    next.status = GoRecord.RUNNING;
    next.advance(ctx.generation);
    row = ctx.row(s, EventTypes.GO_START);
    ctx.transition(row, ResourceKind.GOROUTINE, next.id, GO_RUNNABLE, GO_RUNNING);
    ctx.set(row, TraceEvent.VALUE, next.seq);
    t.bindG(next);
    return true;
  }

  // System calls.

  boolean goSyscallBegin(EventStream s) throws DamageException {
    ctx.needGoroutine(s);
    GoRecord g = ctx.need(s, GoRecord.RUNNING);
    ProcRecord p = needKnownProc(s);
    // The number tells apart the calls a theft could have interrupted. The P runs here and now, so
    // there is nothing to wait for: it fits or the trace is broken.
    if (!follows(p, s.args[0])) {
      throw ctx.impossible(s, "proc " + p.id + " is at sequence number " + p.seq);
    }
    int stack = ctx.stack(s, s.args[1]);
    g.status = GoRecord.SYSCALL;
    p.status = ProcRecord.SYSCALL;
    p.advance(ctx.generation);
    int row = ctx.row(s, s.type);
    ctx.transition(row, ResourceKind.GOROUTINE, g.id, GO_RUNNING, GO_SYSCALL);
    ctx.stacks(row, stack, stack);
    return true;
  }

  boolean goSyscallEnd(EventStream s) throws DamageException {
    ctx.needGoroutine(s);
    GoRecord g = ctx.need(s, GoRecord.SYSCALL);
    ProcRecord p = needKnownProc(s);
    if (p.status != ProcRecord.SYSCALL) {
      throw ctx.impossible(s, change(p, ProcRecord.RUNNING));
    }
    g.status = GoRecord.RUNNING;
    p.status = ProcRecord.RUNNING;
    int row = ctx.row(s, s.type);
    ctx.transition(row, ResourceKind.GOROUTINE, g.id, GO_SYSCALL, GO_RUNNING);
    return true;
  }

  boolean goSyscallEndBlocked(EventStream s) throws DamageException {
    ThreadState t = s.thread;
    // The event itself says that the P was lost during the call, so that must come first. A P that
    // is not in a system call is a new one, taken since.
    if (t.proc != null && t.proc.status == ProcRecord.SYSCALL) {
      return false;
    }
    ctx.needThread(s);
    if (t.g == TraceEvent.NONE) {
      throw ctx.impossible(s, "expected a goroutine but didn't have one");
    }
    GoRecord g = ctx.need(s, GoRecord.SYSCALL);
    g.status = GoRecord.RUNNABLE;
    int row = ctx.row(s, s.type);
    ctx.transition(row, ResourceKind.GOROUTINE, g.id, GO_SYSCALL, GO_RUNNABLE);
    t.dropG();
    return true;
  }

  boolean goDestroySyscall(EventStream s) throws DamageException {
    ctx.needThread(s);
    ThreadState t = s.thread;
    if (t.g == TraceEvent.NONE) {
      throw ctx.impossible(s, "expected a goroutine but didn't have one");
    }
    GoRecord g = ctx.need(s, GoRecord.SYSCALL);
    @Nullable ProcRecord p = t.proc;
    if (p != null && p.status != ProcRecord.SYSCALL) {
      throw ctx.impossible(s, change(p, ProcRecord.ABANDONED));
    }
    end(g);
    if (p != null) {
      // The thread's id may come back as another thread, so it must not be found holding this P:
      // shown as if it had stolen the P from itself.
      p.status = ProcRecord.ABANDONED;
      int steal = ctx.row(s, EventTypes.PROC_STEAL);
      ctx.transition(steal, ResourceKind.PROC, p.id, P_RUNNING, P_IDLE);
      ctx.set(steal, TraceEvent.TASK, t.id);
    }
    int row = ctx.row(s, s.type);
    ctx.transition(row, ResourceKind.GOROUTINE, g.id, GO_SYSCALL, GO_NOT_EXIST);
    t.dropP();
    t.dropG();
    return true;
  }

  private ProcRecord needKnownProc(EventStream s) throws DamageException {
    ProcRecord p = s.thread.proc;
    if (p == null) {
      throw ctx.impossible(s, "nothing is known of proc " + s.thread.p);
    }
    return p;
  }
}
