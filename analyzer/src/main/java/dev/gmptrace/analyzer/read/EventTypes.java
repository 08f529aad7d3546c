package dev.gmptrace.analyzer.read;

import dev.gmptrace.tracer.wire.EventType;
import java.util.Arrays;
import java.util.List;

/**
 * The wire ids behind ordered events, for those who must tell apart what {@link EventKind} puts
 * together. Ids up to 52 and from 128 are Go's, ids from 64 are gmp's own.
 */
public final class EventTypes {
  public static final int CPU_SAMPLE = 7;
  public static final int PROCS_CHANGE = 9;
  public static final int PROC_START = 10;
  public static final int PROC_STOP = 11;
  public static final int PROC_STEAL = 12;
  public static final int PROC_STATUS = 13;
  public static final int GO_CREATE = 14;
  public static final int GO_CREATE_SYSCALL = 15;
  public static final int GO_START = 16;
  public static final int GO_DESTROY = 17;
  public static final int GO_DESTROY_SYSCALL = 18;
  public static final int GO_STOP = 19;
  public static final int GO_BLOCK = 20;
  public static final int GO_UNBLOCK = 21;
  public static final int GO_SYSCALL_BEGIN = 22;
  public static final int GO_SYSCALL_END = 23;
  public static final int GO_SYSCALL_END_BLOCKED = 24;
  public static final int GO_STATUS = 25;
  public static final int STW_BEGIN = 26;
  public static final int STW_END = 27;
  public static final int GC_ACTIVE = 28;
  public static final int GC_BEGIN = 29;
  public static final int GC_END = 30;
  public static final int GC_SWEEP_ACTIVE = 31;
  public static final int GC_SWEEP_BEGIN = 32;
  public static final int GC_SWEEP_END = 33;
  public static final int GC_MARK_ASSIST_ACTIVE = 34;
  public static final int GC_MARK_ASSIST_BEGIN = 35;
  public static final int GC_MARK_ASSIST_END = 36;
  public static final int HEAP_ALLOC = 37;
  public static final int HEAP_GOAL = 38;
  public static final int GO_LABEL = 39;
  public static final int USER_TASK_BEGIN = 40;
  public static final int USER_TASK_END = 41;
  public static final int USER_REGION_BEGIN = 42;
  public static final int USER_REGION_END = 43;
  public static final int USER_LOG = 44;
  public static final int GO_SWITCH = 45;
  public static final int GO_SWITCH_DESTROY = 46;
  public static final int GO_CREATE_BLOCKED = 47;
  public static final int GO_STATUS_STACK = 48;
  public static final int WORK_STEAL = 65;
  public static final int GLOBAL_GET = 66;
  public static final int GLOBAL_PUT = 67;
  public static final int LOCAL_OVERFLOW = 68;
  public static final int M_START = 69;
  public static final int M_STOP = 70;
  public static final int M_PARK = 71;
  public static final int M_UNPARK = 72;
  public static final int SPIN_START = 73;
  public static final int SPIN_STOP = 74;
  public static final int WAKE_P = 75;
  public static final int PROC_HANDOFF = 76;
  public static final int TIMER_FIRED = 77;
  public static final int NETPOLL_READY = 78;
  public static final int SCHED_SAMPLE = 79;
  public static final int QUEUE_SAMPLE = 80;
  public static final int EVENTS_LOST = 81;
  public static final int GO_STATUS_INFO = 82;
  public static final int PROC_STATUS_INFO = 83;
  public static final int M_STATUS = 84;
  public static final int GO_WAKE_REASON = 85;
  public static final int GC_INFO = 86;
  public static final int CPU_SAMPLE_INFO = 87;
  public static final int SPAN = 128;
  public static final int SPAN_ALLOC = 129;
  public static final int SPAN_FREE = 130;
  public static final int HEAP_OBJECT = 131;
  public static final int HEAP_OBJECT_ALLOC = 132;
  public static final int HEAP_OBJECT_FREE = 133;
  public static final int GOROUTINE_STACK = 134;
  public static final int GOROUTINE_STACK_ALLOC = 135;
  public static final int GOROUTINE_STACK_FREE = 136;

  /** A generation's begin or the trace's end; made by the reader, in no file. */
  public static final int SYNC = 255;

  private static final EventKind[] KINDS = kinds();

  private EventTypes() {}

  /** The kind of an event with that wire id. */
  public static EventKind kind(int type) {
    return KINDS[type];
  }

  /** The name of an event in the wire format, for instance {@code GoBlock}. */
  public static String name(int type) {
    if (type == SYNC) {
      return "Sync";
    }
    EventType ours = EventType.byId(type);
    return GoEvents.spec(type) == null && ours != null ? ours.wireName() : GoEvents.name(type);
  }

  /** The names of an event's arguments in the wire format, the time left out. */
  public static List<String> argumentNames(int type) {
    GoEvents.Spec spec = GoEvents.spec(type);
    if (spec != null) {
      return spec.args();
    }
    EventType ours = EventType.byId(type);
    return ours == null
        ? List.of()
        : ours.args().stream().skip(ours.timed() ? 1 : 0).map(EventType.Arg::name).toList();
  }

  private static EventKind[] kinds() {
    EventKind[] kinds = new EventKind[256];
    Arrays.fill(kinds, EventKind.BAD);
    fill(kinds, EventKind.STATE_TRANSITION, PROC_START, GO_STATUS);
    fill(kinds, EventKind.STATE_TRANSITION, GO_SWITCH, GO_STATUS_STACK);
    fill(kinds, EventKind.EXPERIMENTAL, SPAN, GOROUTINE_STACK_FREE);
    kinds[CPU_SAMPLE] = EventKind.STACK_SAMPLE;
    kinds[CPU_SAMPLE_INFO] = EventKind.STACK_SAMPLE;
    kinds[PROCS_CHANGE] = EventKind.METRIC;
    kinds[HEAP_ALLOC] = EventKind.METRIC;
    kinds[HEAP_GOAL] = EventKind.METRIC;
    kinds[STW_BEGIN] = EventKind.RANGE_BEGIN;
    kinds[STW_END] = EventKind.RANGE_END;
    for (int begin : new int[] {GC_BEGIN, GC_SWEEP_BEGIN, GC_MARK_ASSIST_BEGIN}) {
      kinds[begin - 1] = EventKind.RANGE_ACTIVE;
      kinds[begin] = EventKind.RANGE_BEGIN;
      kinds[begin + 1] = EventKind.RANGE_END;
    }
    kinds[GO_LABEL] = EventKind.LABEL;
    kinds[USER_TASK_BEGIN] = EventKind.TASK_BEGIN;
    kinds[USER_TASK_END] = EventKind.TASK_END;
    kinds[USER_REGION_BEGIN] = EventKind.REGION_BEGIN;
    kinds[USER_REGION_END] = EventKind.REGION_END;
    kinds[USER_LOG] = EventKind.LOG;
    kinds[WORK_STEAL] = EventKind.STEAL;
    fill(kinds, EventKind.GLOBAL_QUEUE, GLOBAL_GET, LOCAL_OVERFLOW);
    fill(kinds, EventKind.THREAD, M_START, M_UNPARK);
    kinds[M_STATUS] = EventKind.THREAD;
    fill(kinds, EventKind.SPIN, SPIN_START, SPIN_STOP);
    kinds[WAKE_P] = EventKind.WAKE;
    kinds[PROC_HANDOFF] = EventKind.HANDOFF;
    kinds[TIMER_FIRED] = EventKind.TIMER;
    kinds[NETPOLL_READY] = EventKind.NETPOLL;
    fill(kinds, EventKind.QUEUE_SAMPLE, SCHED_SAMPLE, QUEUE_SAMPLE);
    kinds[EVENTS_LOST] = EventKind.LOST;
    fill(kinds, EventKind.STATE_TRANSITION, GO_STATUS_INFO, PROC_STATUS_INFO);
    kinds[GO_WAKE_REASON] = EventKind.WAKE_REASON;
    kinds[GC_INFO] = EventKind.GC_INFO;
    kinds[SYNC] = EventKind.SYNC;
    return kinds;
  }

  private static void fill(EventKind[] kinds, EventKind kind, int first, int last) {
    Arrays.fill(kinds, first, last + 1, kind);
  }
}
