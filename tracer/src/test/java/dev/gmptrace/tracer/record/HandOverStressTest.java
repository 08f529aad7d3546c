package dev.gmptrace.tracer.record;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs {@link HandOverStress} in a JVM of its own: for a short time, or a long one with {@code
 * -Dgmptrace.stress=long}.
 */
@Timeout(600)
class HandOverStressTest {
  private static final boolean LONG = "long".equals(System.getProperty("gmptrace.stress"));

  @Test
  void nothingIsWrittenBehindTheWritersBackAndWithoutTheFenceItIs(@TempDir Path directory)
      throws Exception {
    String report = jcstress("HandOverStress", directory);
    String name = HandOverStress.class.getName();
    // The broken twin shows that this test would see it; on a busy machine it may take a while.
    for (int i = 0; i < 20 && !report.contains("[FAILED] " + name + ".Unfenced"); i++) {
      report += jcstress("HandOverStress", directory);
    }
    assertTrue(report.contains("[FAILED] " + name + ".Unfenced"), report);
    assertTrue(report.contains("[OK] " + name + ".Fenced"), report);
    assertFalse(report.contains("[FAILED] " + name + ".Fenced"), report);
    assertFalse(report.contains("[ERROR] " + name), report);
  }

  private static String jcstress(String test, Path directory)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add("org.openjdk.jcstress.Main");
    command.addAll(List.of("-t", test, "-r", directory.toString(), "-v"));
    command.addAll(List.of("-f", "1", "-fsm", "1", "-af", "NONE", "-sc", "false", "-c", "2"));
    command.addAll(LONG ? List.of("-m", "default") : List.of("-iters", "3", "-time", "300"));
    Process process =
        new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return output;
  }
}
