package dev.gmptrace.analyzer.read;

import java.util.Arrays;

/**
 * Where the arguments of events that are nothing but numbers stand in a row, so that both {@link
 * TraceEvent#arg} and the accessors that {@link EventKind} names for a kind find them.
 */
final class ArgumentSlots {
  static final int FIELD = 0x0f;

  /** The low or the high int of the field only. */
  static final int LOW = 0x10;

  static final int HIGH = 0x20;

  private static final int NAME = TraceEvent.STRINGS | LOW;
  private static final int TEXT = TraceEvent.STRINGS | HIGH;

  private static final int[] NONE = {};
  private static final int[] PLAIN = {TraceEvent.VALUE, TraceEvent.VALUE2, TraceEvent.TASK};
  private static final int[][] SLOTS = new int[256][];

  static {
    Arrays.fill(SLOTS, PLAIN);
    SLOTS[EventTypes.WORK_STEAL] = new int[] {TraceEvent.TASK, TraceEvent.VALUE, TraceEvent.VALUE2};
    SLOTS[EventTypes.M_START] = NONE;
    SLOTS[EventTypes.M_STOP] = NONE;
    SLOTS[EventTypes.M_PARK] = NONE;
    SLOTS[EventTypes.SPIN_START] = NONE;
    SLOTS[EventTypes.SPIN_STOP] = NONE;
    SLOTS[EventTypes.M_UNPARK] = new int[] {TraceEvent.TASK};
    SLOTS[EventTypes.M_STATUS] = new int[] {TraceEvent.TASK, TraceEvent.VALUE};
    SLOTS[EventTypes.WAKE_P] = new int[] {TraceEvent.TASK};
    SLOTS[EventTypes.PROC_HANDOFF] =
        new int[] {TraceEvent.TASK, TraceEvent.VALUE2, TraceEvent.VALUE};
    SLOTS[EventTypes.TIMER_FIRED] = new int[] {TraceEvent.RESOURCE_ID, TraceEvent.VALUE2};
    SLOTS[EventTypes.SCHED_SAMPLE] =
        new int[] {
          TraceEvent.VALUE2 | LOW,
          TraceEvent.VALUE2 | HIGH,
          TraceEvent.TASK | LOW,
          TraceEvent.TASK | HIGH,
          TraceEvent.RESOURCE_ID | LOW,
          TraceEvent.RESOURCE_ID | HIGH,
          TraceEvent.VALUE
        };
    SLOTS[EventTypes.QUEUE_SAMPLE] =
        new int[] {
          TraceEvent.RESOURCE_ID,
          TraceEvent.VALUE2,
          TraceEvent.TASK | LOW,
          TraceEvent.TASK | HIGH,
          TraceEvent.VALUE
        };
    SLOTS[EventTypes.EVENTS_LOST] =
        new int[] {TraceEvent.VALUE, TraceEvent.TASK, TraceEvent.VALUE2};
    SLOTS[EventTypes.GO_WAKE_REASON] = new int[] {TraceEvent.RESOURCE_ID, NAME};
    SLOTS[EventTypes.GC_INFO] = new int[] {TraceEvent.VALUE, NAME, TEXT};
  }

  private ArgumentSlots() {}

  /** The slots of an event's arguments. */
  static int[] of(int type) {
    return SLOTS[type];
  }

  static int of(int type, int i) {
    return of(type)[i];
  }
}
