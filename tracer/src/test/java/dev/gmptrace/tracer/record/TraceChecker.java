package dev.gmptrace.tracer.record;

import dev.gmptrace.tracer.wire.EventCursor;
import dev.gmptrace.tracer.wire.EventType;
import dev.gmptrace.tracer.wire.FileFormat;
import dev.gmptrace.tracer.wire.GoStatus;
import dev.gmptrace.tracer.wire.PacketReader;
import dev.gmptrace.tracer.wire.ProcStatus;
import dev.gmptrace.tracer.wire.TracePacket;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A small reader that re-enacts a trace and refuses what cannot have happened. It shares nothing
 * with the recorder but the table of events, and nothing with the analyzer.
 */
final class TraceChecker {
  /** One decoded event. */
  @SuppressWarnings("ArrayRecordComponent")
  record Event(EventType type, long time, long[] args) {}

  private static final class G {
    int state;
    long seq;
  }

  private static final class P {
    int state;
    long seq;
    long thread = -1;
  }

  private static final class M {
    final List<Segment> segments = new ArrayList<>();
    final List<Event> events = new ArrayList<>();
    int next;
    long p = -1;
    long g = -1;
  }

  private record Segment(long number, List<Event> events) {}

  private final Map<Long, G> gs = new HashMap<>();
  private final Map<Long, P> ps = new HashMap<>();
  private final Map<Integer, Map<Integer, M>> generations = new TreeMap<>();
  private final Map<Integer, Set<Long>> strings = new HashMap<>();
  private final Map<Integer, Set<Long>> stacks = new HashMap<>();
  private final Set<Integer> begun = new HashSet<>();
  private final Set<Integer> closed = new HashSet<>();
  private final Map<Long, G> lastGs = new HashMap<>();
  final Map<EventType, Integer> counts = new EnumMap<>(EventType.class);
  final List<Event> ordered = new ArrayList<>();
  long events;
  long lost;
  int resyncs;
  int closedGenerations;
  boolean complete;
  String ending = "";

  /** Only decodes. */
  static TraceChecker read(byte[] trace) {
    TraceChecker checker = new TraceChecker();
    checker.decode(trace);
    return checker;
  }

  static TraceChecker check(byte[] trace) {
    TraceChecker checker = new TraceChecker();
    checker.decode(trace);
    checker.replay();
    return checker;
  }

  /** Events that a recorder was asked for: all but what it adds by itself. */
  long asked() {
    long own = 0;
    for (EventType type :
        List.of(
            EventType.SEGMENT,
            EventType.EVENTS_LOST,
            EventType.PROCS_CHANGE,
            EventType.GO_STATUS_INFO,
            EventType.PROC_STATUS_INFO,
            EventType.M_STATUS)) {
      own += counts.getOrDefault(type, 0);
    }
    return events - own;
  }

  private void decode(byte[] trace) {
    try (PacketReader in = PacketReader.of(trace)) {
      for (TracePacket packet = in.next(); packet != null; packet = in.next()) {
        switch (packet) {
          case TracePacket.Strings s ->
              s.table()
                  .getIdList()
                  .forEach(id -> add(strings, s.table().getGeneration(), (long) id, "string"));
          case TracePacket.Stacks s ->
              s.table()
                  .getStackList()
                  .forEach(k -> add(stacks, s.table().getGeneration(), (long) k.getId(), "stack"));
          case TracePacket.EventBatch b -> batch(b);
          case TracePacket.GenerationEnd e -> {
            closedGenerations++;
            closed.add(e.end().getGeneration());
          }
          case TracePacket.Damage d -> throw new AssertionError(d);
          case TracePacket.Head h -> {}
          case TracePacket.Clock c -> begun.add(c.clock().getGeneration());
          case TracePacket.TraceEnd e -> {}
        }
      }
      complete = in.complete();
      ending = in.ending();
    }
  }

  private static void add(Map<Integer, Set<Long>> tables, int gen, long id, String what) {
    if (!tables.computeIfAbsent(gen, g -> new HashSet<>()).add(id)) {
      throw new AssertionError(what + " " + id + " twice in generation " + gen);
    }
  }

  /** Generations of which there is something, and no end. */
  int openGenerations() {
    Set<Integer> open = new HashSet<>(begun);
    open.addAll(generations.keySet());
    open.addAll(strings.keySet());
    open.removeAll(closed);
    return open.size();
  }

  private void batch(TracePacket.EventBatch batch) {
    EventCursor cursor = batch.cursor();
    Map<Integer, M> ms = generations.computeIfAbsent(batch.generation(), g -> new TreeMap<>());
    Segment segment = null;
    int n = 0;
    while (cursor.next()) {
      n++;
      events++;
      counts.merge(cursor.type(), 1, Integer::sum);
      if (cursor.type() == EventType.SEGMENT) {
        segment = new Segment(cursor.segment(), new ArrayList<>());
        ms.computeIfAbsent(cursor.thread(), t -> new M()).segments.add(segment);
      } else if (segment == null) {
        throw new AssertionError("a batch that does not begin with a segment");
      } else {
        long[] args = new long[cursor.type().args().size()];
        for (int i = 0; i < args.length; i++) {
          args[i] = cursor.arg(i);
        }
        segment.events.add(new Event(cursor.type(), cursor.time(), args));
      }
    }
    if (n != batch.events()) {
      throw new AssertionError("batch says " + batch.events() + " events and has " + n);
    }
  }

  private void replay() {
    generations.forEach((gen, ms) -> {
      ms.forEach((id, m) -> gather(gen, id, m));
      lastGs.clear();
      lastGs.putAll(gs);
      gs.clear();
      ps.clear();
      run(gen, ms);
    });
  }

  private void gather(int gen, int thread, M m) {
    m.segments.sort(Comparator.comparingLong(Segment::number));
    long expected = 0;
    for (Segment segment : m.segments) {
      if (segment.number != expected && lost == 0 && noLoss()) {
        throw new AssertionError(
            "generation " + gen + ", M " + thread + ": segment " + expected + " is missing");
      }
      expected = segment.number + 1;
      m.events.addAll(segment.events);
    }
  }

  private boolean noLoss() {
    return !counts.containsKey(EventType.EVENTS_LOST);
  }

  private void run(int gen, Map<Integer, M> ms) {
    while (true) {
      M best = null;
      int bestId = 0;
      String refused = "";
      List<Map.Entry<Integer, M>> heads = new ArrayList<>();
      for (Map.Entry<Integer, M> e : ms.entrySet()) {
        if (e.getValue().next < e.getValue().events.size()) {
          heads.add(e);
        }
      }
      if (heads.isEmpty()) {
        return;
      }
      heads.sort(Comparator.comparingLong(e -> e.getValue().events.get(e.getValue().next).time()));
      for (Map.Entry<Integer, M> head : heads) {
        M m = head.getValue();
        Event event = m.events.get(m.next);
        String problem = problem(gen, event, m);
        if (problem == null) {
          best = m;
          bestId = head.getKey();
          break;
        }
        refused += "\n  M" + head.getKey() + " " + describe(event) + ": " + problem;
      }
      if (best == null) {
        throw new AssertionError("generation " + gen + ": nobody can advance" + refused);
      }
      Event event = best.events.get(best.next++);
      apply(event, bestId, best, ms);
      ordered.add(event);
    }
  }

  static String describe(Event e) {
    StringBuilder text = new StringBuilder(e.type().wireName()).append("@").append(e.time());
    for (int i = 0; i < e.args().length; i++) {
      text.append(' ').append(e.type().args().get(i).name()).append('=').append(e.args()[i]);
    }
    return text.toString();
  }

  private G g(long id) {
    return gs.getOrDefault(id, NO_G);
  }

  private P p(long id) {
    return ps.getOrDefault(id, NO_P);
  }

  private static final G NO_G = new G();
  private static final P NO_P = new P();

  /** Why an event cannot happen now, or null. */
  private @Nullable String problem(int gen, Event e, M m) {
    long[] a = e.args();
    for (int i = 0; i < a.length; i++) {
      switch (e.type().args().get(i).kind()) {
        case STRING -> has(strings, gen, a[i], e);
        case STACK -> has(stacks, gen, a[i], e);
        default -> {}
      }
    }
    return switch (e.type()) {
      case GO_CREATE, GO_CREATE_BLOCKED -> gs.containsKey(a[1]) ? "exists" : needP(m);
      case GO_START ->
          m.g >= 0 ? "M runs G" + m.g : first(needP(m), needG(a[1], GoStatus.RUNNABLE, a[2]));
      case GO_UNBLOCK -> needG(a[1], GoStatus.WAITING, a[2]);
      case GO_BLOCK, GO_STOP, GO_DESTROY, GO_LABEL, USER_TASK_BEGIN, USER_TASK_END ->
          first(needP(m), needCurrent(m, GoStatus.RUNNING));
      case USER_REGION_BEGIN, USER_REGION_END, USER_LOG ->
          first(needP(m), needCurrent(m, GoStatus.RUNNING));
      case GO_SWITCH, GO_SWITCH_DESTROY ->
          first(
              first(needP(m), needCurrent(m, GoStatus.RUNNING)),
              needG(a[1], GoStatus.WAITING, a[2]));
      case GO_CREATE_SYSCALL -> gs.containsKey(a[1]) ? "exists" : m.g >= 0 ? "M has a G" : null;
      case GO_DESTROY_SYSCALL -> needCurrent(m, GoStatus.SYSCALL);
      case GO_SYSCALL_BEGIN ->
          first(needP(m), first(needCurrent(m, GoStatus.RUNNING), needSeq(p(m.p).seq, a[1])));
      case GO_SYSCALL_END ->
          m.p < 0 || p(m.p).state != ProcStatus.SYSCALL
              ? "P is not in a syscall"
              : needCurrent(m, GoStatus.SYSCALL);
      case GO_SYSCALL_END_BLOCKED ->
          m.p >= 0 ? "M still has P" + m.p : needCurrent(m, GoStatus.SYSCALL);
      case PROC_START ->
          m.p >= 0
              ? "M has P" + m.p
              : p(a[1]).state != ProcStatus.IDLE
                  ? "P is not idle but " + p(a[1]).state
                  : needSeq(p(a[1]).seq, a[2]);
      case PROC_STOP -> needP(m);
      case PROC_STEAL ->
          p(a[1]).state != ProcStatus.SYSCALL || p(a[1]).thread != a[3]
              ? "P is not in a syscall on that M"
              : needSeq(p(a[1]).seq, a[2]);
      default -> null;
    };
  }

  private static void has(Map<Integer, Set<Long>> tables, int gen, long id, Event e) {
    if (id != 0 && !tables.getOrDefault(gen, Set.of()).contains(id)) {
      throw new AssertionError("generation " + gen + ": no " + id + " for " + describe(e));
    }
  }

  private static @Nullable String first(@Nullable String a, @Nullable String b) {
    return a != null ? a : b;
  }

  private @Nullable String needP(M m) {
    return m.p < 0 || p(m.p).state != ProcStatus.RUNNING ? "M has no running P" : null;
  }

  private @Nullable String needCurrent(M m, int state) {
    return m.g < 0 || g(m.g).state != state ? "M's G" + m.g + " is not in state " + state : null;
  }

  private @Nullable String needG(long id, int state, long seq) {
    return g(id).state != state
        ? "G is in state " + g(id).state + ", not " + state
        : needSeq(g(id).seq, seq);
  }

  private static @Nullable String needSeq(long have, long seq) {
    return seq != 0 && seq != have + 1 ? "sequence is at " + have : null;
  }

  private void apply(Event e, int id, M m, Map<Integer, M> ms) {
    long[] a = e.args();
    switch (e.type()) {
      case GO_STATUS_INFO -> {
        if (gs.containsKey(a[1])) {
          resyncs++;
        }
        G before = lastGs.get(a[1]);
        if (before != null && before.state != (int) a[3] && noLoss()) {
          throw new AssertionError(
              describe(e) + " but the generation before left it in state " + before.state);
        }
        G g = new G();
        g.state = (int) a[3];
        gs.put(a[1], g);
        if (g.state == GoStatus.RUNNING || g.state == GoStatus.SYSCALL) {
          ms.computeIfAbsent((int) a[2], t -> new M()).g = a[1];
        }
      }
      case PROC_STATUS_INFO -> {
        if (ps.containsKey(a[1])) {
          resyncs++;
        }
        P p = new P();
        p.state = (int) a[2];
        p.thread = a[3];
        ps.put(a[1], p);
        if (p.state != ProcStatus.IDLE) {
          ms.computeIfAbsent((int) a[3], t -> new M()).p = a[1];
        }
      }
      case GO_CREATE, GO_CREATE_BLOCKED -> {
        G g = new G();
        g.state = e.type() == EventType.GO_CREATE ? GoStatus.RUNNABLE : GoStatus.WAITING;
        gs.put(a[1], g);
      }
      case GO_CREATE_SYSCALL -> {
        G g = new G();
        g.state = GoStatus.SYSCALL;
        gs.put(a[1], g);
        m.g = a[1];
      }
      case GO_SWITCH, GO_SWITCH_DESTROY -> {
        if (e.type() == EventType.GO_SWITCH) {
          g(m.g).state = GoStatus.WAITING;
        } else {
          gs.remove(m.g);
        }
        g(a[1]).state = GoStatus.RUNNING;
        g(a[1]).seq++;
        m.g = a[1];
      }
      case GO_START -> {
        G g = g(a[1]);
        g.state = GoStatus.RUNNING;
        g.seq++;
        m.g = a[1];
      }
      case GO_UNBLOCK -> {
        g(a[1]).state = GoStatus.RUNNABLE;
        g(a[1]).seq++;
      }
      case GO_STOP -> {
        g(m.g).state = GoStatus.RUNNABLE;
        m.g = -1;
      }
      case GO_BLOCK -> {
        g(m.g).state = GoStatus.WAITING;
        m.g = -1;
      }
      case GO_DESTROY, GO_DESTROY_SYSCALL -> {
        gs.remove(m.g);
        m.g = -1;
      }
      case GO_SYSCALL_BEGIN -> {
        g(m.g).state = GoStatus.SYSCALL;
        p(m.p).state = ProcStatus.SYSCALL;
        p(m.p).thread = id;
        p(m.p).seq++;
      }
      case GO_SYSCALL_END -> {
        g(m.g).state = GoStatus.RUNNING;
        p(m.p).state = ProcStatus.RUNNING;
      }
      case GO_SYSCALL_END_BLOCKED -> {
        g(m.g).state = GoStatus.RUNNABLE;
        m.g = -1;
      }
      case PROC_START -> {
        P p = p(a[1]);
        p.state = ProcStatus.RUNNING;
        p.thread = id;
        p.seq++;
        m.p = a[1];
      }
      case PROC_STOP -> {
        p(m.p).state = ProcStatus.IDLE;
        m.p = -1;
      }
      case PROC_STEAL -> {
        P p = p(a[1]);
        M victim = ms.get((int) a[3]);
        if (victim != null && victim.p == a[1]) {
          victim.p = -1;
        }
        p.state = ProcStatus.IDLE;
        p.thread = -1;
        p.seq++;
      }
      case EVENTS_LOST -> lost += a[1];
      default -> {}
    }
  }

  List<Event> lostRecords() {
    List<Event> records = new ArrayList<>();
    for (Map<Integer, M> ms : generations.values()) {
      for (M m : ms.values()) {
        for (Segment segment : m.segments) {
          for (Event e : segment.events) {
            if (e.type() == EventType.EVENTS_LOST) {
              records.add(e);
            }
          }
        }
      }
    }
    return records;
  }

  long lostTold() {
    return lostRecords().stream().mapToLong(e -> e.args()[1]).sum();
  }

  /** Which streams there are, over all generations. */
  Set<Integer> streams() {
    Set<Integer> all = new HashSet<>();
    generations.values().forEach(ms -> all.addAll(ms.keySet()));
    all.remove(FileFormat.RECORDER_STREAM);
    return all;
  }
}
