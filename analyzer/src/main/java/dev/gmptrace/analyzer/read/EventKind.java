package dev.gmptrace.analyzer.read;

/**
 * What an ordered event says. The first fifteen are those of Go's trace API, by the names {@code go
 * tool trace -d=parsed} prints; the rest is what a gmp scheduler records beyond that, and never
 * appears in a Go trace.
 */
public enum EventKind {
  /** Never delivered. */
  BAD("Bad"),
  /** A generation begins, or the trace ends. Carries the clock snapshot, if there is one. */
  SYNC("Sync"),
  /** A metric has a new value: {@code name}, {@code value}. */
  METRIC("Metric"),
  /** The current goroutine gets a label: {@code name}. */
  LABEL("Label"),
  /** A CPU profile sample: {@code stack}. Only approximately in order. */
  STACK_SAMPLE("StackSample"),
  /** A named range begins on {@code resource}. */
  RANGE_BEGIN("RangeBegin"),
  /** A named range was already under way on {@code resource} when its generation began. */
  RANGE_ACTIVE("RangeActive"),
  /** A named range ends on {@code resource}. */
  RANGE_END("RangeEnd"),
  /** A user task begins: {@code task}, {@code parentTask}, {@code name}. */
  TASK_BEGIN("TaskBegin"),
  /** A user task ends: {@code task}, {@code parentTask}, {@code name}. */
  TASK_END("TaskEnd"),
  /** A user region begins on the current goroutine: {@code task}, {@code name}. */
  REGION_BEGIN("RegionBegin"),
  /** A user region ends on the current goroutine: {@code task}, {@code name}. */
  REGION_END("RegionEnd"),
  /** A user log line: {@code task}, {@code name} (its category), {@code text}. */
  LOG("Log"),
  /** A goroutine or a proc changes state: {@code resource}, from, to, {@code reason}. */
  STATE_TRANSITION("StateTransition"),
  /** An event of an experiment (Go's alloc/free events): {@code arg(i)}. */
  EXPERIMENTAL("Experimental"),

  /**
   * The current P took work of another: {@code other} = the victim P, {@code value} = how many,
   * {@code value2} = of what (as {@code StealKind}).
   */
  STEAL("Steal"),
  /** Goroutines move between the current P and the global queue: {@code value} = how many. */
  GLOBAL_QUEUE("GlobalQueue"),
  /** A thread starts or stops looking for work without having any; the type says which. */
  SPIN("Spin"),
  /** There is work, so an idle P gets a thread: {@code other} = the P. */
  WAKE("Wake"),
  /**
   * A P goes to another thread: {@code other} = the P, {@code value} = the cause (as {@code
   * HandoffCause}), {@code value2} = the thread it leaves.
   */
  HANDOFF("Handoff"),
  /**
   * A thread begins, ends, parks, is unparked or has a status; the type says which. {@code
   * resourceId} = the thread meant, {@code value} = its status if it is one.
   */
  THREAD("Thread"),
  /** A timer fired, for {@code resourceId} if that is not 0: {@code value2} = ns too late. */
  TIMER("Timer"),
  /** The network poller found goroutines ready: {@code value} = how many. */
  NETPOLL("Netpoll"),
  /**
   * Counts of the scheduler at a moment. Of type SchedSample: {@code value} = length of the global
   * queue. Of type QueueSample: {@code resourceId} = a P, {@code value2} = length of its ring. The
   * other numbers by {@link TraceEvent#arg}.
   */
  QUEUE_SAMPLE("QueueSample"),
  /** Why a goroutine is about to be woken: {@code resourceId}, {@code name}. */
  WAKE_REASON("WakeReason"),
  /** A collection: {@code value} = its number, {@code name} the collector, {@code text} why. */
  GC_INFO("GCInfo"),
  /**
   * From here on events were lost: {@code value} = how many, from {@code other} to {@code value2}
   * ns, of the buffer of {@code proc} or by {@code thread}. 0 of a thread when its events are among
   * those that a buffer counts.
   */
  LOST("Lost");

  private final String text;

  EventKind(String text) {
    this.text = text;
  }

  /** The kind as it is printed, for instance {@code StateTransition}. */
  public String text() {
    return text;
  }
}
