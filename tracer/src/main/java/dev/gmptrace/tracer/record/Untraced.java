package dev.gmptrace.tracer.record;

import dev.gmptrace.tracer.wire.EventType;
import dev.gmptrace.tracer.wire.GoStatus;
import dev.gmptrace.tracer.wire.ProcStatus;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Everything alive that has had no event in a generation, and what it was doing all that time.
 *
 * <p>It is gathered <em>before</em> the writer moves to the next generation and written after, when
 * no section of this one is open any more. Something that has an event in between is known by its
 * mark and left out: its status is in the stream of the thread that touched it. Something that has
 * none cannot have changed since it was gathered, because changes make events.
 */
final class Untraced {
  private @Nullable Object[] things = new Object[1024];
  private long[] ids = new long[1024];
  private int[] states = new int[1024];
  private int[] threads = new int[1024];
  private int[] entries = new int[1024];
  private TraceString[] reasons = new TraceString[1024];
  private int size;

  void clear() {
    Arrays.fill(things, 0, size, null);
    size = 0;
  }

  void add(TracedG g, int gen, int firstGen) {
    long mark = g.markOpaque();
    if (TraceMark.generation(mark) == gen) {
      return;
    }
    int state = TraceMark.state(mark);
    int thread = -1;
    TraceString reason = TraceString.NONE;
    if (TraceMark.generation(mark) >= firstGen && state != TraceMark.UNKNOWN) {
      if (state == TraceMark.DEAD) {
        return;
      }
      TraceThread last = g.last;
      if (last != null && (state == GoStatus.RUNNING || state == GoStatus.SYSCALL)) {
        thread = last.id;
      }
      reason = g.reason;
    } else {
      state = g.traceStatus();
      if (state == 0) {
        return;
      }
      thread = g.traceThread();
      reason = g.traceWaitReason();
    }
    add(g, g.goid, state, thread, state == GoStatus.WAITING ? reason : TraceString.NONE);
    entries[size - 1] = g.entry.stack.id;
  }

  void add(TracedP p, int gen, int firstGen) {
    long mark = p.markOpaque();
    if (TraceMark.generation(mark) == gen) {
      return;
    }
    int state = TraceMark.state(mark);
    int thread = -1;
    if (TraceMark.generation(mark) >= firstGen && state != TraceMark.UNKNOWN) {
      TraceThread last = p.last;
      if (last != null && (state == ProcStatus.RUNNING || state == ProcStatus.SYSCALL)) {
        thread = last.id;
      }
    } else {
      state = p.traceStatus();
      if (state == 0) {
        return;
      }
      thread = state == ProcStatus.IDLE ? -1 : p.traceThread();
    }
    add(p, p.procId, state, thread, TraceString.NONE);
  }

  void add(TraceThread thread, int gen, int firstGen) {
    long mark = thread.markOpaque();
    int state = TraceMark.state(mark);
    int last = TraceMark.generation(mark);
    if (last != gen && last >= firstGen && state != 0) {
      add(thread, thread.id, state, thread.id, TraceString.NONE);
    }
  }

  private void add(Object thing, long id, int state, int thread, TraceString reason) {
    if (size == ids.length) {
      int larger = 2 * size;
      things = Arrays.copyOf(things, larger);
      ids = Arrays.copyOf(ids, larger);
      states = Arrays.copyOf(states, larger);
      threads = Arrays.copyOf(threads, larger);
      entries = Arrays.copyOf(entries, larger);
      reasons = Arrays.copyOf(reasons, larger);
    }
    things[size] = thing;
    ids[size] = id;
    states[size] = state;
    threads[size] = thread;
    reasons[size] = reason;
    size++;
  }

  /**
   * Writes how many Ps there are and the statuses of what is still untouched, as of the
   * generation's beginning.
   */
  void write(Tracer tracer, Generation gen, StreamEncoder out) {
    out.begin(gen, -1);
    long time = gen.startTicks;
    if (gen.procs > 0) {
      out.event(time, EventType.PROCS_CHANGE, gen.procs, 0);
    }
    for (int i = 0; i < size; i++) {
      switch (things[i]) {
        case TracedG g when !TraceMark.touchedIn(g.markOpaque(), gen.number) -> {
          TraceString reason = reasons[i];
          if (!reason.constant) {
            tracer.use(reason, gen.number);
          }
          out.event(
              time, EventType.GO_STATUS_INFO, ids[i], threads[i], states[i], entries[i], reason.id);
        }
        case TracedP p when !TraceMark.touchedIn(p.markOpaque(), gen.number) ->
            out.event(time, EventType.PROC_STATUS_INFO, ids[i], states[i], threads[i]);
        case TraceThread t when !TraceMark.touchedIn(t.markOpaque(), gen.number) ->
            out.event(time, EventType.M_STATUS, ids[i], states[i]);
        case null, default -> {}
      }
    }
    out.end();
  }
}
