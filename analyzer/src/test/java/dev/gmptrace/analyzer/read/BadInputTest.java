package dev.gmptrace.analyzer.read;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gmptrace.analyzer.index.Progress;
import dev.gmptrace.analyzer.index.Trace;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is no trace is refused in one sentence that names the file. */
class BadInputTest {
  @TempDir Path directory;

  private Path file(byte[] bytes) throws IOException {
    return Files.write(directory.resolve("bad.trace"), bytes);
  }

  private static byte[] ascii(String s) {
    return s.getBytes(StandardCharsets.ISO_8859_1);
  }

  private static String refusal(Path path) {
    TraceFormatException e =
        assertThrows(
            TraceFormatException.class,
            () -> {
              try (TraceReader reader = TraceReader.open(path)) {
                reader.read(event -> {}).orRefuse(reader.info());
              }
            });
    String message = String.valueOf(e.getMessage());
    assertFalse(message.contains("\n"), message);
    assertTrue(message.contains(path.toString()), message);
    return message;
  }

  @Test
  void emptyFile() throws IOException {
    assertTrue(refusal(file(new byte[0])).contains("is empty"));
  }

  @Test
  void noSuchFile() {
    assertTrue(refusal(directory.resolve("nowhere")).contains("no such file"));
  }

  @Test
  void directoryInsteadOfAFile() {
    assertTrue(refusal(directory).contains("is a directory"));
  }

  @Test
  void textFile() throws IOException {
    assertTrue(refusal(file(ascii("Dear reader, this is not a trace."))).contains("not a trace"));
  }

  @Test
  void tinyFile() throws IOException {
    assertTrue(refusal(file(ascii("x"))).contains("not a trace"));
  }

  @ParameterizedTest
  @ValueSource(ints = {5, 8, 12, 15})
  void headerCutOff(int length) throws IOException {
    byte[] header = Arrays.copyOf(ascii("go 1.26 trace\0\0\0"), length);
    assertTrue(refusal(file(header)).contains("ends inside the header of a Go trace"));
  }

  @ParameterizedTest
  @ValueSource(ints = {11, 19, 21})
  void formatBeforeGo122(int version) throws IOException {
    String message = refusal(file(ascii("go 1." + version + " trace\0\0\0junk")));
    assertTrue(message.contains("record it again with Go 1.22 or newer"), message);
  }

  @ParameterizedTest
  @ValueSource(strings = {"go 1.24", "go 1.27", "go 1.99"})
  void versionFromTheFuture(String version) throws IOException {
    String message = refusal(file(ascii(version + " trace\0\0\0junk")));
    assertTrue(message.contains(version) && message.contains("known are"), message);
  }

  @Test
  void nothingAfterTheHeader() throws IOException {
    assertTrue(refusal(file(ascii("go 1.22 trace\0\0\0"))).contains("nothing after the header"));
  }

  @Test
  void gmpHeaderOnly() throws IOException {
    assertTrue(refusal(file(ascii("GMPTRACE\1\0\0\0\0\0\0\0"))).contains("ends after"));
    assertTrue(refusal(file(ascii("GMPTRACE\1\0"))).contains("cut in its first"));
    assertTrue(refusal(file(ascii("GMPTRACE\7\0\0\0\0\0\0\0"))).contains("version 7"));
  }

  @Test
  void onlyEndOfGeneration() throws IOException {
    refusal(file(ascii("go 1.26 trace\0\0\0\64")));
  }

  @Test
  void sizesAreNotBelieved() throws IOException {
    // A batch, a string and a stack, each claiming far more than the file has.
    assertTrue(refusal(go(1, new byte[0], 1L << 40)).contains("a batch of 1099511627776 bytes"));
    byte[] string = bytes(4, 5, 1, 0xff, 0xff, 0xff, 0xff, 0x0f);
    assertTrue(refusal(go(1, string, string.length)).contains("a string of 4294967295 bytes"));
    byte[] stack = bytes(2, 3, 1, 0xff, 0xff, 0xff, 0xff, 0x0f);
    assertTrue(refusal(go(1, stack, stack.length)).contains("a stack of 4294967295 frames"));
  }

  @Test
  void memoryFollowsTheFile() throws IOException {
    // Ids as far apart as they can be, on every kind of thing that has one.
    ByteArrayOutputStream data = new ByteArrayOutputStream();
    data.write(4);
    for (int i = 0; i < 3000; i++) {
      data.write(5);
      data.writeBytes(uvarint(-1L - i * 0x1234567L));
      data.write(0);
    }
    byte[] strings = data.toByteArray();
    Path path = go(1, strings, strings.length);
    assertMemoryFollows(path, 200, () -> refusal(path));
  }

  /** Whatever may come in any number: threads of one event, generations of one packet. */
  @Test
  void memoryFollowsTheFileWhateverItIsMadeOf() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(ascii("go 1.22 trace\0\0\0"));
    out.writeBytes(bytes(1, 1, 1, 1, 2, 8, 1)); // a frequency, without which nothing is read
    for (int m = 1; m < 20_000; m++) {
      out.writeBytes(bytes(1, 1));
      out.writeBytes(uvarint(m));
      out.writeBytes(bytes(1, 4, EventTypes.PROC_START, 1, 1, 0)); // of a P that nobody knows
    }
    Path threads = file(out.toByteArray());
    assertMemoryFollows(threads, 150, () -> readAll(threads));
    GmpTraceBuilder b = new GmpTraceBuilder();
    for (int i = 0; i < 5_000; i++) {
      b.nextGeneration();
    }
    Path generations = GmpTraceBuilder.write(directory, b.finish());
    assertMemoryFollows(generations, 150, () -> readAll(generations));
  }

  /** A file of markers, each of which says that 16 MB follow, is not summed up at every one. */
  @Test
  void markersInDamageAreNotTriedForEver() throws IOException {
    byte[] frames = new byte[6 << 20];
    for (int i = 0; i + 12 <= frames.length; i += 12) {
      System.arraycopy(bytes(0xC7, 'G', 'M', 'P', 0, 0, 0x20, 0, 1, 2, 3, 4), 0, frames, i, 12);
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(ascii("GMPTRACE\1\0\0\0\0\0\0\0"));
    out.writeBytes(frames);
    // Without a bound this takes a minute and a half, with it less than a second.
    assertTrue(refusal(file(out.toByteArray())).length() > 0);
  }

  private static void readAll(Path path) {
    try (TraceReader reader = TraceReader.open(path)) {
      assertNotNull(reader.read(event -> {}));
    }
  }

  /** The least of three readings: other threads allocate as well, but not each time. */
  private static void assertMemoryFollows(Path path, long factor, Runnable reading)
      throws IOException {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < 3; i++) {
      long before = allocated();
      reading.run();
      least = Math.min(least, allocated() - before);
    }
    long limit = (16L << 20) + factor * Files.size(path);
    assertTrue(least < limit, least + " bytes allocated for a file of " + Files.size(path));
  }

  private static long allocated() {
    return ((com.sun.management.ThreadMXBean)
            java.lang.management.ManagementFactory.getThreadMXBean())
        .getTotalThreadAllocatedBytes();
  }

  @Test
  void aSinkMayGiveUp() {
    Path path = GoldenTraces.file("web-go1.27");
    IllegalStateException e =
        assertThrows(
            IllegalStateException.class,
            () -> {
              try (TraceReader reader = TraceReader.open(path)) {
                reader.read(event -> {
                  if (event.number() == 100) {
                    throw new IllegalStateException("enough");
                  }
                });
              }
            });
    assertEquals("enough", e.getMessage());
  }

  @Test
  void aReaderReadsOnce() {
    try (TraceReader reader = TraceReader.open(GoldenTraces.file("idle-go1.26"))) {
      assertNotNull(reader.read(event -> {}).clock());
      assertTrue(reader.position() > reader.info().size() / 2, "position " + reader.position());
      assertThrows(IllegalStateException.class, () -> reader.read(event -> {}));
    }
  }

  /** A Go 1.22 trace with one batch of generation 1. */
  private Path go(int generation, byte[] data, long claimedSize) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(ascii("go 1.22 trace\0\0\0"));
    out.write(1);
    out.writeBytes(uvarint(generation));
    out.writeBytes(uvarint(-1));
    out.writeBytes(uvarint(1));
    out.writeBytes(uvarint(claimedSize));
    out.writeBytes(data);
    return file(out.toByteArray());
  }

  private static byte[] uvarint(long v) {
    byte[] b = new byte[10];
    return Arrays.copyOf(b, dev.gmptrace.tracer.wire.Varint.put(b, 0, v));
  }

  private static byte[] bytes(int... values) {
    byte[] b = new byte[values.length];
    for (int i = 0; i < b.length; i++) {
      b[i] = (byte) values[i];
    }
    return b;
  }

  @Test
  void aTraceTooBigForTheHeapIsRefusedInALine() {
    Progress full =
        (phase, done, total, events, now) -> {
          if (phase == Progress.Phase.INDEXING) {
            throw new OutOfMemoryError("Java heap space");
          }
        };
    Path file = GoldenTraces.file("idle-go1.26");
    String message =
        String.valueOf(
            assertThrows(TraceFormatException.class, () -> Trace.open(file, full)).getMessage());
    assertTrue(message.matches(".*idle-go1.26.* does not fit into a heap of \\d+ MB; .*"), message);
  }
}
