package dev.gmptrace.analyzer.read;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One ordered event: a window onto a row of numbers, moved on by the reader. The object is reused,
 * so nothing may keep it; every accessor is a plain array read.
 *
 * <p>{@link #thread}, {@link #proc} and {@link #goroutine} are where the event happened, before it
 * took effect. What it is about is in {@link #resource} and {@link #resourceId}: when G 7 wakes G
 * 9, {@code goroutine()} is 7 and {@code resourceId()} is 9.
 *
 * <p>Strings and stacks are ints, the same for the whole trace, to be looked up in {@link
 * TraceReader#tables}; 0 is the empty string and "no stack".
 *
 * <p>For implementers, the row:
 *
 * <pre>
 *   0 time        ns, strictly rising
 *   1 head        type:8 | from:8 | to:8 | resource:8 | generation:32
 *   2 thread      -1: none
 *   3 proc        -1: none
 *   4 goroutine   -1: none
 *   5 resourceId
 *   6 stacks      low int: stack, high int: transition stack
 *   7 strings     low int: name or reason, high int: text
 *   8 value
 *   9 value2
 *  10 offset      in the file
 *  11 task or other
 * </pre>
 */
public final class TraceEvent {
  /** The id of "no thread", "no proc" and "no goroutine". */
  public static final long NONE = -1;

  /** The parent of a task that has none. */
  public static final long NO_TASK = -1;

  static final int TIME = 0;
  static final int HEAD = 1;
  static final int THREAD = 2;
  static final int PROC = 3;
  static final int GOROUTINE = 4;
  static final int RESOURCE_ID = 5;
  static final int STACKS = 6;
  static final int STRINGS = 7;
  static final int VALUE = 8;
  static final int VALUE2 = 9;
  static final int OFFSET = 10;
  static final int TASK = 11;

  /** Longs in a row. */
  static final int ROW = 12;

  private long[] rows = new long[ROW];
  private int base;
  private long number;

  TraceEvent() {}

  void moveTo(long[] rows, int base, long number) {
    this.rows = rows;
    this.base = base;
    this.number = number;
  }

  /** The place of this event in the trace, from 0. */
  public long number() {
    return number;
  }

  /** Nanoseconds on the trace's clock; every event's time is greater than the one before. */
  public long time() {
    return rows[base + TIME];
  }

  /** What the event says. */
  public EventKind kind() {
    return EventTypes.kind(type());
  }

  /** Which event of the wire format it came from, one of {@link EventTypes}. */
  public int type() {
    return (int) rows[base + HEAD] & 0xff;
  }

  /** The thread it happened on, or {@link #NONE}. */
  public long thread() {
    return rows[base + THREAD];
  }

  /** The P that thread held before the event, or {@link #NONE}. */
  public long proc() {
    return rows[base + PROC];
  }

  /** The goroutine that ran on that thread before the event, or {@link #NONE}. */
  public long goroutine() {
    return rows[base + GOROUTINE];
  }

  /** What kind of thing a transition, range or label is about. */
  public ResourceKind resource() {
    return ResourceKind.of((int) (rows[base + HEAD] >>> 24) & 0xff);
  }

  /** Which G, P or M a transition, range, label or name is about. */
  public long resourceId() {
    return rows[base + RESOURCE_ID];
  }

  /** The state a goroutine comes from. */
  public GoState goFrom() {
    return GoState.of(from());
  }

  /** The state a goroutine goes to. */
  public GoState goTo() {
    return GoState.of(to());
  }

  /** The state a P comes from. */
  public ProcState procFrom() {
    return ProcState.of(from());
  }

  /** The state a P goes to. */
  public ProcState procTo() {
    return ProcState.of(to());
  }

  /** The ordinal of the state a transition comes from. */
  public int from() {
    return (int) (rows[base + HEAD] >>> 8) & 0xff;
  }

  /** The ordinal of the state a transition goes to. */
  public int to() {
    return (int) (rows[base + HEAD] >>> 16) & 0xff;
  }

  /** The string id of a transition's reason; 0 when there is none. */
  public int reason() {
    return name();
  }

  /** The stack id of where the thread was, or 0. */
  public int stack() {
    return (int) rows[base + STACKS];
  }

  /** The stack id of the goroutine that changes state, or 0. For a new G: where it will start. */
  public int transitionStack() {
    return (int) (rows[base + STACKS] >>> 32);
  }

  /**
   * A string id: of a transition the reason, of a metric or range its name, of a label its text, of
   * a task or region its type, of a log line its category.
   */
  public int name() {
    return (int) rows[base + STRINGS];
  }

  /** The string id of a log line's message. */
  public int text() {
    return (int) (rows[base + STRINGS] >>> 32);
  }

  /**
   * A number: of a metric its value, of a sync its count from 1, of a sweep's end the bytes swept,
   * of a transition at a distance its sequence number, else as {@link EventKind} says.
   */
  public long value() {
    return rows[base + VALUE];
  }

  /** A second number: of a sweep's end the bytes reclaimed, else as {@link EventKind} says. */
  public long value2() {
    return rows[base + VALUE2];
  }

  /** The task of a task, region or log event; 0 is the background task. */
  public long task() {
    return rows[base + TASK];
  }

  /** The parent of a beginning or ending task, or {@link #NO_TASK}. */
  public long parentTask() {
    return rows[base + VALUE];
  }

  /** Another P or M that takes part: the thread a P is stolen from, the victim of a work steal. */
  public long other() {
    return rows[base + TASK];
  }

  /**
   * Of a sync: whether pieces of the generation that begins are missing from the file, so that its
   * events need not fit together. What the recorder itself dropped is told by {@link
   * EventKind#LOST}.
   */
  public boolean torn() {
    return type() == EventTypes.SYNC && to() != 0;
  }

  /**
   * The i-th argument of an event that is nothing but numbers (an experiment's, and all kinds that
   * only gmp traces have), in the order of {@link EventTypes#argumentNames}.
   */
  public long arg(int i) {
    int slot = ArgumentSlots.of(type(), i);
    long v = rows[base + (slot & ArgumentSlots.FIELD)];
    return switch (slot & ~ArgumentSlots.FIELD) {
      case ArgumentSlots.LOW -> (int) v;
      case ArgumentSlots.HIGH -> v >> 32;
      default -> v;
    };
  }

  /** The generation it was recorded in. */
  public int generation() {
    return (int) (rows[base + HEAD] >>> 32);
  }

  /** Where it stands in the file; for an event derived from another, where that one stands. */
  public long offset() {
    return rows[base + OFFSET];
  }

  /** The clock snapshot a sync event carries, or null. */
  public @Nullable ClockSnapshot clock() {
    if (type() != EventTypes.SYNC || from() == 0) {
      return null;
    }
    return new ClockSnapshot(
        rows[base + RESOURCE_ID], rows[base + VALUE2], Instant.EPOCH.plusNanos(rows[base + TASK]));
  }
}
