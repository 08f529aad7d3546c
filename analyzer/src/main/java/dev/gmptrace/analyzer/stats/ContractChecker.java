package dev.gmptrace.analyzer.stats;

import dev.gmptrace.analyzer.model.TraceModel;
import dev.gmptrace.analyzer.read.EventKind;
import dev.gmptrace.analyzer.read.EventSink;
import dev.gmptrace.analyzer.read.EventTypes;
import dev.gmptrace.analyzer.read.GoState;
import dev.gmptrace.analyzer.read.ProcState;
import dev.gmptrace.analyzer.read.ReadResult;
import dev.gmptrace.analyzer.read.ResourceKind;
import dev.gmptrace.analyzer.read.TraceEvent;
import dev.gmptrace.analyzer.read.TraceInfo;
import dev.gmptrace.analyzer.stats.Actors.G;
import dev.gmptrace.analyzer.stats.Actors.M;
import dev.gmptrace.analyzer.stats.Actors.P;
import dev.gmptrace.analyzer.stats.Validation.Check;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Re-enacts the scheduler from the events alone and compares every step with the contract.
 *
 * <p>It keeps its own account of who is where and does not use the reader's, so a mistake of the
 * reader's is seen as well; the times it comes to are compared with the model's ({@link Lives}).
 * Which transitions are legal is in {@link Transitions}.
 *
 * <p>Where events were lost nothing can be checked: the account stops where the gap begins and
 * starts anew behind it, knowing nothing. Of a generation that lacks pieces of the file nobody
 * knows where the gaps are, so all of it is one. How much that is, is told ({@link #unchecked}).
 */
final class ContractChecker implements EventSink {
  private static final int RING = 256;

  /** No waking of a thread takes so long, on however busy a machine. */
  private static final long IDLE_GRACE_NS = 1_000_000_000;

  private final class Rule {
    final ContractRule counts;

    Rule(String id, String what) {
      counts = new ContractRule(id, what);
      rules.add(counts);
    }

    void check(boolean holds, ContractRule.Text text) {
      counts.check(holds, number, now, text);
    }
  }

  private final List<ContractRule> rules = new ArrayList<>();
  private final Lives lives = new Lives();
  private final Map<Long, G> goroutines = new HashMap<>();
  private final Map<Long, P> procs = new HashMap<>();
  private final Map<Long, M> threads = new HashMap<>();

  private final Rule order = new Rule("ord", "every event fits into one order, times rise");
  private final Rule legal = new Rule("G1", "a goroutine changes state only in legal ways");
  private final Rule triangle =
      new Rule("G2", "a goroutine that runs has a thread and a processor");
  private final Rule queue = new Rule("G3", "only a runnable goroutine is started");
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
      new Rule("end", "no goroutine gets lost: each is told of in every generation, and run");
  private final Rule time =
      new Rule("time", "time in each state adds up, and running time over G, P and M");

  private boolean started;
  private long base;
  private long now;
  private long number;
  private long gomaxprocs = -1;
  private int running;
  private final Spinners spinners = new Spinners();
  private boolean spinSeen;
  private int generation;
  private boolean atBoundary;

  /** Within a gap, and where it ends; with {@link #torn}, where the generation does. */
  private boolean blind;

  private long blindUntil;
  private boolean torn;

  /** There was a gap: what has not been heard of since then is unknown, not absent. */
  private boolean partial;

  private long gaps;
  private long unchecked;

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
    return rules.stream().map(ContractRule::result).toList();
  }

  /** What could not be checked, in a sentence; empty when all could. */
  List<String> unchecked() {
    return unchecked == 0 && !partial
        ? List.of()
        : List.of(
            unchecked
                + " events lie in "
                + gaps
                + (gaps == 1 ? " gap" : " gaps")
                + " and were not checked; behind each the account starts anew, and what lived in it"
                + " is not timed");
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
    if (atBoundary) {
      atBoundary = false;
      endGeneration();
    }
    if (kind == EventKind.SYNC) {
      sync(e);
    } else if (kind == EventKind.LOST) {
      gaps++;
      blind = true;
      blindUntil = Math.max(blindUntil, e.value2() - base);
    } else if (kind == EventKind.METRIC) {
      if (e.type() == EventTypes.PROCS_CHANGE) {
        gomaxprocs = e.value();
      }
    } else if (blind && (torn || now <= blindUntil)) {
      unchecked++;
    } else {
      if (blind) {
        restart();
      }
      check(e, kind);
    }
  }

  private void sync(TraceEvent e) {
    atBoundary = true;
    if (torn) {
      restart();
      torn = false;
    }
    if (e.torn()) {
      gaps++;
      blind = true;
      torn = true;
    }
  }

  /** Behind a gap nothing is known but what is heard from there on. */
  private void restart() {
    blind = false;
    partial = true;
    for (G g : goroutines.values()) {
      lives.unsure(g.life);
    }
    goroutines.clear();
    procs.clear();
    threads.clear();
    running = 0;
    spinners.forget();
  }

  /**
   * Every goroutine has said in each generation what it is, or somebody has for it. One that is
   * made while a generation ends can slip through the recorder's look at the silent ones, once.
   */
  private void endGeneration() {
    if (generation > 0 && !blind) {
      goroutines.forEach((id, g) ->
          account.check(
              g.seen >= generation - 1,
              () -> "G" + id + " is not heard of in the " + generation + ". generation"));
    }
    generation++;
  }

  private void check(TraceEvent e, EventKind kind) {
    switch (kind) {
      case STATE_TRANSITION -> {
        if (e.resource() == ResourceKind.GOROUTINE) {
          goroutine(e);
        } else if (e.resource() == ResourceKind.PROC) {
          proc(e);
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
      default -> {
        // Nothing the contract speaks about.
      }
    }
  }

  private M thread(long id) {
    return threads.computeIfAbsent(id, k -> new M(partial ? Actors.UNKNOWN : -1));
  }

  private P procOf(long id) {
    return procs.computeIfAbsent(id, k -> new P(partial ? Actors.UNKNOWN : -1));
  }

  private void goroutine(TraceEvent e) {
    long id = e.resourceId();
    boolean known = goroutines.containsKey(id);
    G g = goroutines.computeIfAbsent(id, k -> new G());
    GoState to = e.goTo();
    boolean status = Transitions.status(e.type());
    boolean created = Transitions.creation(e.type());
    GoState from =
        known
            ? g.state
            : status || (partial && !created) ? GoState.UNDETERMINED : GoState.NOT_EXIST;
    if (!known) {
      g.life = lives.begin(id);
      g.since = now;
      if (partial && !created) {
        lives.unsure(g.life);
      }
    }
    g.seen = generation;
    if (status && known && from == to) {
      return;
    }
    if (!status || !known) {
      legal.check(
          Transitions.allowed(from, to, e.type()),
          () -> "G" + id + " " + from.text() + " -> " + to.text());
    } else {
      legal.check(partial, () -> "G" + id + " is " + to.text() + " although it was " + from.text());
      lives.unsure(g.life);
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
    lives.spent(g.life, from, now - g.since);
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
      goroutines.remove(id);
    }
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
    if (m == null || m.proc != Actors.UNKNOWN) {
      long holder = m == null || m.proc < 0 ? -1 : procOf(m.proc).thread;
      triangle.check(
          (holder == tid && tid >= 0) || holder == Actors.UNKNOWN,
          () -> "G" + id + " runs on M" + tid + ", which holds no processor");
    }
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

  private void proc(TraceEvent e) {
    long id = e.resourceId();
    boolean known = procs.containsKey(id);
    P p = procOf(id);
    boolean status = Transitions.status(e.type());
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
    p.idleSince = -1;
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
    p.idleSince = now;
  }

  private void spin(TraceEvent e) {
    spinSeen = true;
    long tid = e.thread();
    M m = thread(tid);
    if (e.type() == EventTypes.SPIN_START) {
      spinner.check(
          e.proc() >= 0 || (partial && m.proc == Actors.UNKNOWN),
          () -> "M" + tid + " spins without a processor");
      long on = m.goroutine;
      spinIdle.check(on < 0, () -> "M" + tid + " spins and runs G" + on);
      if (!m.spinning) {
        spinners.count(1);
      }
      m.spinning = true;
    } else if (m.spinning) {
      m.spinning = false;
      spinners.count(-1);
    }
    spinners.check(gomaxprocs, number, now, bound.counts);
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
      spinners.count(-1);
    }
  }

  private void steal(TraceEvent e) {
    long n = e.value();
    long thief = e.proc();
    long victim = e.other();
    steal.check(
        n >= 1 && n <= RING / 2 && victim != thief && (thief >= 0 || partial),
        () -> "P" + thief + " takes " + n + " of P" + victim);
  }

  void finish(ReadResult result, TraceModel model) {
    spinners.end(number, now, bound.counts);
    if (result.damage() != null) {
      order.check(false, () -> String.valueOf(result.damage()));
    } else if (atBoundary) {
      endGeneration();
    }
    now = model.duration() + 1;
    goroutines.forEach((id, g) -> lives.spent(g.life, g.state, now - g.since));
    if (blind) {
      goroutines.values().forEach(g -> lives.unsure(g.life));
    } else if (result.damage() == null) {
      starved();
    }
    lives.compare(model, time::check);
  }

  /** A goroutine that could run to the very end, with a processor idle all that time, is lost. */
  private void starved() {
    long idle = Long.MAX_VALUE;
    for (var e : procs.entrySet()) {
      boolean exists = gomaxprocs < 0 || e.getKey() < gomaxprocs;
      if (exists && e.getValue().idleSince >= 0) {
        idle = Math.min(idle, e.getValue().idleSince);
      }
    }
    long since = idle;
    goroutines.forEach((id, g) -> {
      if (g.state == GoState.RUNNABLE) {
        long both = since == Long.MAX_VALUE ? 0 : now - Math.max(since, g.since);
        account.check(
            both < IDLE_GRACE_NS,
            () -> "G" + id + " is runnable for the last " + both + " ns, a processor idle");
      }
    });
  }
}
