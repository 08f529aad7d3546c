package dev.gmptrace.cli;

import dev.gmptrace.analyzer.read.EventKind;
import dev.gmptrace.analyzer.read.EventTypes;
import dev.gmptrace.analyzer.read.GoState;
import dev.gmptrace.analyzer.read.ProcState;
import dev.gmptrace.analyzer.read.ResourceKind;
import dev.gmptrace.analyzer.read.TraceEvent;
import dev.gmptrace.analyzer.read.TraceReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;

/**
 * What the events of a recording say about queues and Ps, without the counts of sysmon: how many
 * goroutines are runnable and how many Ps nobody holds, and at each moment what the threads have in
 * their hands. Times are nanoseconds since the first event.
 *
 * <p>An event and what it tells of are two steps. A goroutine is traced as runnable before it is
 * queued and as running after it was taken; a P that was taken off the idle list is traced as
 * started when its thread has woken. In between the one and the other disagree, and the trace shows
 * where that can be: at the events of a thread next to the moment.
 */
final class RecordedSchedule {
  /** How far before a moment an event may lie whose effect is still to come. */
  private static final int BEFORE = 3;

  /** How far after a moment an event may lie whose effect is there already. */
  private static final int AFTER = 2;

  /**
   * What sysmon counted between two moments.
   *
   * @param from when it began to count
   * @param to when it had counted
   * @param idle idle Ps
   * @param queued goroutines in all rings, runnexts and the global queue
   */
  record Sample(long from, long to, int idle, int queued) {}

  /** The least and the greatest value that a number had in a while. */
  record Range(int least, int greatest) {
    Range widened(int by) {
      return new Range(least - by, greatest + by);
    }

    boolean holds(int value) {
      return least <= value && value <= greatest;
    }
  }

  /**
   * An event of a thread.
   *
   * @param goroutines how many it moves on or off a queue
   * @param about the thread it wakes, or -1
   */
  private record Step(long at, int type, int goroutines, long about) {
    boolean movesProc() {
      return switch (type) {
        case EventTypes.PROC_START,
            EventTypes.PROC_STOP,
            EventTypes.PROC_STEAL,
            EventTypes.PROC_HANDOFF,
            EventTypes.GO_SYSCALL_END_BLOCKED ->
            true;
        default -> false;
      };
    }
  }

  private final Map<Long, List<Step>> threads = new HashMap<>();
  private final Map<Long, List<Step>> wakers = new HashMap<>();
  private final TreeMap<Long, Integer> runnable = new TreeMap<>(Map.of(Long.MIN_VALUE, 0));
  private final TreeMap<Long, Integer> held = new TreeMap<>(Map.of(Long.MIN_VALUE, 0));
  private final List<Sample> samples = new ArrayList<>();

  private long first = -1;
  private final Set<Long> runnableNow = new HashSet<>();
  private final Set<Long> heldNow = new HashSet<>();
  private long sampleFrom;
  private int sampleIdle;
  private int sampleQueued;
  private long procsToCome;

  private RecordedSchedule() {}

  static RecordedSchedule read(Path trace) {
    var schedule = new RecordedSchedule();
    try (TraceReader reader = TraceReader.open(trace)) {
      reader.read(schedule::event).orRefuse(reader.info());
    }
    return schedule;
  }

  List<Sample> samples() {
    return samples;
  }

  /** Goroutines that the events call runnable. */
  Range runnable(long from, long to) {
    return range(runnable, from, to);
  }

  /** Ps that nobody holds by the events. */
  Range idle(long from, long to, int procs) {
    Range h = range(held, from, to);
    return new Range(procs - h.greatest, procs - h.least);
  }

  /** Goroutines that threads may have in their hands, between an event and its queue. */
  int goroutinesInHand(long from, long to) {
    int n = 0;
    for (List<Step> steps : threads.values()) {
      for (Step s : near(steps, from, to)) {
        n += s.goroutines;
      }
    }
    return n;
  }

  /** Ps on their way to or from a thread; each has one in its hands at most, before and after. */
  int procsInTransit(long from, long to) {
    int n = 0;
    for (var thread : threads.entrySet()) {
      List<Step> steps = thread.getValue();
      int begin = lowerBound(steps, from);
      int end = lowerBound(steps, to + 1);
      List<Step> coming = steps.subList(end, Math.min(end + AFTER, steps.size()));
      boolean parked = end == 0 || steps.get(end - 1).type == EventTypes.M_PARK;
      if (parked) {
        n += !coming.isEmpty() && woken(thread.getKey(), steps, end, to) ? 1 : 0;
      } else {
        n += coming.stream().anyMatch(Step::movesProc) ? 1 : 0;
      }
      n += steps.subList(done(steps, begin), begin).stream().anyMatch(Step::movesProc) ? 1 : 0;
      n += (int) steps.subList(begin, end).stream().filter(Step::movesProc).count();
    }
    return n;
  }

  /**
   * Whether a parked thread, which goes on with {@code next}, had been given a P by {@code at}. The
   * one who wakes it says so after it has taken the P; one that is no thread of the scheduler says
   * nothing, and may have.
   */
  private boolean woken(long thread, List<Step> steps, int next, long at) {
    long resumed = steps.get(next).at;
    int before = next - 1;
    while (before >= 0 && steps.get(before).type == EventTypes.M_PARK) {
      before--;
    }
    long ranLast = before < 0 ? Long.MIN_VALUE : steps.get(before).at;
    List<Step> wakes = wakers.getOrDefault(thread, List.of());
    int i = lowerBound(wakes, resumed) - 1;
    if (i < 0 || wakes.get(i).at < ranLast) {
      return true;
    }
    Step wake = wakes.get(i);
    List<Step> waker = threads.getOrDefault(wake.about, List.of());
    int after = lowerBound(waker, at + 1);
    return wake.at <= at
        || waker.subList(after, Math.min(after + AFTER, waker.size())).stream()
            .anyMatch(s -> s.at == wake.at);
  }

  private static List<Step> near(List<Step> steps, long from, long to) {
    int end = Math.min(steps.size(), lowerBound(steps, to + 1) + AFTER);
    return steps.subList(done(steps, lowerBound(steps, from)), end);
  }

  /** The first of the events before {@code next} whose effect may be still to come. */
  private static int done(List<Step> steps, int next) {
    int first = next;
    // A thread that parks has finished what it was doing.
    while (first > 0 && next - first < BEFORE && steps.get(first - 1).type != EventTypes.M_PARK) {
      first--;
    }
    return first;
  }

  private static int lowerBound(List<Step> steps, long at) {
    int lo = 0;
    int hi = steps.size();
    while (lo < hi) {
      int mid = (lo + hi) >>> 1;
      if (steps.get(mid).at < at) {
        lo = mid + 1;
      } else {
        hi = mid;
      }
    }
    return lo;
  }

  private static Range range(NavigableMap<Long, Integer> values, long from, long to) {
    Collection<Integer> during = values.subMap(values.floorKey(from), true, to, true).values();
    return new Range(
        during.stream().mapToInt(v -> v).min().orElseThrow(),
        during.stream().mapToInt(v -> v).max().orElseThrow());
  }

  private void event(TraceEvent e) {
    first = first < 0 ? e.time() : first;
    long at = e.time() - first;
    if (e.kind() == EventKind.QUEUE_SAMPLE) {
      sample(e, at);
      return;
    }
    int moves = 0;
    if (e.kind() == EventKind.STATE_TRANSITION) {
      moves = transition(e, at);
    } else if (e.kind() == EventKind.GLOBAL_QUEUE
        || e.kind() == EventKind.STEAL
        || e.kind() == EventKind.NETPOLL) {
      moves = (int) e.value();
    }
    if (e.thread() != TraceEvent.NONE) {
      long about = e.type() == EventTypes.M_UNPARK ? e.resourceId() : -1;
      threads
          .computeIfAbsent(e.thread(), _ -> new ArrayList<>())
          .add(new Step(at, e.type(), moves, about));
      if (about >= 0) {
        wakers
            .computeIfAbsent(about, _ -> new ArrayList<>())
            .add(new Step(at, e.type(), 0, e.thread()));
      }
    }
  }

  private int transition(TraceEvent e, long at) {
    if (e.resource() == ResourceKind.PROC) {
      boolean _ =
          e.procTo() == ProcState.RUNNING
              ? heldNow.add(e.resourceId())
              : heldNow.remove(e.resourceId());
      held.put(at, heldNow.size());
      return 0;
    }
    boolean changed =
        e.goTo() == GoState.RUNNABLE
            ? runnableNow.add(e.resourceId())
            : runnableNow.remove(e.resourceId());
    runnable.put(at, runnableNow.size());
    return changed ? 1 : 0;
  }

  /** A sample is one event for the scheduler, then one for each P. */
  private void sample(TraceEvent e, long at) {
    if (e.type() == EventTypes.SCHED_SAMPLE) {
      sampleFrom = at;
      procsToCome = e.arg(0);
      sampleIdle = (int) e.arg(1);
      sampleQueued = (int) e.arg(6);
    } else {
      sampleQueued += (int) (e.arg(1) + e.arg(2));
      if (--procsToCome == 0) {
        samples.add(new Sample(sampleFrom, at, sampleIdle, sampleQueued));
      }
    }
  }
}
