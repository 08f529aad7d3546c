package dev.gmptrace.tracer.wire;

import com.google.protobuf.CodedOutputStream;
import dev.gmptrace.tracer.wire.proto.Batch;
import dev.gmptrace.tracer.wire.proto.Packet;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.zip.CRC32C;

/**
 * Makes frames out of packets. A batch is framed where it lies: a recorder leaves {@link
 * #BATCH_HEADROOM} bytes free before the events, and {@link #frameBatch} fills them from the right,
 * so the frame goes out in one write and its events are never copied. Not thread-safe.
 */
public final class PacketWriter {
  /** Frame header, and the fields of a packet and a batch up to the events. */
  public static final int BATCH_HEADROOM = 64;

  private final CRC32C crc = new CRC32C();
  private final byte[] head = new byte[BATCH_HEADROOM];

  /** The frame of any packet. */
  public byte[] frame(Packet packet) {
    int length = packet.getSerializedSize();
    byte[] frame = new byte[FileFormat.FRAME_HEADER_BYTES + length];
    try {
      CodedOutputStream out =
          CodedOutputStream.newInstance(frame, FileFormat.FRAME_HEADER_BYTES, length);
      packet.writeTo(out);
      out.checkNoSpaceLeft();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    putFrameHeader(frame, 0, length);
    return frame;
  }

  /**
   * Frames the events in {@code bytes[from, to)} in place and returns the index where the frame
   * begins; it ends at {@code to}. At least {@link #BATCH_HEADROOM} bytes before {@code from} are
   * overwritten at will.
   */
  public int frameBatch(
      byte[] bytes, int from, int to, int generation, int p, int thread, long time, int events) {
    int length = to - from;
    int at = 0;
    at = field(at, Batch.GENERATION_FIELD_NUMBER, generation);
    at = field(at, Batch.P_FIELD_NUMBER, Varint.zigzag(p));
    at = field(at, Batch.THREAD_FIELD_NUMBER, Varint.zigzag(thread));
    at = field(at, Batch.BASE_TIME_FIELD_NUMBER, time);
    at = field(at, Batch.EVENT_COUNT_FIELD_NUMBER, events);
    head[at++] = (byte) (Batch.EVENTS_FIELD_NUMBER << 3 | LENGTH_DELIMITED);
    at = Varint.put(head, at, length);
    int batch = from - at;
    System.arraycopy(head, 0, bytes, batch, at);
    int size = Varint.size(to - batch);
    int packet = batch - size - 1;
    bytes[packet] = (byte) (Packet.BATCH_FIELD_NUMBER << 3 | LENGTH_DELIMITED);
    Varint.put(bytes, packet + 1, to - batch);
    int frame = packet - FileFormat.FRAME_HEADER_BYTES;
    putFrameHeader(bytes, frame, to - packet);
    return frame;
  }

  private static final int LENGTH_DELIMITED = 2;

  private int field(int at, int number, long value) {
    head[at++] = (byte) (number << 3);
    return Varint.put(head, at, value);
  }

  private void putFrameHeader(byte[] bytes, int at, int length) {
    crc.reset();
    crc.update(bytes, at + FileFormat.FRAME_HEADER_BYTES, length);
    FileFormat.putInt(bytes, at, FileFormat.MARKER);
    FileFormat.putInt(bytes, at + 4, length);
    FileFormat.putInt(bytes, at + 8, (int) crc.getValue());
  }
}
