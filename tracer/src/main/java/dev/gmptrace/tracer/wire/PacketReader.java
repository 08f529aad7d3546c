package dev.gmptrace.tracer.wire;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.WireFormat;
import dev.gmptrace.tracer.wire.proto.Batch;
import dev.gmptrace.tracer.wire.proto.Packet;
import java.io.ByteArrayInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Iterates over the packets of a {@code trace.bin}.
 *
 * <pre>{@code
 * try (PacketReader in = PacketReader.open(path)) {
 *   for (TracePacket packet = in.next(); packet != null; packet = in.next()) {
 *     ...
 *   }
 *   if (!in.complete()) report(in.ending());
 * }
 * }</pre>
 *
 * A frame whose checksum fails is never delivered. It comes out as one {@link TracePacket.Damage}
 * that reaches to the next whole frame, and reading goes on from there. A file that stops inside of
 * a frame comes out as a Damage to its end, and {@link #ending()} says so. Packets and fields of a
 * newer minor version are passed over.
 */
public final class PacketReader implements Closeable {
  private static final int WINDOW = 1 << 18;

  /**
   * Whatever looks like a frame within damage is tried, up to so many bytes and some for every byte
   * of the file: else a file full of markers would be summed up over and over.
   */
  private static final long PATIENCE_BYTES = 4L * FileFormat.MAX_PACKET_BYTES;

  private final InputStream in;
  private final CRC32C crc = new CRC32C();
  private byte[] window = new byte[WINDOW];
  private int start;
  private int limit;
  private long windowOffset;
  private boolean eof;
  private @Nullable TracePacket ahead;
  private boolean sawEnd;
  private boolean sawDamage;
  private boolean cut;

  /** Bytes of frames whose checksum failed. */
  private long wasted;

  private int lastOpenGeneration;
  private int lastClosedGeneration;

  private PacketReader(InputStream in) {
    this.in = in;
    fill(FileFormat.FILE_HEADER_BYTES);
    FileFormat.checkFileHeader(window, limit - start);
    start += FileFormat.FILE_HEADER_BYTES;
  }

  /**
   * Opens a file.
   *
   * @throws TraceFormatException if it is no trace of ours
   */
  public static PacketReader open(Path file) {
    try {
      InputStream in = Files.newInputStream(file);
      try {
        return new PacketReader(in);
      } catch (RuntimeException e) {
        in.close();
        throw e;
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Reads from a stream that stands at the file header. Closed with the reader. */
  public static PacketReader of(InputStream in) {
    return new PacketReader(in);
  }

  /** Reads from memory. */
  public static PacketReader of(byte[] file) {
    return new PacketReader(new ByteArrayInputStream(file));
  }

  /** The next packet, or null behind the last one. */
  public @Nullable TracePacket next() {
    TracePacket packet = ahead;
    if (packet != null) {
      ahead = null;
      return packet;
    }
    long badFrom = -1;
    String why = "";
    while (true) {
      int have = fill(FileFormat.FRAME_HEADER_BYTES);
      if (have == 0) {
        return badFrom < 0 ? null : damage(badFrom, why);
      }
      if (have < FileFormat.FRAME_HEADER_BYTES) {
        cut |= badFrom < 0;
        badFrom = badFrom < 0 ? position() : badFrom;
        why = why.isEmpty() ? "the file ends inside of a frame header" : why;
        start = limit;
        continue;
      }
      String problem = frameProblem(badFrom >= 0);
      if (problem == null) {
        cut = false;
        int length = FileFormat.getInt(window, start + 4);
        int from = start + FileFormat.FRAME_HEADER_BYTES;
        byte[] payload = Arrays.copyOfRange(window, from, from + length);
        long at = position();
        packet = parse(payload, at);
        if (badFrom >= 0) {
          TracePacket bad = damage(badFrom, why);
          ahead = packet;
          start = from + length;
          return bad;
        }
        start = from + length;
        if (packet == null) {
          continue;
        }
        return packet;
      }
      if (badFrom < 0) {
        badFrom = position();
        why = problem;
      }
      start++;
      skipToMarker();
    }
  }

  private TracePacket damage(long from, String why) {
    sawDamage = true;
    return new TracePacket.Damage(from, position() - from, why);
  }

  /** What is wrong with the frame at {@code start}, or null. */
  private @Nullable String frameProblem(boolean searching) {
    if (FileFormat.getInt(window, start) != FileFormat.MARKER) {
      return "no frame begins here";
    }
    int length = FileFormat.getInt(window, start + 4);
    if (length < 0 || length > FileFormat.MAX_PACKET_BYTES) {
      return "a frame of impossible length";
    }
    if (searching && wasted + length > PATIENCE_BYTES + 8 * position()) {
      return "a frame too long to be tried once more";
    }
    int whole = FileFormat.FRAME_HEADER_BYTES + length;
    if (fill(whole) < whole) {
      cut = true;
      return "the file ends inside of a frame";
    }
    crc.reset();
    crc.update(window, start + FileFormat.FRAME_HEADER_BYTES, length);
    if ((int) crc.getValue() != FileFormat.getInt(window, start + 8)) {
      wasted += length;
      return "the checksum of a frame fails";
    }
    return null;
  }

  private void skipToMarker() {
    while (fill(4) >= 4) {
      for (; start + 4 <= limit; start++) {
        if (window[start] == (byte) 0xC7 && FileFormat.getInt(window, start) == FileFormat.MARKER) {
          return;
        }
      }
    }
    start = limit;
  }

  /** Null for a packet of a kind that a newer minor version added: it is passed over. */
  private @Nullable TracePacket parse(byte[] payload, long at) {
    try {
      CodedInputStream input = CodedInputStream.newInstance(payload);
      int tag = input.readTag();
      if (WireFormat.getTagFieldNumber(tag) == Packet.BATCH_FIELD_NUMBER) {
        return batch(input, payload);
      }
      Packet packet = Packet.parseFrom(payload);
      return switch (packet.getBodyCase()) {
        case HEADER -> new TracePacket.Head(packet.getHeader());
        case STRINGS -> new TracePacket.Strings(packet.getStrings());
        case STACKS -> new TracePacket.Stacks(packet.getStacks());
        case CLOCK -> {
          lastOpenGeneration = Math.max(lastOpenGeneration, packet.getClock().getGeneration());
          yield new TracePacket.Clock(packet.getClock());
        }
        case END_OF_GENERATION -> {
          lastClosedGeneration = packet.getEndOfGeneration().getGeneration();
          yield new TracePacket.GenerationEnd(packet.getEndOfGeneration());
        }
        case END_OF_TRACE -> {
          sawEnd = true;
          yield new TracePacket.TraceEnd(packet.getEndOfTrace());
        }
        case BATCH, BODY_NOT_SET -> null;
      };
    } catch (IOException e) {
      sawDamage = true;
      return new TracePacket.Damage(
          at,
          FileFormat.FRAME_HEADER_BYTES + (long) payload.length,
          "a packet that does not parse: " + e.getMessage());
    }
  }

  /** Reads a batch without copying its events. */
  private TracePacket batch(CodedInputStream input, byte[] payload) throws IOException {
    int size = input.readRawVarint32();
    int oldLimit = input.pushLimit(size);
    int generation = 0;
    int p = 0;
    int thread = 0;
    long time = 0;
    int events = 0;
    int offset = 0;
    int length = 0;
    for (int tag = input.readTag(); tag != 0; tag = input.readTag()) {
      switch (WireFormat.getTagFieldNumber(tag)) {
        case Batch.GENERATION_FIELD_NUMBER -> generation = input.readUInt32();
        case Batch.P_FIELD_NUMBER -> p = input.readSInt32();
        case Batch.THREAD_FIELD_NUMBER -> thread = input.readSInt32();
        case Batch.BASE_TIME_FIELD_NUMBER -> time = input.readUInt64();
        case Batch.EVENT_COUNT_FIELD_NUMBER -> events = input.readUInt32();
        case Batch.EVENTS_FIELD_NUMBER -> {
          length = input.readRawVarint32();
          offset = input.getTotalBytesRead();
          if (length < 0 || length > payload.length - offset) {
            throw new InvalidProtocolBufferException("events reach beyond their packet");
          }
          input.skipRawBytes(length);
        }
        default -> input.skipField(tag);
      }
    }
    input.popLimit(oldLimit);
    lastOpenGeneration = Math.max(lastOpenGeneration, generation);
    return new TracePacket.EventBatch(generation, p, thread, time, events, payload, offset, length);
  }

  /** Makes at least {@code want} bytes available at {@code start}; returns how many there are. */
  private int fill(int want) {
    if (limit - start >= want || eof) {
      return limit - start;
    }
    if (start > 0) {
      System.arraycopy(window, start, window, 0, limit - start);
      windowOffset += start;
      limit -= start;
      start = 0;
    }
    try {
      while (limit < want) {
        if (limit == window.length) {
          // Grows with what is really there, so a damaged length costs no memory.
          window = Arrays.copyOf(window, Math.min(2 * window.length, Math.max(want, WINDOW)));
        }
        int n = in.read(window, limit, window.length - limit);
        if (n < 0) {
          eof = true;
          break;
        }
        limit += n;
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return limit - start;
  }

  /** The offset in the file of the next byte to be read. */
  public long position() {
    return windowOffset + start;
  }

  /** Whether the whole file has been read, it ended in good order, and nothing was damaged. */
  public boolean complete() {
    return sawEnd && !sawDamage && eof && start == limit;
  }

  /** Says how the file ended, and what is missing; to be asked behind the last packet. */
  public String ending() {
    if (complete()) {
      return "complete";
    }
    StringBuilder text = new StringBuilder();
    if (sawDamage && !(cut && !sawEnd)) {
      text.append("damaged: some frames could not be read");
    }
    if (!sawEnd) {
      text.append(text.isEmpty() ? "" : "; ")
          .append(cut ? "cut inside of a frame" : "stops without an end of trace")
          .append(": the recorder was not stopped, or the file was cut");
      if (lastOpenGeneration > lastClosedGeneration) {
        text.append("; generation ")
            .append(lastClosedGeneration + 1)
            .append(lastOpenGeneration > lastClosedGeneration + 1 ? " and later are" : " is")
            .append(" incomplete: last events, names and states of idle goroutines may be missing");
      }
    }
    return text.toString();
  }

  @Override
  public void close() {
    try {
      in.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
