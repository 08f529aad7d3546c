package dev.gmptrace.analyzer.index;

import dev.gmptrace.analyzer.model.PointKind;
import dev.gmptrace.analyzer.model.SpanState;
import dev.gmptrace.analyzer.read.EventKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The kinds of the event table: those {@code gmptrace events --kind} knows, and of changes of state
 * also whose and to what, since nobody looks for all of them. Each has a number, so that a filter
 * is decided once a kind and not once an event.
 */
final class EventNames {
  private static final String CHANGE = EventKind.STATE_TRANSITION.text();
  private static final List<EventKind> KINDS = List.of(EventKind.values());
  private static final List<String> NAMES = new ArrayList<>();

  /** A goroutine is in the state of this number from now on. */
  private static final int GOROUTINE = 0;

  private static final int CREATED = GOROUTINE + SpanState.COUNT;
  private static final int PROC = CREATED + 1;
  private static final int POINT = PROC + SpanState.COUNT;
  private static final int MARK = POINT + PointKind.values().length;

  static {
    for (int s = 0; s < SpanState.COUNT; s++) {
      SpanState state = SpanState.of(s);
      boolean possible = s <= SpanState.PREEMPTED.code();
      String what = state == SpanState.NONE ? "ended" : state.label();
      NAMES.add(possible ? CHANGE + " G " + what : CHANGE);
    }
    NAMES.add(CHANGE + " G created");
    for (int s = 0; s < SpanState.COUNT; s++) {
      SpanState state = SpanState.of(s);
      NAMES.add(
          CHANGE
              + switch (state) {
                case NONE -> " P ended";
                case SCHEDULING -> " P running";
                case IDLE, UNKNOWN -> " P " + state.label();
                default -> "";
              });
    }
    for (PointKind kind : PointKind.values()) {
      NAMES.add(eventOf(kind).text());
    }
    for (EventKind kind : KINDS) {
      NAMES.add(kind.text());
    }
  }

  private EventNames() {}

  private static EventKind eventOf(PointKind kind) {
    return switch (kind) {
      case STEAL -> EventKind.STEAL;
      case GLOBAL_GET, GLOBAL_PUT, OVERFLOW -> EventKind.GLOBAL_QUEUE;
      case WAKE -> EventKind.WAKE;
      case HANDOFF -> EventKind.HANDOFF;
      case SPIN_START, SPIN_STOP -> EventKind.SPIN;
      case THREAD_START, THREAD_STOP, THREAD_PARK, THREAD_UNPARK, OTHER -> EventKind.THREAD;
      case TIMER -> EventKind.TIMER;
      case NETPOLL -> EventKind.NETPOLL;
      case PROC_STEAL, SYSCALL -> EventKind.STATE_TRANSITION;
      case LABEL -> EventKind.LABEL;
      case LOG -> EventKind.LOG;
      case LOST -> EventKind.LOST;
      case CPU_SAMPLE -> EventKind.STACK_SAMPLE;
      case SYNC -> EventKind.SYNC;
      case WAKE_REASON -> EventKind.WAKE_REASON;
    };
  }

  static int goroutine(int oldState, int newState) {
    return oldState == SpanState.NONE.code() ? CREATED : GOROUTINE + newState;
  }

  static int proc(int newState) {
    return PROC + newState;
  }

  static int point(int kind) {
    return POINT + kind;
  }

  static int mark(EventKind kind) {
    return MARK + KINDS.indexOf(kind);
  }

  /** All there are. */
  static List<String> all() {
    return NAMES.stream().distinct().filter(n -> !n.equals(EventKind.BAD.text())).sorted().toList();
  }

  static String name(int number) {
    return NAMES.get(number);
  }

  /** For each kind whether its name contains this, in any case. */
  static boolean[] matching(String part) {
    String wanted = part.toLowerCase(Locale.ROOT);
    boolean[] yes = new boolean[NAMES.size()];
    for (int i = 0; i < yes.length; i++) {
      yes[i] = NAMES.get(i).toLowerCase(Locale.ROOT).contains(wanted);
    }
    return yes;
  }
}
