package dev.gmptrace.analyzer.read;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Corners of Go's text that no golden trace shows. */
class GoTextTest {
  @TempDir Path directory;

  private String print(byte[] bytes) throws IOException {
    Path path = Files.write(directory.resolve("t.trace"), bytes);
    return GoldenTraces.print(path).text();
  }

  /** Puts other text of the same length into a golden trace. */
  private static byte[] replaced(String name, String text, String by) {
    String bytes = new String(GoldenTraces.bytes(name), StandardCharsets.ISO_8859_1);
    assertTrue(bytes.contains(text));
    assertEquals(text.length(), by.length());
    return bytes.replace(text, by).getBytes(StandardCharsets.ISO_8859_1);
  }

  @Test
  void bytesThatAreNoTextAreEscapedInQuotes() throws IOException {
    String text =
        print(replaced("go122-task-across-generations", "my task", "my \u00ff\u00c3\u00a9\u0001"));
    assertTrue(text.contains("Type=\"my \\xffé\\x01\""), text);
  }

  @Test
  void quotesAndControlCharactersAreEscaped() throws IOException {
    String text = print(replaced("go122-task-across-generations", "my task", "\"\\\n\t\u0007ab"));
    assertTrue(text.contains("Type=\"\\\"\\\\\\n\\t\\aab\""), text);
  }

  @Test
  void aBatchFromTheEndOfTimeDoesNotPushTheOthersThere() throws IOException {
    // The first batch begins at 0, which Go takes for "not known yet", and the others far beyond.
    String text =
        print(
            HexFormat.of()
                .parseHex(
                    "676f20312e323220747261636500000001010000110d0100010e01050000"
                        + "10010501130101000101ffffffffffffffffff01000508a8d6b9070101ff"
                        + "ffffffffffffffff01000102010101ffffffffffffffff01000c04050108"
                        + "7768617465766572"));
    assertTrue(text.startsWith("M=-1 P=-1 G=-1 Sync Time=1 N=1\n"), text);
  }
}
