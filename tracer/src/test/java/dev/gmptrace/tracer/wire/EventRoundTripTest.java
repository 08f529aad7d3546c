package dev.gmptrace.tracer.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gmptrace.tracer.Seed;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every event of the table, with random arguments, through varints and back. */
class EventRoundTripTest {
  @ParameterizedTest
  @EnumSource(EventType.class)
  void comesBackAsWritten(EventType type) {
    Random random = Seed.random("comesBackAsWritten " + type);
    int events = 1000;
    byte[] bytes = new byte[events * EventType.MAX_BYTES];
    long[][] expected = new long[events][type.args().size()];
    int at = 0;
    for (long[] args : expected) {
      bytes[at++] = (byte) type.id();
      for (int i = 0; i < args.length; i++) {
        args[i] = random.nextLong() >> random.nextInt(64);
        if (type.args().get(i).kind() == ArgKind.THREAD) {
          args[i] = (int) args[i];
          at = Varint.put(bytes, at, Varint.zigzag(args[i]));
        } else {
          at = Varint.put(bytes, at, args[i]);
        }
      }
    }
    EventCursor cursor = new EventCursor(bytes, 0, at);
    long time = 0;
    for (long[] args : expected) {
      assertTrue(cursor.next());
      assertEquals(type, cursor.type());
      for (int i = 0; i < args.length; i++) {
        assertEquals(args[i], cursor.arg(i), type.args().get(i).name());
      }
      time = type == EventType.SEGMENT ? args[2] : time + args[0];
      assertEquals(time, cursor.time());
    }
    assertFalse(cursor.next());
  }

  @ParameterizedTest
  @EnumSource(EventType.class)
  void saysSoWhenABatchEndsInsideOfAnEvent(EventType type) {
    byte[] bytes = new byte[EventType.MAX_BYTES];
    bytes[0] = (byte) type.id();
    int at = 1;
    for (int i = 0; i < type.args().size(); i++) {
      at = Varint.put(bytes, at, 1L << 20);
    }
    for (int length = 1; length < at; length++) {
      EventCursor cursor = new EventCursor(bytes, 0, length);
      assertThrows(TraceFormatException.class, cursor::next);
    }
  }
}
