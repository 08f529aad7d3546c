package dev.gmptrace.analyzer.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A packed column says what a plain array would. */
class PackedColumnTest {
  private static final int B = PackedColumn.BLOCK;

  static IntStream everyWidth() {
    return IntStream.rangeClosed(0, 64);
  }

  private static PackedColumn of(long[] values) {
    PackedColumn column = new PackedColumn();
    for (long v : values) {
      column.add(v);
    }
    return column;
  }

  private static void assertHolds(long[] values, PackedColumn column) {
    assertEquals(values.length, column.size());
    long[] block = new long[B];
    for (int i = 0; i < values.length; i++) {
      assertEquals(values[i], column.get(i), "value " + i);
      if (i % B == 0) {
        assertEquals(Math.min(B, values.length - i), column.block(i / B, block));
      }
      assertEquals(values[i], block[i % B], "unpacked value " + i);
    }
  }

  @ParameterizedTest
  @MethodSource("everyWidth")
  void returnsWhatItWasGivenAtEveryWidth(int width) {
    Random random = new Random(width);
    long base = random.nextLong();
    long[] values =
        random.longs(5L * B + 7).map(v -> base + (width == 0 ? 0 : v >>> (64 - width))).toArray();
    assertHolds(values, of(values));
  }

  @Test
  void changesItsWidthFromBlockToBlockAcrossChunks() {
    Random random = new Random(7);
    long[] values = new long[400 * B];
    int width = 0;
    for (int i = 0; i < values.length; i++) {
      width = i % B == 0 ? random.nextInt(65) : width;
      values[i] = width == 0 ? 5 : random.nextLong() >> (64 - width);
    }
    assertHolds(values, of(values));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 255, 256, 257, 5000})
  void findsTheBorderInRisingValues(int size) {
    Random random = new Random(size);
    long[] values = random.longs(size, 0, 2000).sorted().toArray();
    PackedColumn column = of(values);
    for (long v = -1; v <= 2001; v++) {
      int expected = 0;
      while (expected < size && values[expected] < v) {
        expected++;
      }
      assertEquals(expected, column.lowerBound(v), "first not below " + v);
    }
  }

  @Test
  void takesNoRoomForWhatDoesNotChange() {
    PackedColumn column = new PackedColumn();
    for (int i = 0; i < 1000 * B; i++) {
      column.add(-1);
    }
    assertTrue(column.bytes() < 40_000, column.bytes() + " bytes");
  }

  @Test
  void takesBitsForWhatVariesLittle() {
    PackedColumn column = new PackedColumn();
    long time = 1L << 50;
    for (int i = 0; i < 1000 * B; i++) {
      time += 100 + i % 7;
      column.add(time);
    }
    assertTrue(column.bytes() < 2.2 * column.size(), column.bytes() + " bytes");
  }

  @Test
  void laneReferencesOfThreeLogsStayApart() {
    Random random = new Random(3);
    LaneColumn lane = new LaneColumn();
    int[] next = {0, 1_000_000, 700_000_000};
    int[] logs = new int[10 * B + 3];
    int[] indexes = new int[logs.length];
    for (int i = 0; i < logs.length; i++) {
      logs[i] = random.nextInt(3);
      next[logs[i]] += random.nextInt(50);
      indexes[i] = next[logs[i]];
      lane.add(logs[i], indexes[i]);
    }
    for (int i = 0; i < logs.length; i++) {
      assertEquals(logs[i], LaneColumn.log(lane.get(i)), "log of " + i);
      assertEquals(indexes[i], LaneColumn.index(lane.get(i)), "index of " + i);
    }
    assertTrue(lane.bytes() < 4L * logs.length, lane.bytes() + " bytes");
  }
}
