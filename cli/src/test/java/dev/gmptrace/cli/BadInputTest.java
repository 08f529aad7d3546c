package dev.gmptrace.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Every command that reads a trace, over everything that is none. */
class BadInputTest {
  /** Commands whose one argument is a trace. */
  static final List<String> READERS =
      Commands.NAMES.stream()
          .filter(n -> !List.of("demo", "run", "record", "completion").contains(n))
          .toList();

  @TempDir Path dir;

  @TestFactory
  List<DynamicTest> whatIsNoTraceIsRefusedInOneLine() throws IOException {
    long seed = Long.getLong("gmptrace.seed", 20261118);
    var inputs = new LinkedHashMap<String, Path>();
    inputs.put("missing", dir.resolve("missing.bin"));
    inputs.put("directory", dir);
    for (var e : contents(new Random(seed)).entrySet()) {
      inputs.put(e.getKey(), Files.write(dir.resolve(e.getKey() + ".bin"), e.getValue()));
    }
    var tests = new ArrayList<DynamicTest>();
    for (String command : READERS) {
      inputs.forEach((name, path) ->
          tests.add(
              DynamicTest.dynamicTest(
                  command + " of " + name + ", seed " + seed, () -> refuses(command, path))));
    }
    return tests;
  }

  private static Map<String, byte[]> contents(Random random) throws IOException {
    byte[] go = Files.readAllBytes(Path.of(Cli.goTrace("leak-go1.22")));
    var files = new LinkedHashMap<String, byte[]>();
    files.put("empty", new byte[0]);
    files.put(
        "text",
        "To be or not to be, that is the question.\n".repeat(9).getBytes(StandardCharsets.UTF_8));
    files.put("truncated-header", Arrays.copyOf(go, 9));
    files.put("go-v1", header("go 1.21 trace"));
    files.put("go-of-the-future", header("go 9.99 trace"));
    files.put("gmp-of-the-future", gmpHeader(99));
    byte[] noise = new byte[4096];
    random.nextBytes(noise);
    files.put("noise", noise);
    byte[] noisyGo = noise.clone();
    System.arraycopy(go, 0, noisyGo, 0, 16);
    files.put("go-header-and-noise", noisyGo);
    return files;
  }

  private static byte[] header(String text) {
    return Arrays.copyOf(text.getBytes(StandardCharsets.US_ASCII), 16);
  }

  private static byte[] gmpHeader(int major) {
    byte[] bytes = header("GMPTRACE");
    bytes[8] = (byte) major;
    return bytes;
  }

  private static void refuses(String command, Path path) {
    var result = Cli.run(command, path);
    assertEquals(ExitCode.USAGE, result.code(), result.all());
    // Events go out as they are found, and the first is only the reader's own Sync.
    assertTrue(
        result.out().lines().allMatch(l -> l.contains("Sync 1") || l.startsWith("http:")),
        result.all());
    assertEquals(1, result.err().lines().count(), result.all());
    assertTrue(result.err().startsWith("gmptrace " + command + ": "), result.all());
    assertFalse(result.err().contains("Exception"), result.all());
  }

  @Test
  void brokenTailGivesWhatCameBeforeAndExitCodeOne() throws IOException {
    byte[] whole = Files.readAllBytes(Path.of(Cli.goTrace("go122-task-across-generations")));
    Path cut = Files.write(dir.resolve("cut.trace"), Arrays.copyOf(whole, whole.length - 5));
    var result = Cli.run("events", cut);
    assertEquals(ExitCode.PROBLEM, result.code(), result.err());
    assertTrue(result.out().contains("task 2 \"my task\" begins"), result.all());
    assertEquals(1, result.err().lines().count(), result.err());
  }

  @Test
  void impossibleEventIsNamedAfterTheGoodOnes() {
    var result = Cli.run("events", "--format", "go", Cli.goTrace("go122-create-syscall-with-p"));
    assertEquals(ExitCode.PROBLEM, result.code(), result.all());
    assertTrue(result.err().contains("expected a proc but didn't have one"), result.err());
  }
}
