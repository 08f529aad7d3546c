package dev.gmptrace.analyzer.stats;

import dev.gmptrace.analyzer.read.EventTypes;
import dev.gmptrace.analyzer.read.GoState;

/**
 * Legal transitions of a goroutine:
 *
 * <pre>
 *   NotExist  -> Runnable  Waiting   Syscall            created
 *   Runnable  -> Running                                 started
 *   Running   -> Runnable  Waiting   Syscall  NotExist   stopped, blocked, in a call, ended
 *   Waiting   -> Runnable  Running                       woken; Running only by a coroutine switch
 *   Syscall   -> Running   Runnable  NotExist            back, back without a processor, ended
 *   Undetermined -> anything                             first seen, or seen again after a loss
 * </pre>
 */
final class Transitions {
  private Transitions() {}

  /** Whether it says how things are rather than how they change. */
  static boolean status(int type) {
    return type == EventTypes.GO_STATUS
        || type == EventTypes.GO_STATUS_STACK
        || type == EventTypes.GO_STATUS_INFO
        || type == EventTypes.PROC_STATUS
        || type == EventTypes.PROC_STATUS_INFO;
  }

  /** Whether it brings a goroutine into being. */
  static boolean creation(int type) {
    return type == EventTypes.GO_CREATE
        || type == EventTypes.GO_CREATE_BLOCKED
        || type == EventTypes.GO_CREATE_SYSCALL;
  }

  /** Whether an event of that type may take a goroutine from one state to the other. */
  static boolean allowed(GoState from, GoState to, int type) {
    if (creation(type)) {
      return from == GoState.NOT_EXIST;
    }
    return switch (from) {
      case UNDETERMINED -> true;
      case NOT_EXIST -> to == GoState.RUNNABLE || to == GoState.WAITING || to == GoState.SYSCALL;
      case RUNNABLE -> to == GoState.RUNNING;
      case RUNNING -> to != GoState.RUNNING && to != GoState.UNDETERMINED;
      case WAITING ->
          to == GoState.RUNNABLE
              || (to == GoState.RUNNING
                  && (type == EventTypes.GO_SWITCH || type == EventTypes.GO_SWITCH_DESTROY));
      case SYSCALL -> to == GoState.RUNNING || to == GoState.RUNNABLE || to == GoState.NOT_EXIST;
    };
  }
}
