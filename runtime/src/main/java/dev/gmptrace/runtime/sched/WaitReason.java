package dev.gmptrace.runtime.sched;

import dev.gmptrace.tracer.record.TraceString;

/**
 * Why a G waits, in the words Go prints in dumps, schedtrace and traces.
 *
 * <p>A reason also says whether the wake-up can come from outside the scheduler: from a JDK thread,
 * a socket, a timer of the JDK. While such a G is alive nothing can be called a deadlock.
 */
@SuppressWarnings("ImmutableEnumChecker") // a TraceString is interned for good
public enum WaitReason {
  ZERO("", false),
  CHAN_RECEIVE("chan receive", false),
  CHAN_SEND("chan send", false),
  CHAN_RECEIVE_NIL("chan receive (nil chan)", false),
  CHAN_SEND_NIL("chan send (nil chan)", false),
  SELECT("select", false),
  SELECT_NO_CASES("select (no cases)", false),
  SLEEP("sleep", false),
  SEMACQUIRE("semacquire", false),
  SYNC_MUTEX_LOCK("sync.Mutex.Lock", false),
  SYNC_RWMUTEX_RLOCK("sync.RWMutex.RLock", false),
  SYNC_RWMUTEX_LOCK("sync.RWMutex.Lock", false),
  SYNC_COND_WAIT("sync.Cond.Wait", false),
  SYNC_WAITGROUP_WAIT("sync.WaitGroup.Wait", false),
  IO_WAIT("IO wait", true),
  PREEMPTED("preempted", false),
  STOP_THE_WORLD("stopping the world", true),
  /** A platform thread or another scheduler will ready this G. */
  EXTERNAL("external wait", true),
  JAVA_PARK("java park", true),
  JAVA_TIMED_PARK("java timed park", true),
  JAVA_MONITOR_ENTER("java monitor enter", true),
  JAVA_OBJECT_WAIT("java Object.wait", true),
  JAVA_TIMED_OBJECT_WAIT("java timed Object.wait", true);

  private final String text;
  private final boolean external;
  private final TraceString traced;

  WaitReason(String text, boolean external) {
    this.text = text;
    this.external = external;
    this.traced = text.isEmpty() ? TraceString.NONE : TraceString.constant(text);
  }

  /** The words, as in {@code goroutine 1 [chan receive]:}. */
  public String text() {
    return text;
  }

  /** The words, as the tracer wants them. */
  TraceString traced() {
    return traced;
  }

  /** Whether something outside the scheduler may end this wait. */
  public boolean external() {
    return external;
  }

  @Override
  public String toString() {
    return text;
  }
}
