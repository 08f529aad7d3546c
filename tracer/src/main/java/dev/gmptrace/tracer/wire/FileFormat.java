package dev.gmptrace.tracer.wire;

import java.nio.charset.StandardCharsets;

/**
 * The bytes around the packets.
 *
 * <pre>
 * file:   | G M P T R A C E | major u16 | minor u16 | 0 0 0 0 |  frame  |  frame  | ...
 *         0                 8          10          12        16
 *
 * frame:  | C7 'G' 'M' 'P' | length u32 | CRC32C of payload u32 | payload: a protobuf Packet |
 *         0                4            8                      12                     12 + length
 * </pre>
 *
 * All numbers are little endian. The marker lets a reader find the next whole frame behind damage;
 * the length alone could not, since it may be what is damaged.
 */
public final class FileFormat {
  public static final int MAJOR = 1;
  public static final int MINOR = 0;
  public static final int FILE_HEADER_BYTES = 16;
  public static final int FRAME_HEADER_BYTES = 12;

  /** No packet is longer; a length beyond it is damage. */
  public static final int MAX_PACKET_BYTES = 16 << 20;

  /** Ticks of eight nanoseconds: finer than a clock read costs, and most deltas fit one byte. */
  public static final int TICK_SHIFT = 3;

  public static final long TICKS_PER_SECOND = 1_000_000_000L >> TICK_SHIFT;

  /** The stream of the recorder itself: the statuses of all that had no event. */
  public static final int RECORDER_STREAM = -1;

  /** The stream of the JVM: garbage collections and pauses. */
  public static final int JVM_STREAM = -2;

  /** The stream of the CPU sampler. */
  public static final int CPU_STREAM = -3;

  /** What threads that are no M do to goroutines and Ps; see {@code docs/TRACE_FORMAT.md}. */
  public static final int OUTSIDE_STREAM = -4;

  static final int MARKER = 'P' << 24 | 'M' << 16 | 'G' << 8 | 0xC7;
  private static final byte[] MAGIC = "GMPTRACE".getBytes(StandardCharsets.US_ASCII);

  private FileFormat() {}

  /** The first bytes of every file. */
  public static byte[] fileHeader() {
    byte[] header = new byte[FILE_HEADER_BYTES];
    System.arraycopy(MAGIC, 0, header, 0, MAGIC.length);
    header[8] = (byte) MAJOR;
    header[9] = (byte) (MAJOR >> 8);
    header[10] = (byte) MINOR;
    header[11] = (byte) (MINOR >> 8);
    return header;
  }

  /** Whether a file that begins with these bytes is ours, of whatever version. */
  public static boolean isTrace(byte[] firstBytes) {
    if (firstBytes.length < MAGIC.length) {
      return false;
    }
    for (int i = 0; i < MAGIC.length; i++) {
      if (firstBytes[i] != MAGIC[i]) {
        return false;
      }
    }
    return true;
  }

  static void checkFileHeader(byte[] header, int length) {
    if (length < MAGIC.length || !isTrace(header)) {
      throw new TraceFormatException("not a gmptrace file: it does not begin with GMPTRACE");
    }
    if (length < FILE_HEADER_BYTES) {
      throw new TraceFormatException("a gmptrace file cut in its first " + length + " bytes");
    }
    int major = (header[8] & 0xff) | (header[9] & 0xff) << 8;
    if (major != MAJOR) {
      throw new TraceFormatException(
          "a gmptrace file of format version "
              + major
              + "; this program reads version "
              + MAJOR
              + (major > MAJOR ? ": use a newer gmptrace" : ""));
    }
  }

  static int getInt(byte[] bytes, int at) {
    return (bytes[at] & 0xff)
        | (bytes[at + 1] & 0xff) << 8
        | (bytes[at + 2] & 0xff) << 16
        | (bytes[at + 3] & 0xff) << 24;
  }

  static void putInt(byte[] bytes, int at, int value) {
    bytes[at] = (byte) value;
    bytes[at + 1] = (byte) (value >> 8);
    bytes[at + 2] = (byte) (value >> 16);
    bytes[at + 3] = (byte) (value >> 24);
  }
}
