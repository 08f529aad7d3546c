package dev.gmptrace.analyzer.read;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Go's event table: every event of the wire format with its name and its arguments, as far as an
 * event of a thread's stream carries them. Decoder, printers and error messages all read this one.
 */
final class GoEvents {
  static final int EVENT_BATCH = 1;
  static final int STACKS = 2;
  static final int STACK = 3;
  static final int STRINGS = 4;
  static final int STRING = 5;
  static final int CPU_SAMPLES = 6;
  static final int CPU_SAMPLE = 7;
  static final int FREQUENCY = 8;
  static final int EXPERIMENTAL_BATCH = 49;
  static final int SYNC = 50;
  static final int CLOCK_SNAPSHOT = 51;
  static final int END_OF_GENERATION = 52;

  static final int MAX_BATCH_BYTES = 64 << 10;
  static final int MAX_STACK_FRAMES = 128;
  static final int MAX_STRING_BYTES = 1 << 10;

  private static final @Nullable Spec[] SPECS = new Spec[256];

  /**
   * One event.
   *
   * @param name as Go prints it
   * @param timed whether it stands in a thread's stream, with a time first
   * @param args the names of its arguments, without the time
   */
  record Spec(String name, boolean timed, List<String> args) {}

  static {
    structural(EVENT_BATCH, "EventBatch", "gen m time size");
    structural(STACKS, "Stacks", "");
    structural(STACK, "Stack", "id nframes");
    structural(STRINGS, "Strings", "");
    structural(STRING, "String", "id");
    structural(CPU_SAMPLES, "CPUSamples", "");
    structural(CPU_SAMPLE, "CPUSample", "time m p g stack");
    structural(FREQUENCY, "Frequency", "freq");
    structural(EXPERIMENTAL_BATCH, "ExperimentalBatch", "exp gen m time");
    structural(SYNC, "Sync", "");
    structural(END_OF_GENERATION, "EndOfGeneration", "");

    timed(EventTypes.PROCS_CHANGE, "ProcsChange", "procs_value stack");
    timed(EventTypes.PROC_START, "ProcStart", "p p_seq");
    timed(EventTypes.PROC_STOP, "ProcStop", "");
    timed(EventTypes.PROC_STEAL, "ProcSteal", "p p_seq m");
    timed(EventTypes.PROC_STATUS, "ProcStatus", "p pstatus");
    timed(EventTypes.GO_CREATE, "GoCreate", "new_g new_stack stack");
    timed(EventTypes.GO_CREATE_SYSCALL, "GoCreateSyscall", "new_g");
    timed(EventTypes.GO_START, "GoStart", "g g_seq");
    timed(EventTypes.GO_DESTROY, "GoDestroy", "");
    timed(EventTypes.GO_DESTROY_SYSCALL, "GoDestroySyscall", "");
    timed(EventTypes.GO_STOP, "GoStop", "reason_string stack");
    timed(EventTypes.GO_BLOCK, "GoBlock", "reason_string stack");
    timed(EventTypes.GO_UNBLOCK, "GoUnblock", "g g_seq stack");
    timed(EventTypes.GO_SYSCALL_BEGIN, "GoSyscallBegin", "p_seq stack");
    timed(EventTypes.GO_SYSCALL_END, "GoSyscallEnd", "");
    timed(EventTypes.GO_SYSCALL_END_BLOCKED, "GoSyscallEndBlocked", "");
    timed(EventTypes.GO_STATUS, "GoStatus", "g m gstatus");
    timed(EventTypes.STW_BEGIN, "STWBegin", "kind_string stack");
    timed(EventTypes.STW_END, "STWEnd", "");
    timed(EventTypes.GC_ACTIVE, "GCActive", "gc_seq");
    timed(EventTypes.GC_BEGIN, "GCBegin", "gc_seq stack");
    timed(EventTypes.GC_END, "GCEnd", "gc_seq");
    timed(EventTypes.GC_SWEEP_ACTIVE, "GCSweepActive", "p");
    timed(EventTypes.GC_SWEEP_BEGIN, "GCSweepBegin", "stack");
    timed(EventTypes.GC_SWEEP_END, "GCSweepEnd", "swept_value reclaimed_value");
    timed(EventTypes.GC_MARK_ASSIST_ACTIVE, "GCMarkAssistActive", "g");
    timed(EventTypes.GC_MARK_ASSIST_BEGIN, "GCMarkAssistBegin", "stack");
    timed(EventTypes.GC_MARK_ASSIST_END, "GCMarkAssistEnd", "");
    timed(EventTypes.HEAP_ALLOC, "HeapAlloc", "heapalloc_value");
    timed(EventTypes.HEAP_GOAL, "HeapGoal", "heapgoal_value");
    timed(EventTypes.GO_LABEL, "GoLabel", "label_string");
    timed(EventTypes.USER_TASK_BEGIN, "UserTaskBegin", "task parent_task name_string stack");
    timed(EventTypes.USER_TASK_END, "UserTaskEnd", "task stack");
    timed(EventTypes.USER_REGION_BEGIN, "UserRegionBegin", "task name_string stack");
    timed(EventTypes.USER_REGION_END, "UserRegionEnd", "task name_string stack");
    timed(EventTypes.USER_LOG, "UserLog", "task key_string value_string stack");
    timed(EventTypes.GO_SWITCH, "GoSwitch", "g g_seq");
    timed(EventTypes.GO_SWITCH_DESTROY, "GoSwitchDestroy", "g g_seq");
    timed(EventTypes.GO_CREATE_BLOCKED, "GoCreateBlocked", "new_g new_stack stack");
    timed(EventTypes.GO_STATUS_STACK, "GoStatusStack", "g m gstatus stack");
    timed(CLOCK_SNAPSHOT, "ClockSnapshot", "mono sec nsec");
    timed(EventTypes.SPAN, "Span", "id npages_value kindclass");
    timed(EventTypes.SPAN_ALLOC, "SpanAlloc", "id npages_value kindclass");
    timed(EventTypes.SPAN_FREE, "SpanFree", "id");
    timed(EventTypes.HEAP_OBJECT, "HeapObject", "id type");
    timed(EventTypes.HEAP_OBJECT_ALLOC, "HeapObjectAlloc", "id type");
    timed(EventTypes.HEAP_OBJECT_FREE, "HeapObjectFree", "id");
    timed(EventTypes.GOROUTINE_STACK, "GoroutineStack", "id order");
    timed(EventTypes.GOROUTINE_STACK_ALLOC, "GoroutineStackAlloc", "id order");
    timed(EventTypes.GOROUTINE_STACK_FREE, "GoroutineStackFree", "id");
  }

  private GoEvents() {}

  /** The event with that id, or null if Go has none. */
  static @Nullable Spec spec(int type) {
    return SPECS[type];
  }

  /** The name of the event with that id. */
  static String name(int type) {
    Spec spec = SPECS[type];
    return spec == null ? "Invalid(" + type + ")" : spec.name;
  }

  /** How many arguments follow the time of each event of a stream; -1 for all that is no such. */
  static byte[] streamArgs() {
    byte[] counts = new byte[256];
    for (int type = 0; type < counts.length; type++) {
      Spec spec = SPECS[type];
      counts[type] = (byte) (spec == null || !spec.timed ? -1 : spec.args.size());
    }
    return counts;
  }

  private static void structural(int id, String name, String args) {
    SPECS[id] = new Spec(name, false, names(args));
  }

  private static void timed(int id, String name, String args) {
    SPECS[id] = new Spec(name, true, names(args));
  }

  private static List<String> names(String args) {
    return args.isEmpty() ? List.of() : List.of(args.split(" ", -1));
  }
}
