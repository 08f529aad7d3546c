package dev.gmptrace.tracer.record;

import dev.gmptrace.tracer.wire.Varint;
import org.jspecify.annotations.Nullable;

/**
 * How events become bytes: the type, the time since the event before, the arguments, all but the
 * first as varints. There is a method for each number of arguments because arrays of them would
 * have to be allocated.
 */
abstract sealed class EventBytes extends BufferCore permits TraceBuffer {
  EventBytes(Tracer tracer, @Nullable TracedP proc) {
    super(tracer, proc);
  }

  // ---- events that are about no goroutine and no P, and so need no status

  final void write(byte type) {
    if (room(ANY_KNOWN)) {
      append(type);
    } else {
      drop();
    }
  }

  final void write(byte type, long a) {
    if (room(ANY_KNOWN)) {
      append(type, a);
    } else {
      drop();
    }
  }

  final void write(byte type, long a, long b) {
    if (room(ANY_KNOWN)) {
      append(type, a, b);
    } else {
      drop();
    }
  }

  final void write(byte type, long a, long b, long c) {
    if (room(ANY_KNOWN)) {
      append(type, a, b, c);
    } else {
      drop();
    }
  }

  /** A sample: of many numbers, and seldom, so that an array does not matter. */
  final void write(byte type, long... numbers) {
    if (!room(ANY_KNOWN)) {
      drop();
      return;
    }
    Slot s = slot;
    byte[] bytes = s.bytes;
    int i = s.pos;
    bytes[i++] = type;
    i = Varint.put(bytes, i, delta);
    for (long number : numbers) {
      i = Varint.put(bytes, i, number);
    }
    done(s, i);
  }

  // ---- the bytes; there is room

  final void append(byte type) {
    Slot s = slot;
    byte[] bytes = s.bytes;
    int i = s.pos;
    bytes[i++] = type;
    i = Varint.put(bytes, i, delta);
    done(s, i);
  }

  final void append(byte type, long a) {
    Slot s = slot;
    byte[] bytes = s.bytes;
    int i = s.pos;
    bytes[i++] = type;
    i = Varint.put(bytes, i, delta);
    i = Varint.put(bytes, i, a);
    done(s, i);
  }

  final void append(byte type, long a, long b) {
    Slot s = slot;
    byte[] bytes = s.bytes;
    int i = s.pos;
    bytes[i++] = type;
    i = Varint.put(bytes, i, delta);
    i = Varint.put(bytes, i, a);
    i = Varint.put(bytes, i, b);
    done(s, i);
  }

  final void append(byte type, long a, long b, long c) {
    Slot s = slot;
    byte[] bytes = s.bytes;
    int i = s.pos;
    bytes[i++] = type;
    i = Varint.put(bytes, i, delta);
    i = Varint.put(bytes, i, a);
    i = Varint.put(bytes, i, b);
    i = Varint.put(bytes, i, c);
    done(s, i);
  }

  final void append(byte type, long a, long b, long c, long d) {
    Slot s = slot;
    byte[] bytes = s.bytes;
    int i = s.pos;
    bytes[i++] = type;
    i = Varint.put(bytes, i, delta);
    i = Varint.put(bytes, i, a);
    i = Varint.put(bytes, i, b);
    i = Varint.put(bytes, i, c);
    i = Varint.put(bytes, i, d);
    done(s, i);
  }
}
