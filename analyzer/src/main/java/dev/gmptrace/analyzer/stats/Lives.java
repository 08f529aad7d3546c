package dev.gmptrace.analyzer.stats;

import dev.gmptrace.analyzer.model.GoroutineLog;
import dev.gmptrace.analyzer.model.Lanes;
import dev.gmptrace.analyzer.model.SpanState;
import dev.gmptrace.analyzer.model.TraceModel;
import dev.gmptrace.analyzer.read.GoState;
import java.util.Arrays;

/**
 * How long every goroutine was in each state, as the contract's own account has it, to be compared
 * with the model: two ways from the same events that share nothing but the reader.
 *
 * <p>Four numbers a life, in plain arrays: a trace may have millions of goroutines.
 */
final class Lives {
  private static final int RUNNABLE = 0;
  private static final int RUNNING = 1;
  private static final int WAITING = 2;
  private static final int SYSCALL = 3;
  private static final int STATES = 4;

  /** What the four are called. */
  private static final String[] NAMES = {"runnable", "running", "waiting", "in system calls"};

  private long[] ids = new long[16];
  private long[] times = new long[16 * STATES];
  private boolean[] unsure = new boolean[16];
  private int size;

  /** A goroutine appears; returns the number of its life. */
  int begin(long goid) {
    if (size == ids.length) {
      ids = Arrays.copyOf(ids, size * 2);
      times = Arrays.copyOf(times, size * 2 * STATES);
      unsure = Arrays.copyOf(unsure, size * 2);
    }
    ids[size] = goid;
    return size++;
  }

  void spent(int life, GoState state, long ns) {
    int s = column(state);
    if (s >= 0) {
      times[life * STATES + s] += ns;
    }
  }

  /** Part of this life lies in a gap, so its sums mean nothing. */
  void unsure(int life) {
    unsure[life] = true;
  }

  private static int column(GoState state) {
    return switch (state) {
      case RUNNABLE -> RUNNABLE;
      case RUNNING -> RUNNING;
      case WAITING -> WAITING;
      case SYSCALL -> SYSCALL;
      case UNDETERMINED, NOT_EXIST -> -1;
    };
  }

  private static int column(SpanState state) {
    if (state.runnable()) {
      return RUNNABLE;
    }
    return state == SpanState.RUNNING
        ? RUNNING
        : state.waiting() ? WAITING : state.syscall() ? SYSCALL : -1;
  }

  interface Verdict {
    /** Of one comparison; the text says what differs. */
    void of(boolean holds, ContractRule.Text text);
  }

  /** Compares every life with the model's, and the model's three views of running. */
  void compare(TraceModel model, Verdict verdict) {
    int n = model.goroutines().size();
    long[] ours = new long[n * STATES];
    boolean[] skip = new boolean[n];
    for (int life = 0; life < size; life++) {
      int g = model.goroutines().find(ids[life]);
      if (g < 0) {
        long id = ids[life];
        verdict.of(unsure[life], () -> "G" + id + " is not in the model");
        continue;
      }
      skip[g] |= unsure[life];
      for (int s = 0; s < STATES; s++) {
        // An id may have more than one life.
        ours[g * STATES + s] += times[life * STATES + s];
      }
    }
    long running = 0;
    long[] theirs = new long[STATES];
    for (int g = 0; g < n; g++) {
      Arrays.fill(theirs, 0);
      add(model, g, theirs);
      running += theirs[RUNNING];
      if (!skip[g]) {
        compare(model, g, ours, theirs, verdict);
      }
    }
    long all = running;
    long onProcs = running(model.procLanes(), model.duration());
    long onThreads = running(model.threadLanes(), model.duration());
    verdict.of(all == onProcs, () -> "goroutines run for " + all + " ns, on processors " + onProcs);
    verdict.of(
        all == onThreads, () -> "goroutines run for " + all + " ns, on threads " + onThreads);
  }

  private static void compare(
      TraceModel model, int g, long[] ours, long[] theirs, Verdict verdict) {
    int wrong = -1;
    for (int s = 0; s < STATES && wrong < 0; s++) {
      wrong = ours[g * STATES + s] == theirs[s] ? -1 : s;
    }
    int state = wrong;
    verdict.of(
        state < 0,
        () ->
            "G"
                + model.goroutines().id(g)
                + " was "
                + NAMES[state]
                + " for "
                + ours[g * STATES + state]
                + " ns by its events, "
                + theirs[state]
                + " in the model");
  }

  private static void add(TraceModel model, int g, long[] sums) {
    GoroutineLog log = model.goroutineLog();
    int changes = model.goroutines().changes(g);
    for (int k = 0; k < changes; k++) {
      int i = model.goroutines().changeAt(g, k);
      int s = column(SpanState.of(log.newState(i)));
      if (s >= 0) {
        sums[s] += model.spanEnd(i) - log.time(i);
      }
    }
  }

  private static long running(Lanes lanes, long duration) {
    long sum = 0;
    for (int lane = 0; lane < lanes.lanes(); lane++) {
      int n = lanes.size(lane);
      for (int k = 0; k < n; k++) {
        if (lanes.state(lane, k) == SpanState.RUNNING.code()) {
          sum += (k + 1 < n ? lanes.start(lane, k + 1) : duration) - lanes.start(lane, k);
        }
      }
    }
    return sum;
  }
}
