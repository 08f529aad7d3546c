package dev.gmptrace.analyzer.stats;

import dev.gmptrace.analyzer.read.EventKind;
import dev.gmptrace.analyzer.read.EventSink;
import dev.gmptrace.analyzer.read.EventTypes;
import dev.gmptrace.analyzer.read.GoState;
import dev.gmptrace.analyzer.read.ProcState;
import dev.gmptrace.analyzer.read.ReadResult;
import dev.gmptrace.analyzer.read.ResourceKind;
import dev.gmptrace.analyzer.read.TraceEvent;
import dev.gmptrace.analyzer.read.TraceInfo;
import dev.gmptrace.analyzer.stats.Validation.Check;
import dev.gmptrace.analyzer.stats.Validation.Violation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Re-enacts the scheduler from the events alone and compares every step with the contract.
 *
 * <p>It keeps its own account of who is where and does not use the reader's, so a mistake of the
 * reader's is seen as well. Legal transitions of a goroutine:
 *
 * <pre>
 *   NotExist  -> Runnable  Waiting   Syscall            created
 *   Runnable  -> Running                                 started
 *   Running   -> Runnable  Waiting   Syscall  NotExist   stopped, blocked, in a call, ended
 *   Waiting   -> Runnable  Running                       woken; Running only by a coroutine switch
 *   Syscall   -> Running   Runnable  NotExist            back, back without a processor, ended
 *   Undetermined -> anything                             first seen, or seen again after a loss
 * </pre>
 */
final class ContractChecker implements EventSink {
  private static final int MAX_SHOWN = 5;
  private static final int RING = 256;

  /**
   * Threads' streams are ordered against each other by time stamps only, and a stamp is taken a
   * moment before or after the count changes. So more spinning threads than allowed count as a
   * violation only when they stay too many for this long.
   */
  private static final long SPIN_GRACE_NS = 10_000_000;

  private final class Rule {
    final String id;
    final String what;
    long checked;
    long violations;
    final List<Violation> first = new ArrayList<>();

    Rule(String id, String what) {
      this.id = id;
      this.what = what;
      rules.add(this);
    }

    void check(boolean holds, Text text) {
      checked++;
      if (!holds) {
        violations++;
        if (first.size() < MAX_SHOWN) {
          first.add(new Violation(number, now, text.get()));
        }
      }
    }
  }

  private interface Text {
    String get();
  }

  private static final class G {
    GoState state = GoState.UNDETERMINED;
    long since;
    long first;
    long accounted;
    long thread = -1;
  }

  private static final class P {
    boolean running;
    long thread = -1;
  }

  private static final class M {
    long proc = -1;
    long goroutine = -1;
    boolean spinning;
  }

  private final List<Rule> rules = new ArrayList<>();
  private final Map<Long, G> goroutines = new HashMap<>();
  private final Map<Long, P> procs = new HashMap<>();
  private final Map<Long, M> threads = new HashMap<>();

  private final Rule order = new Rule("ord", "every event fits into one order, times rise");
  private final Rule legal = new Rule("G1", "a goroutine changes state only in legal ways");
  private final Rule triangle =
      new Rule("G2", "a goroutine that runs has a thread and a processor");
  private final Rule queue =
      new Rule("G3", "only a runnable goroutine is started: it is in one queue, once");
  private final Rule wake = new Rule("G4", "only a waiting goroutine is woken");
  private final Rule parked = new Rule("M1", "a parked thread has neither processor nor goroutine");
  private final Rule spinner = new Rule("M2", "a spinning thread has a processor");
  private final Rule spinIdle = new Rule("M3", "a spinning thread runs no goroutine");
  private final Rule oneG = new Rule("M", "a thread runs one goroutine at a time");
  private final Rule bound = new Rule("M7", "spinning threads are at most half of GOMAXPROCS");
  private final Rule oneM =
      new Rule("P1", "a processor is held by one thread, a thread holds one processor");
  private final Rule idleP = new Rule("P2", "an idle processor is held by nobody");
  private final Rule dead = new Rule("P5", "no processor beyond GOMAXPROCS is started");
  private final Rule parallel = new Rule("par", "at most GOMAXPROCS goroutines run at once");
  private final Rule ring = new Rule("R1", "a local queue holds at most 256 goroutines");
  private final Rule steal =
      new Rule("R3", "a steal takes at least one and at most half a ring, from another");
  private final Rule overflow =
      new Rule("R6", "an overflow moves at most half of the ring and the new goroutine");
  private final Rule account =
      new Rule("end", "every goroutine that was created is accounted for at the end");
  private final Rule time = new Rule("time", "the time of a goroutine adds up to its life");

  private boolean started;
  private long base;
  private long now;
  private long number;
  private long gomaxprocs = -1;
  private int running;
  private int spinning;
  private long tooManySince = -1;
  private long tooManyEvent;
  private int tooMany;
  private boolean lossy;
  private boolean spinSeen;

  /** What the header says about GOMAXPROCS; later events may change it. */
  ContractChecker(TraceInfo info) {
    String n = info.properties().getOrDefault("maxprocs", "");
    if (n.matches("[1-9]\\d{0,6}")) {
      gomaxprocs = Long.parseLong(n);
    }
  }

  long now() {
    return now;
  }

  List<Check> checks() {
    return rules.stream()
        .map(r -> new Check(r.id, r.what, r.checked, r.violations, List.copyOf(r.first)))
        .toList();
  }

  @Override
  public void event(TraceEvent e) {
    if (!started) {
      started = true;
      base = e.time() - 1;
      now = 0;
    }
    long before = now;
    now = e.time() - base;
    number = e.number();
    order.check(now > before, () -> "time does not rise");
    EventKind kind = e.kind();
    switch (kind) {
      case STATE_TRANSITION -> {
        if (e.resource() == ResourceKind.GOROUTINE) {
          goroutine(e);
        } else if (e.resource() == ResourceKind.PROC) {
          proc(e);
        }
      }
      case METRIC -> {
        if (e.type() == EventTypes.PROCS_CHANGE) {
          gomaxprocs = e.value();
        }
      }
      case SPIN -> spin(e);
      case THREAD -> {
        if (e.type() == EventTypes.M_PARK) {
          park(e);
        }
      }
      case STEAL -> steal(e);
      case GLOBAL_QUEUE -> {
        if (e.type() == EventTypes.LOCAL_OVERFLOW) {
          long n = e.value();
          overflow.check(n >= 1 && n <= RING / 2 + 1, () -> n + " goroutines moved");
        }
      }
      case QUEUE_SAMPLE -> {
        if (e.type() == EventTypes.QUEUE_SAMPLE) {
          long n = e.arg(1);
          ring.check(n <= RING, () -> "P" + e.arg(0) + " has " + n);
        } else if (gomaxprocs < 0) {
          gomaxprocs = e.arg(0);
        }
      }
      case LOST -> lossy = true;
      default -> {
        // Nothing the contract speaks about.
      }
    }
  }

  private M thread(long id) {
    return threads.computeIfAbsent(id, k -> new M());
  }

  private P procOf(long id) {
    return procs.computeIfAbsent(id, k -> new P());
  }

  private static boolean isStatus(int type) {
    return type == EventTypes.GO_STATUS
        || type == EventTypes.GO_STATUS_STACK
        || type == EventTypes.GO_STATUS_INFO
        || type == EventTypes.PROC_STATUS
        || type == EventTypes.PROC_STATUS_INFO;
  }

  private void goroutine(TraceEvent e) {
    long id = e.resourceId();
    boolean known = goroutines.containsKey(id);
    G g = goroutines.computeIfAbsent(id, k -> new G());
    GoState to = e.goTo();
    boolean status = isStatus(e.type());
    GoState from = known ? g.state : status ? GoState.UNDETERMINED : GoState.NOT_EXIST;
    if (!known) {
      g.first = now;
      g.since = now;
    }
    if (status && known && from == to) {
      return;
    }
    if (!status || !known) {
      legal.check(
          allowed(from, to, e.type()), () -> "G" + id + " " + from.text() + " -> " + to.text());
    } else {
      legal.check(lossy, () -> "G" + id + " is " + to.text() + " although it was " + from.text());
    }
    if (e.type() == EventTypes.GO_UNBLOCK) {
      wake.check(
          from == GoState.WAITING || from == GoState.UNDETERMINED,
          () -> "G" + id + " woken while " + from.text());
    }
    if (e.type() == EventTypes.GO_START) {
      queue.check(
          from == GoState.RUNNABLE || from == GoState.UNDETERMINED,
          () -> "G" + id + " started while " + from.text());
    }
    long spent = now - g.since;
    g.accounted += spent;
    g.since = now;
    g.state = to;
    leave(g, from);
    if (to == GoState.RUNNING) {
      run(e, id, g);
    } else if (to == GoState.SYSCALL) {
      g.thread = e.thread();
      if (e.thread() >= 0) {
        thread(e.thread()).goroutine = id;
      }
    } else if (to == GoState.NOT_EXIST) {
      ended(id, g);
    }
  }

  private static boolean allowed(GoState from, GoState to, int type) {
    if (type == EventTypes.GO_CREATE
        || type == EventTypes.GO_CREATE_BLOCKED
        || type == EventTypes.GO_CREATE_SYSCALL) {
      return from == GoState.NOT_EXIST;
    }
    return switch (from) {
      case UNDETERMINED -> true;
      case NOT_EXIST -> to == GoState.RUNNABLE || to == GoState.WAITING || to == GoState.SYSCALL;
      case RUNNABLE -> to == GoState.RUNNING;
      case RUNNING -> to != GoState.RUNNING && to != GoState.UNDETERMINED;
      case WAITING ->
          to == GoState.RUNNABLE
              || (to == GoState.RUNNING
                  && (type == EventTypes.GO_SWITCH || type == EventTypes.GO_SWITCH_DESTROY));
      case SYSCALL -> to == GoState.RUNNING || to == GoState.RUNNABLE || to == GoState.NOT_EXIST;
    };
  }

  private void leave(G g, GoState from) {
    if (from == GoState.RUNNING) {
      running--;
    }
    if (from.executing() && g.thread >= 0) {
      M m = thread(g.thread);
      G on = goroutines.get(m.goroutine);
      if (on == g) {
        m.goroutine = -1;
      }
      g.thread = -1;
    }
  }

  private void run(TraceEvent e, long id, G g) {
    running++;
    long tid = e.thread();
    M m = tid < 0 ? null : thread(tid);
    triangle.check(
        m != null && m.proc >= 0 && procOf(m.proc).thread == tid,
        () -> "G" + id + " runs on M" + tid + ", which holds no processor");
    if (gomaxprocs >= 0) {
      parallel.check(
          running <= gomaxprocs, () -> running + " goroutines run, GOMAXPROCS is " + gomaxprocs);
    }
    if (m != null) {
      long other = m.goroutine;
      oneG.check(
          other < 0 || other == id || isSwitch(e),
          () -> "M" + tid + " runs G" + other + " and starts G" + id);
      if (spinSeen) {
        spinIdle.check(!m.spinning, () -> "M" + tid + " spins and starts G" + id);
      }
      m.goroutine = id;
    }
    g.thread = tid;
  }

  private static boolean isSwitch(TraceEvent e) {
    return e.type() == EventTypes.GO_SWITCH || e.type() == EventTypes.GO_SWITCH_DESTROY;
  }

  private void ended(long id, G g) {
    long life = now - g.first;
    time.check(
        life == g.accounted, () -> "G" + id + " lived " + life + " ns, spent " + g.accounted);
    account.check(true, () -> "");
    goroutines.remove(id);
  }

  private void proc(TraceEvent e) {
    long id = e.resourceId();
    boolean known = procs.containsKey(id);
    P p = procOf(id);
    boolean status = isStatus(e.type());
    if (e.procTo() == ProcState.RUNNING) {
      if (status && known && p.running) {
        return;
      }
      start(e, id, p, status);
    } else {
      stop(e, id, p);
    }
  }

  private void start(TraceEvent e, long id, P p, boolean status) {
    long tid = e.thread();
    M m = thread(tid);
    boolean elsewhere = status && m.proc >= 0 && m.proc != id;
    if (!status) {
      oneM.check(
          p.thread < 0 && !p.running,
          () -> "P" + id + " taken by M" + tid + ", held by M" + p.thread);
      long other = m.proc;
      oneM.check(other < 0, () -> "M" + tid + " takes P" + id + " and holds P" + other);
      if (gomaxprocs >= 0) {
        dead.check(id < gomaxprocs, () -> "P" + id + " started, GOMAXPROCS is " + gomaxprocs);
      }
    }
    p.running = true;
    p.thread = elsewhere ? -1 : tid;
    if (!elsewhere) {
      m.proc = id;
    }
  }

  private void stop(TraceEvent e, long id, P p) {
    long holder = p.thread;
    M m = holder < 0 ? null : thread(holder);
    if (e.type() == EventTypes.PROC_STOP && m != null) {
      long on = m.goroutine;
      G g = goroutines.get(on);
      idleP.check(
          g == null || g.state != GoState.RUNNING,
          () -> "P" + id + " goes idle while G" + on + " runs on it");
    } else if (e.type() == EventTypes.PROC_STEAL && m != null) {
      long on = m.goroutine;
      G g = goroutines.get(on);
      idleP.check(
          g == null || g.state != GoState.RUNNING,
          () -> "P" + id + " taken from M" + holder + " while G" + on + " runs on it");
    }
    if (m != null && m.proc == id) {
      m.proc = -1;
    }
    p.thread = -1;
    p.running = false;
  }

  private void spin(TraceEvent e) {
    spinSeen = true;
    long tid = e.thread();
    M m = thread(tid);
    if (e.type() == EventTypes.SPIN_START) {
      spinner.check(e.proc() >= 0, () -> "M" + tid + " spins without a processor");
      long on = m.goroutine;
      spinIdle.check(on < 0, () -> "M" + tid + " spins and runs G" + on);
      if (!m.spinning) {
        spinning++;
      }
      m.spinning = true;
    } else if (m.spinning) {
      m.spinning = false;
      spinning--;
    }
    spinBound();
  }

  private void spinBound() {
    if (gomaxprocs < 0) {
      return;
    }
    // Half rounded up: an M joins while twice the spinners are fewer than the busy processors.
    long most = Math.max(1, (gomaxprocs + 1) / 2);
    if (spinning <= most) {
      endOfTooMany();
      bound.check(true, () -> "");
    } else if (tooManySince < 0) {
      tooManySince = now;
      tooManyEvent = number;
      tooMany = spinning;
    }
  }

  private void endOfTooMany() {
    if (tooManySince >= 0) {
      long lasted = now - tooManySince;
      long event = tooManyEvent;
      bound.check(
          lasted <= SPIN_GRACE_NS,
          () -> tooMany + " threads spin for " + lasted + " ns, since event " + event);
      tooManySince = -1;
    }
  }

  private void park(TraceEvent e) {
    long tid = e.thread();
    M m = thread(tid);
    parked.check(
        m.proc < 0 && m.goroutine < 0,
        () ->
            "M"
                + tid
                + " parks"
                + (m.proc < 0 ? "" : " with P" + m.proc)
                + (m.goroutine < 0 ? "" : " with G" + m.goroutine));
    if (m.spinning) {
      spinIdle.check(false, () -> "M" + tid + " parks and still counts as spinning");
      m.spinning = false;
      spinning--;
    }
  }

  private void steal(TraceEvent e) {
    long n = e.value();
    long thief = e.proc();
    long victim = e.other();
    steal.check(
        n >= 1 && n <= RING / 2 && victim != thief && thief >= 0,
        () -> "P" + thief + " takes " + n + " of P" + victim);
  }

  void finish(ReadResult result) {
    endOfTooMany();
    if (result.damage() != null) {
      order.check(false, () -> String.valueOf(result.damage()));
    }
    now = result.endTime() - base;
    goroutines.forEach((id, g) -> {
      long life = now - g.first;
      long sum = g.accounted + now - g.since;
      time.check(life == sum, () -> "G" + id + " lived " + life + " ns, spent " + sum);
      account.check(
          g.state != GoState.UNDETERMINED, () -> "G" + id + " is in no known state at the end");
    });
  }
}
