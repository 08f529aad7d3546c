package dev.gmptrace.tracer.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import dev.gmptrace.tracer.Seed;
import dev.gmptrace.tracer.record.SampleTrace;
import dev.gmptrace.tracer.wire.proto.Packet;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Files that were cut off or damaged: what is read is true, and what is missing is said. */
class DamageTest {
  private static byte[] trace;
  private static List<String> whole;

  @BeforeAll
  static void record() {
    trace = SampleTrace.small();
    Reading reading = read(trace);
    assertTrue(reading.complete, reading.ending);
    assertEquals("complete", reading.ending);
    whole = reading.packets;
    System.out.println(trace.length + " bytes, " + whole.size() + " packets");
  }

  /** All packets but damage, each with its events, as text. */
  private record Reading(
      List<String> packets, List<TracePacket.Damage> damage, boolean complete, String ending) {}

  private static Reading read(byte[] bytes) {
    List<String> packets = new ArrayList<>();
    List<TracePacket.Damage> damage = new ArrayList<>();
    try (PacketReader in = PacketReader.of(bytes)) {
      for (TracePacket packet = in.next(); packet != null; packet = in.next()) {
        switch (packet) {
          case TracePacket.Damage d -> damage.add(d);
          case TracePacket.EventBatch b -> packets.add(text(b));
          default -> packets.add(packet.toString());
        }
      }
      return new Reading(packets, damage, in.complete(), in.ending());
    }
  }

  private static String text(TracePacket.EventBatch batch) {
    StringBuilder text = new StringBuilder("batch " + batch.generation() + " " + batch.p());
    EventCursor cursor = batch.cursor();
    while (cursor.next()) {
      text.append(' ').append(cursor.id()).append('@').append(cursor.time());
      for (int i = 0; i < cursor.type().args().size(); i++) {
        text.append(',').append(cursor.arg(i));
      }
    }
    return text.toString();
  }

  @Test
  void aFileCutAnywhereIsReadUpToItsLastWholePacket() {
    for (int length = 0; length < trace.length; length++) {
      byte[] cut = Arrays.copyOf(trace, length);
      Reading reading;
      try {
        reading = read(cut);
      } catch (TraceFormatException e) {
        assertTrue(length < FileFormat.FILE_HEADER_BYTES, "cut at " + length + ": " + e);
        continue;
      }
      assertFalse(reading.complete, "cut at " + length);
      assertTrue(reading.ending.contains("cut"), reading.ending);
      assertEquals(whole.subList(0, reading.packets.size()), reading.packets, "cut at " + length);
      assertTrue(reading.damage.size() <= 1);
      // What is there and what is damaged make up the whole file.
      if (!reading.damage.isEmpty()) {
        TracePacket.Damage tail = reading.damage.getFirst();
        assertEquals(length, tail.offset() + tail.length());
      }
    }
  }

  /** As a newer minor version may write: packets and fields that this one does not know. */
  @Test
  void packetsOfUnknownKindsArePassedOver() {
    UnknownFieldSet unknown =
        UnknownFieldSet.newBuilder()
            .addField(
                1000,
                UnknownFieldSet.Field.newBuilder()
                    .addLengthDelimited(ByteString.copyFromUtf8("from the future"))
                    .build())
            .build();
    byte[] frame = new PacketWriter().frame(Packet.newBuilder().setUnknownFields(unknown).build());
    int first =
        FileFormat.FILE_HEADER_BYTES
            + FileFormat.FRAME_HEADER_BYTES
            + FileFormat.getInt(trace, FileFormat.FILE_HEADER_BYTES + 4);
    for (int at : new int[] {FileFormat.FILE_HEADER_BYTES, first, trace.length}) {
      byte[] newer = new byte[trace.length + frame.length];
      System.arraycopy(trace, 0, newer, 0, at);
      System.arraycopy(frame, 0, newer, at, frame.length);
      System.arraycopy(trace, at, newer, at + frame.length, trace.length - at);
      Reading reading = read(newer);
      assertEquals(List.of(), reading.damage);
      assertEquals(whole, reading.packets);
      assertTrue(reading.complete, reading.ending);
    }
  }

  @Test
  void aFlippedBitCostsOnePacketAndIsNamed() {
    Random random = Seed.random("aFlippedBitCostsOnePacketAndIsNamed");
    for (int i = 0; i < 3000; i++) {
      byte[] damaged = trace.clone();
      int at =
          FileFormat.FILE_HEADER_BYTES
              + random.nextInt(trace.length - FileFormat.FILE_HEADER_BYTES);
      damaged[at] ^= (byte) (1 << random.nextInt(8));
      Reading reading = read(damaged);
      assertEquals(1, reading.damage.size(), "byte " + at);
      TracePacket.Damage damage = reading.damage.getFirst();
      assertTrue(
          damage.offset() <= at && at < damage.offset() + damage.length(), "byte " + at + damage);
      assertEquals(whole.size() - 1, reading.packets.size(), "byte " + at);
      assertTrue(isSubsequence(reading.packets, whole), "byte " + at);
      assertFalse(reading.complete);
    }
  }

  @Test
  void aHailOfDamageNeverYieldsAWrongPacket() {
    Random random = Seed.random("aHailOfDamageNeverYieldsAWrongPacket");
    for (int i = 0; i < 300; i++) {
      byte[] damaged = trace.clone();
      for (int hits = 1 + random.nextInt(30); hits > 0; hits--) {
        int at =
            FileFormat.FILE_HEADER_BYTES
                + random.nextInt(trace.length - FileFormat.FILE_HEADER_BYTES);
        int length = Math.min(1 + random.nextInt(200), trace.length - at);
        switch (random.nextInt(3)) {
          case 0 -> Arrays.fill(damaged, at, at + length, (byte) 0);
          case 1 -> damaged[at] = (byte) random.nextInt();
          default -> {
            // A piece of the file in another place, markers and all.
            int from = random.nextInt(trace.length - length);
            System.arraycopy(trace, from, damaged, at, length);
          }
        }
      }
      Reading reading = read(damaged);
      for (String packet : reading.packets) {
        assertTrue(whole.contains(packet), packet);
      }
    }
  }

  @Test
  void saysWhatItIsWhenItIsNoTraceOrTooNew() {
    assertEquals(
        "no", message("go 1.26 trace\0\0\0".getBytes(StandardCharsets.UTF_8)).substring(0, 2));
    byte[] newer = trace.clone();
    newer[8] = 9;
    assertTrue(message(newer).contains("version 9"), message(newer));
    assertTrue(message(newer).contains("newer gmptrace"), message(newer));
  }

  private static String message(byte[] file) {
    try {
      read(file);
      return "";
    } catch (TraceFormatException e) {
      return String.valueOf(e.getMessage());
    }
  }

  private static boolean isSubsequence(List<String> part, List<String> all) {
    int i = 0;
    for (String element : all) {
      if (i < part.size() && part.get(i).equals(element)) {
        i++;
      }
    }
    return i == part.size();
  }
}
