package dev.gmptrace.tracer.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class VarintTest {
  @ParameterizedTest
  @ValueSource(longs = {0, 1, -1, 127, 128, 16383, 16384, Long.MAX_VALUE, Long.MIN_VALUE})
  void sizeIsWhatPutWrites(long value) {
    byte[] bytes = new byte[Varint.MAX_BYTES];
    assertEquals(Varint.size(value), Varint.put(bytes, 0, value));
    assertEquals(value, Varint.unzigzag(Varint.zigzag(value)));
  }
}
