package dev.gmptrace.analyzer.read;

import com.google.protobuf.ByteString;
import dev.gmptrace.tracer.wire.ArgKind;
import dev.gmptrace.tracer.wire.EventType;
import dev.gmptrace.tracer.wire.FileFormat;
import dev.gmptrace.tracer.wire.PacketWriter;
import dev.gmptrace.tracer.wire.Varint;
import dev.gmptrace.tracer.wire.proto.Batch;
import dev.gmptrace.tracer.wire.proto.ClockSnapshot;
import dev.gmptrace.tracer.wire.proto.EndOfGeneration;
import dev.gmptrace.tracer.wire.proto.EndOfTrace;
import dev.gmptrace.tracer.wire.proto.Frame;
import dev.gmptrace.tracer.wire.proto.Header;
import dev.gmptrace.tracer.wire.proto.Packet;
import dev.gmptrace.tracer.wire.proto.Stack;
import dev.gmptrace.tracer.wire.proto.StackTable;
import dev.gmptrace.tracer.wire.proto.StringTable;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Writes gmp traces event by event, as a recorder would, or as one never would. */
final class GmpTraceBuilder {
  private final PacketWriter frames = new PacketWriter();
  private final ByteArrayOutputStream file = new ByteArrayOutputStream();
  private final byte[] events = new byte[1 << 16];
  private int length;
  private int count;
  private int generation = 1;
  private int batches;

  GmpTraceBuilder() {
    file.writeBytes(FileFormat.fileHeader());
    packet(
        Packet.newBuilder()
            .setHeader(
                Header.newBuilder()
                    .setProgram("demo")
                    .setMaxProcs(2)
                    .setTicksPerSecond(FileFormat.TICKS_PER_SECOND)));
    clock();
  }

  private void clock() {
    packet(
        Packet.newBuilder()
            .setClock(
                ClockSnapshot.newBuilder()
                    .setGeneration(generation)
                    .setTicks(1000)
                    .setNanoTime(77)
                    .setWallNanos(1_700_000_000_000_000_000L)));
  }

  GmpTraceBuilder packet(Packet.Builder packet) {
    file.writeBytes(frames.frame(packet.build()));
    return this;
  }

  GmpTraceBuilder strings(String... texts) {
    StringTable.Builder table = StringTable.newBuilder().setGeneration(generation);
    for (int i = 0; i < texts.length; i++) {
      table.addId(i + 1).addText(texts[i]);
    }
    return packet(Packet.newBuilder().setStrings(table));
  }

  /** A stack of one frame, in the function and file with those string ids. */
  GmpTraceBuilder stack(int id, int function, int fileName, int line) {
    return packet(
        Packet.newBuilder()
            .setStacks(
                StackTable.newBuilder()
                    .setGeneration(generation)
                    .addStack(
                        Stack.newBuilder()
                            .setId(id)
                            .addFrame(
                                Frame.newBuilder()
                                    .setFunction(function)
                                    .setFile(fileName)
                                    .setLine(line)))));
  }

  GmpTraceBuilder segment(int m, int number, long ticks) {
    return raw(EventType.SEGMENT, m, number, ticks);
  }

  /** An event, its time since the last one first. */
  GmpTraceBuilder event(EventType type, long... args) {
    return raw(type, args);
  }

  private GmpTraceBuilder raw(EventType type, long... args) {
    if (args.length != type.args().size()) {
      throw new IllegalArgumentException(type + " has " + type.args());
    }
    events[length++] = (byte) type.id();
    for (int i = 0; i < args.length; i++) {
      boolean zigzag = type.args().get(i).kind() == ArgKind.THREAD;
      length = Varint.put(events, length, zigzag ? Varint.zigzag(args[i]) : args[i]);
    }
    count++;
    return this;
  }

  /** Ends the batch: all events since the last one go to the file, from the buffer of that P. */
  GmpTraceBuilder batch(int p) {
    file.writeBytes(batchFrame(p));
    return this;
  }

  /** Ends the batch as {@link #batch} does, but loses it. */
  GmpTraceBuilder lostBatch(int p) {
    batchFrame(p);
    return this;
  }

  /** Ends the batch, and returns its frame to be put into the file later. */
  byte[] heldBatch(int p) {
    return batchFrame(p);
  }

  GmpTraceBuilder put(byte[] frame) {
    file.writeBytes(frame);
    return this;
  }

  private byte[] batchFrame(int p) {
    byte[] frame =
        frames.frame(
            Packet.newBuilder()
                .setBatch(
                    Batch.newBuilder()
                        .setGeneration(generation)
                        .setP(p)
                        .setEventCount(count)
                        .setEvents(ByteString.copyFrom(events, 0, length)))
                .build());
    length = 0;
    count = 0;
    batches++;
    return frame;
  }

  GmpTraceBuilder endGeneration() {
    packet(
        Packet.newBuilder()
            .setEndOfGeneration(
                EndOfGeneration.newBuilder()
                    .setGeneration(generation)
                    .setStartTicks(1000)
                    .setBatches(batches)));
    generation++;
    batches = 0;
    return this;
  }

  GmpTraceBuilder nextGeneration() {
    endGeneration();
    clock();
    return this;
  }

  byte[] unfinished() {
    return file.toByteArray();
  }

  byte[] finish() {
    endGeneration();
    packet(Packet.newBuilder().setEndOfTrace(EndOfTrace.newBuilder().setGenerations(generation)));
    return file.toByteArray();
  }

  static Path write(Path directory, byte[] bytes) {
    try {
      Path path = Files.createTempFile(directory, "gmp", ".bin");
      Files.write(path, bytes);
      return path;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
