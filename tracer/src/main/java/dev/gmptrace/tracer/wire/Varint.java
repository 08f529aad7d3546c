package dev.gmptrace.tracer.wire;

/** Unsigned LEB128 in byte arrays, and the zigzag coding of signed numbers. */
public final class Varint {
  /** The most bytes that a {@code long} needs. */
  public static final int MAX_BYTES = 10;

  private Varint() {}

  /** Writes {@code value} at {@code at} and returns the index after it. */
  public static int put(byte[] bytes, int at, long value) {
    while ((value & ~0x7fL) != 0) {
      bytes[at++] = (byte) (value | 0x80);
      value >>>= 7;
    }
    bytes[at++] = (byte) value;
    return at;
  }

  /** How many bytes {@link #put} would write. */
  public static int size(long value) {
    return Math.max(1, (70 - Long.numberOfLeadingZeros(value)) / 7);
  }

  /** Maps small negative numbers to small positive ones. */
  public static long zigzag(long value) {
    return (value << 1) ^ (value >> 63);
  }

  /** Undoes {@link #zigzag}. */
  public static long unzigzag(long value) {
    return (value >>> 1) ^ -(value & 1);
  }
}
