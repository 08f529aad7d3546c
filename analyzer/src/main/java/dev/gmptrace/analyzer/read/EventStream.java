package dev.gmptrace.analyzer.read;

/**
 * The events of one thread in one generation, decoded one at a time. The bytes come in runs (a Go
 * batch, a gmp segment), each with its own start time; {@link #nextRun} brings in the next one.
 *
 * <p>The fields hold the event the stream stands at. No event allocates anything.
 */
abstract class EventStream {
  /** Enough for every event of both formats. */
  static final int MAX_ARGS = 8;

  /** Later than any machine has been up; adding one to it a few billion times does not overflow. */
  private static final long MAX_TIME = 1L << 61;

  final ThreadState thread;
  private final byte[] argCounts;

  /** By type: bit i is set when argument i is zigzag coded. */
  private final byte[] zigzag;

  private final double nanosPerTick;

  /** The event the stream stands at. */
  int type;

  long time;
  long offset;
  final long[] args = new long[MAX_ARGS];

  /** The run: bytes {@code pos} to {@code end} of {@code bytes}, which begins at a file offset. */
  byte[] bytes = new byte[0];

  int pos;
  int end;
  long bytesOffset;

  EventStream(ThreadState thread, byte[] argCounts, byte[] zigzag, double nanosPerTick) {
    this.thread = thread;
    this.argCounts = argCounts;
    this.zigzag = zigzag;
    this.nanosPerTick = nanosPerTick;
  }

  /** Loads the next run and calls {@link #startRun}; false when there is none. */
  abstract boolean nextRun() throws DamageException;

  final void startRun(byte[] buffer, int from, int to, long fileOffsetOfBuffer, long ticks) {
    bytes = buffer;
    pos = from;
    end = to;
    bytesOffset = fileOffsetOfBuffer;
    time = nanos(ticks, nanosPerTick);
  }

  /**
   * A span of ticks in nanoseconds, cut off as Go does it. What no clock can have counted becomes
   * the smallest number, as it does in Go, so that nothing later than it can be overtaken.
   */
  static long nanos(long ticks, double nanosPerTick) {
    long nanos = (long) (unsigned(ticks) * nanosPerTick);
    return nanos > MAX_TIME ? Long.MIN_VALUE : nanos;
  }

  private static double unsigned(long v) {
    return v >= 0 ? (double) v : (double) (v >>> 1) * 2.0;
  }

  /** Moves to the next event; false at the end of the stream. */
  final boolean next() throws DamageException {
    while (pos == end) {
      if (!nextRun()) {
        return false;
      }
    }
    final byte[] b = bytes;
    int at = pos;
    offset = bytesOffset + at;
    int kind = b[at++] & 0xff;
    int count = argCounts[kind];
    if (count < 0) {
      throw new DamageException(offset, "found event type " + kind + ", which no stream contains");
    }
    type = kind;
    // The time is an argument like any other, and most arguments fit one byte.
    for (int i = -1; i < count; i++) {
      long v = 0;
      int x;
      if (at < end && (x = b[at]) >= 0) {
        at++;
        v = x;
      } else {
        int shift = 0;
        while (true) {
          if (at >= end) {
            throw cutOff();
          }
          x = b[at++];
          if (shift == 63 && (x & 0xfe) != 0) {
            throw tooLong();
          }
          v |= (x & 0x7fL) << shift;
          if (x >= 0) {
            break;
          }
          shift += 7;
          if (shift > 63) {
            throw tooLong();
          }
        }
      }
      if (i >= 0) {
        args[i] = v;
      } else {
        time += nanos(v, nanosPerTick);
        if (time < 0 || time > MAX_TIME) {
          throw new DamageException(offset, "found a time no clock can have reached");
        }
      }
    }
    pos = at;
    if (zigzag[kind] != 0) {
      unzigzag(zigzag[kind]);
    }
    return true;
  }

  private void unzigzag(int mask) {
    for (int i = 0; i < MAX_ARGS; i++) {
      if ((mask >> i & 1) != 0) {
        args[i] = args[i] >>> 1 ^ -(args[i] & 1);
      }
    }
  }

  private DamageException cutOff() {
    return new DamageException(
        offset, EventTypes.name(type) + " is cut off by the end of its batch");
  }

  private DamageException tooLong() {
    return new DamageException(
        offset, EventTypes.name(type) + " holds a number of more than 64 bits");
  }
}
