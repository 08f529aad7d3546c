package dev.gmptrace.tracer.wire;

import org.jspecify.annotations.Nullable;

/**
 * Walks over the events of a batch without making objects.
 *
 * <pre>{@code
 * EventCursor event = batch.cursor();
 * while (event.next()) {
 *   if (event.type() == EventType.GO_BLOCK) {
 *     blocked(event.thread(), event.time(), event.arg(1));
 *   }
 * }
 * }</pre>
 *
 * Arguments are numbered as in {@link EventType#args()}, so 0 is the time delta; arguments of kind
 * {@link ArgKind#THREAD} come out as signed ids. Times are absolute ticks, counted from the last
 * {@link EventType#SEGMENT}, whose thread and number stay readable through {@link #thread()} and
 * {@link #segment()}.
 */
public final class EventCursor {
  /** Bit i is set when argument i is zigzag coded. */
  private static final byte[] ZIGZAG = new byte[256];

  private static final byte[] ARGS = new byte[256];

  static {
    for (EventType type : EventType.values()) {
      ARGS[type.id()] = (byte) type.args().size();
      for (int i = 0; i < type.args().size(); i++) {
        if (type.args().get(i).kind() == ArgKind.THREAD) {
          ZIGZAG[type.id()] |= (byte) (1 << i);
        }
      }
    }
  }

  private final byte[] bytes;
  private final int end;
  private final long[] args = new long[EventType.MAX_ARGS];
  private int at;
  private int id;
  private long time;
  private int thread;
  private long segment;

  public EventCursor(byte[] bytes, int offset, int length) {
    this.bytes = bytes;
    this.at = offset;
    this.end = offset + length;
  }

  /**
   * Moves to the next event; false behind the last one.
   *
   * @throws TraceFormatException if the bytes are no events of the table
   */
  public boolean next() {
    if (at >= end) {
      return false;
    }
    id = bytes[at++] & 0xff;
    if (EventType.byId(id) == null) {
      throw new TraceFormatException("no event has id " + id);
    }
    int count = ARGS[id];
    for (int i = 0; i < count; i++) {
      args[i] = varint();
    }
    int signed = ZIGZAG[id];
    if (signed != 0) {
      for (int i = 0; i < count; i++) {
        if ((signed >> i & 1) != 0) {
          args[i] = Varint.unzigzag(args[i]);
        }
      }
    }
    if (id == SEGMENT) {
      thread = (int) args[0];
      segment = args[1];
      time = args[2];
    } else {
      time += args[0];
    }
    return true;
  }

  private static final int SEGMENT = EventType.SEGMENT.id();

  private long varint() {
    long value = 0;
    for (int shift = 0; shift < 70; shift += 7) {
      if (at >= end) {
        throw new TraceFormatException("the batch ends inside of an event");
      }
      byte b = bytes[at++];
      value |= (long) (b & 0x7f) << shift;
      if (b >= 0) {
        return value;
      }
    }
    throw new TraceFormatException("a number is longer than ten bytes");
  }

  /** The type of this event. */
  public EventType type() {
    @Nullable EventType type = EventType.byId(id);
    if (type == null) {
      throw new IllegalStateException("next() has not been called");
    }
    return type;
  }

  /** {@link EventType#id()} of this event. */
  public int id() {
    return id;
  }

  /** When it happened, in ticks. */
  public long time() {
    return time;
  }

  /** The M that wrote it. */
  public int thread() {
    return thread;
  }

  /** The number of the segment among the M's segments of the generation. */
  public long segment() {
    return segment;
  }

  /** An argument, in the order of {@link EventType#args()}. */
  public long arg(int index) {
    return args[index];
  }

  /** Where the next event begins, in the array given. */
  public int position() {
    return at;
  }
}
