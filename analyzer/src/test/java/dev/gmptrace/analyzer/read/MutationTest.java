package dev.gmptrace.analyzer.read;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Damaged traces: whatever happens to the bytes, a reader delivers events that rise in time and
 * says what is wrong, or refuses in a sentence. It never throws anything else, hangs or eats
 * memory.
 */
class MutationTest {
  private static final Duration HANG = Duration.ofMinutes(2);

  @TempDir Path directory;

  static List<String> names() {
    return GoldenTraces.names();
  }

  /** Reads with all checks on; the result, or null if the file was refused. */
  private static @org.jspecify.annotations.Nullable ReadResult read(Path path) {
    return Assertions.assertTimeoutPreemptively(
        HANG,
        () -> {
          long[] last = {Long.MIN_VALUE, -1};
          try (TraceReader reader = TraceReader.open(path)) {
            TraceTables tables = reader.tables();
            return reader.read(e -> {
              assertTrue(e.time() > last[0] && e.number() == last[1] + 1);
              last[0] = e.time();
              last[1] = e.number();
              assertNotNull(tables.string(e.name()));
              assertNotNull(tables.stack(e.stack()));
              assertNotNull(tables.stack(e.transitionStack()));
              if (e.kind() == EventKind.STATE_TRANSITION) {
                assertNotNull(
                    e.resource() == ResourceKind.PROC ? e.procTo().text() : e.goTo().text());
              }
            });
          } catch (TraceFormatException e) {
            assertFalse(String.valueOf(e.getMessage()).contains("\n"));
            return null;
          }
        });
  }

  private void mutate(byte[] original, Random random, int rounds, long seed, String name)
      throws IOException {
    Path path = directory.resolve("mutant");
    for (int round = 0; round < rounds; round++) {
      byte[] bytes = mutant(original, random);
      Files.write(path, bytes);
      try {
        read(path);
      } catch (RuntimeException | Error e) {
        fail(name + ", round " + round + ", -Dgmptrace.seed=" + seed, e);
      }
    }
  }

  static byte[] mutant(byte[] original, Random random) {
    byte[] b = original.clone();
    int changes = 1 + random.nextInt(4);
    for (int i = 0; i < changes; i++) {
      int at = 16 + random.nextInt(Math.max(1, b.length - 16));
      int n = Math.min(b.length - at, 1 + random.nextInt(64));
      switch (random.nextInt(7)) {
        case 0 -> b[at] ^= (byte) (1 << random.nextInt(8));
        case 1 -> b[at] = (byte) random.nextInt();
        case 2 -> Arrays.fill(b, at, at + n, (byte) 0xff);
        case 3 -> Arrays.fill(b, at, at + n, (byte) 0);
        case 4 -> b = Arrays.copyOf(b, at);
        case 5 -> {
          // A piece goes missing.
          byte[] shorter = Arrays.copyOf(b, b.length - n);
          System.arraycopy(b, at + n, shorter, at, b.length - at - n);
          b = shorter;
        }
        default -> {
          // A piece of the file appears somewhere else.
          int from = 16 + random.nextInt(Math.max(1, b.length - 16));
          System.arraycopy(b, from, b, at, Math.min(n, b.length - from));
        }
      }
      if (b.length <= 17) {
        break;
      }
    }
    return b;
  }

  @ParameterizedTest
  @MethodSource("names")
  void mutantsOfGoTraces(String name) throws IOException {
    long seed = Seeds.seed("mutantsOfGoTraces " + name);
    mutate(GoldenTraces.bytes(name), new Random(seed), Seeds.longRun() ? 2500 : 20, seed, name);
  }

  @Test
  void mutantsOfAGmpTrace() throws IOException {
    long seed = Seeds.seed("mutantsOfAGmpTrace");
    mutate(
        GmpReaderTest.twoThreads().finish(),
        new Random(seed),
        Seeds.longRun() ? 20000 : 200,
        seed,
        "gmp");
  }

  /** Events that no checksum guards against: right frames around nonsense. */
  @Test
  void gmpTracesOfRandomEvents() throws IOException {
    long seed = Seeds.seed("gmpTracesOfRandomEvents");
    Random random = new Random(seed);
    Path path = directory.resolve("random");
    int rounds = Seeds.longRun() ? 20000 : 300;
    for (int round = 0; round < rounds; round++) {
      Files.write(path, GmpReaderTest.randomTrace(random));
      try {
        read(path);
      } catch (RuntimeException | Error e) {
        fail("round " + round + ", -Dgmptrace.seed=" + seed, e);
      }
    }
  }

  /** Random bytes, most of them behind a header that some reader takes. */
  static byte[] noise(Random random) {
    byte[] b = new byte[16 + random.nextInt(5000)];
    random.nextBytes(b);
    String header =
        switch (random.nextInt(6)) {
          case 0 -> "go 1.22 trace\0\0\0";
          case 1 -> "go 1.23 trace\0\0\0";
          case 2 -> "go 1.25 trace\0\0\0";
          case 3 -> "go 1.26 trace\0\0\0";
          case 4 -> "GMPTRACE\1\0\0\0\0\0\0\0";
          default -> "";
        };
    byte[] h = header.getBytes(StandardCharsets.ISO_8859_1);
    System.arraycopy(h, 0, b, 0, h.length);
    if (random.nextBoolean() && b.length > 17) {
      // Something that begins like a batch gets further.
      b[16] = 1;
    }
    return b;
  }

  @Test
  void randomBytesBehindEveryHeader() throws IOException {
    long seed = Seeds.seed("randomBytesBehindEveryHeader");
    Random random = new Random(seed);
    Path path = directory.resolve("random");
    int rounds = Seeds.longRun() ? 20000 : 200;
    for (int round = 0; round < rounds; round++) {
      Files.write(path, noise(random));
      try {
        read(path);
      } catch (RuntimeException | Error e) {
        fail("round " + round + ", -Dgmptrace.seed=" + seed, e);
      }
    }
  }

  /**
   * A cut trace gives the beginning of what the whole one gives, and says that it is cut. Before Go
   * 1.26 nothing marks a generation's end; there the last one is given as far as it goes without
   * the lost threads, as Go does, and only those before it are a beginning of the whole.
   */
  @ParameterizedTest
  @MethodSource("names")
  void cutTracesGiveAPrefix(String name) throws IOException {
    byte[] whole = GoldenTraces.bytes(name);
    boolean ends = new String(whole, 0, 7, StandardCharsets.ISO_8859_1).equals("go 1.26");
    String all = GoldenTraces.print(GoldenTraces.file(name)).text();
    long seed = Seeds.seed("cutTracesGiveAPrefix " + name);
    Random random = new Random(seed);
    Path path = directory.resolve("cut");
    int rounds = Seeds.longRun() ? 400 : 8;
    for (int round = 0; round < rounds; round++) {
      int cut = 16 + random.nextInt(whole.length - 16);
      Files.write(path, Arrays.copyOf(whole, cut));
      GoldenTraces.Printed printed = GoldenTraces.print(path);
      // The sync event at the cut is no part of the whole.
      String text = beforeLastSync(printed.text());
      String where = name + " cut at " + cut + ", -Dgmptrace.seed=" + seed;
      assertTrue(all.startsWith(ends ? text : beforeLastSync(text)), where);
      if (ends && !endsWithGeneration(whole, cut)) {
        assertNotNull(printed.result().damage(), where);
      }
    }
  }

  /** Cut there, nothing of the trace says that it is cut. */
  private static boolean endsWithGeneration(byte[] whole, int cut) {
    return cut == 16 || whole[cut - 1] == 52;
  }

  private static String beforeLastSync(String text) {
    int last = text.lastIndexOf("M=-1 P=-1 G=-1 Sync ");
    return last < 0 ? text : text.substring(0, last);
  }
}
